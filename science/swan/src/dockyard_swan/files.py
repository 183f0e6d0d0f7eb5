"""The files that a command names: those that SWAN reads, and those that it writes with the times of its output."""

import math
from collections.abc import Iterator

from dockyard_swan.case import OutputKind, Read, Times, Written
from dockyard_swan.commands import Command, CommandFile, Entry
from dockyard_swan.times import is_exact, seconds_of, step_seconds
from dockyard_waves.paths import inside

#: The commands that ask for output at the times of OUTPUT, with the kind of what they write.
OUTPUTS: dict[str, OutputKind] = {
    "BLO": "field",
    "TAB": "table",
    "SPEC": "spectrum",
    "NEST": "spectrum",
}


def reads_of(file: CommandFile, command: Command) -> Iterator[Read]:
    """The files that the command reads; raises CASE_PATH_REFUSED."""
    texts = command.texts()
    match command.keyword:
        case "READI" | "INIT" | "BOUNDN":
            named = texts[:1]
        case "READG":
            named = [] if command.find("UNSTR") is not None else texts[:1]
            yield from _meshes(file, command)
        case "BOUN" | "BRAG":
            named = texts if command.find("FILE") is not None else []
        case "POIN":
            named = texts[1:2] if command.find("FILE") is not None else []
        case "NGR":
            named = []
            yield from _meshes(file, command)
        case _:
            named = []
    for entry in named:
        yield Read(inside(entry.path, file.place(entry.line)), entry.line, command.keyword == "INIT")


def _meshes(file: CommandFile, command: Command) -> Iterator[Read]:
    """The files of an unstructured mesh, whose endings SWAN adds itself."""
    if command.find("UNSTR") is None:
        return
    names = command.texts()[-1:]
    if command.find("TRIA") is not None:
        endings = (".node", ".ele")
    elif command.find("EASY") is not None:
        endings = (".n", ".e")
    else:
        yield Read("fort.14", command.first_line)
        return
    for entry in names:
        for ending in endings:
            yield Read(inside(entry.path + ending, file.place(entry.line)), entry.line)


def writes_of(file: CommandFile, command: Command) -> Iterator[Written]:
    """The files that the command writes; raises CASE_PATH_REFUSED and CASE_INVALID."""
    texts = command.texts()
    if command.keyword == "HOTF":
        for entry in texts[:1]:
            yield Written(inside(entry.path, file.place(entry.line)), "restart", command)
    elif command.keyword == "TEST":
        for entry in texts:
            yield Written(inside(entry.path, file.place(entry.line)), "field", command, style="test")
    elif command.keyword in OUTPUTS:
        if len(texts) < 2 or not texts[1].text.strip():
            # Without a file the output goes to the PRINT file, which is kept as a log.
            return
        entry = texts[1]
        after = command.entries.index(entry) + 1
        times_at = command.find("OUT", after)
        words = tuple(
            each.text.upper()
            for each in command.entries[after:times_at]
            if each.number is None and not each.is_text and not each.is_word("LAY")
        )
        style = next(
            (e.text.upper() for e in command.entries[1:after] if not e.is_text and e.number is None), ""
        )
        times = None if times_at is None else _output_times(file, command, times_at)
        path = inside(entry.path, file.place(entry.line))
        written = Written(path, OUTPUTS[command.keyword], command, times, words, style)
        if written.form == "vtk":
            raise file.invalid(
                entry.line, "SWAN writes VTK into folders of its own, which are not kept; take .nc or .mat."
            )
        yield written


def _output_times(file: CommandFile, command: Command, index: int) -> Times:
    entries = command.entries[index + 1 :]
    if not entries:
        raise file.invalid(
            command.last_line, "OUTPUT takes the time of the first output, a step and its unit."
        )
    begin = read_time(file, entries[0])
    number = entries[1].number if len(entries) > 1 else None
    unit = entries[2].text if len(entries) > 2 else "SEC"
    step = math.inf if number is None else step_seconds(number, unit)
    if not step > 0:
        raise file.invalid(entries[1].line, f"The step '{entries[1].text}' of OUTPUT is not positive.")
    return Times(begin, step, number is None or is_exact(number), entries[0], entries[-1])


def read_time(file: CommandFile, entry: Entry) -> int:
    """The time in seconds; raises CASE_INVALID where the entry is none."""
    seconds = seconds_of(entry.text)
    if seconds is None:
        raise file.invalid(entry.line, f"'{entry.text}' is no time; write it as 20260131.123000.")
    return seconds
