"""Checks of a case before SWAN sees it: every file that the commands name is there, and has the numbers it must have.

What is wrong is told with file and line. A check refuses only what SWAN itself would stumble over or silently take for
something else: too few numbers, a word in the place of a number, a time range that the input does not reach.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from dockyard_session.errors import ScienceError
from dockyard_swan.case import Case, InputField, Read
from dockyard_swan.commands import Command
from dockyard_swan.cut import END_FIELDS, HOT_IN, HOT_OUT
from dockyard_swan.mesh import sides_of
from dockyard_swan.times import seconds_of, text_of
from dockyard_waves.paths import inside

#: Files that SWAN or this service writes beside those that the case names.
RESERVED = frozenset(
    {
        "INPUT", "PRINT", "Errfile", "norm_end", "swaninit", "summary.json", "case.tar",
        HOT_IN, HOT_OUT, END_FIELDS,
    }
)  # fmt: skip

_NUMBER = re.compile(r"^(?:(\d+)\*)?[+-]?(?:\d+\.?\d*|\.\d+)(?:[EeDd][+-]?\d+)?$")
_STATIONARY_TIME = re.compile(r"^\s*(\d{8}\.\d{1,6})\b")
#: A line of a boundary file that is a time and nothing else, but for what is said of it.
_ONLY_TIME = re.compile(r"^\s*\d{8}\.\d{1,6}\s*(?:[A-Za-z!].*)?$")
_TPAR = "TPAR"
_LONG_NAME = 36


def check_case(case: Case, folder: Path) -> None:
    """Check; raises CASE_FILE_MISSING, CASE_INVALID or CASE_PATH_REFUSED."""
    own_states = case.own_states
    for read in case.reads:
        if read.path not in own_states:
            _check_there(case, folder, read.path, read.line)
    for command in case.file.all("BOUNDN"):
        if command.find("WAMN") is not None:
            _check_named(folder, inside(command.texts()[0].path, case.file.place(command.first_line)))
    for written in case.writes:
        line = written.command.first_line
        if written.path in RESERVED:
            raise case.file.invalid(
                line, f"'{written.path}' is written by SWAN or the service; name it otherwise."
            )
        is_cycle = written.kind == "restart"
        if any(read.path == written.path and not (is_cycle and read.is_state) for read in case.reads):
            raise case.file.invalid(line, f"'{written.path}' is both read and written.")
    _check_times(case)
    _check_boundary_times(case, folder)
    _check_sides(case, folder)
    _check_shared(case)
    for field in case.inputs:
        _check_field(case, field, folder)


def forcing_times(case: Case, folder: Path) -> dict[str, list[int]]:
    """The times at which each input that changes has values, by what the input is called."""
    found: dict[str, list[int]] = {}
    for field in case.inputs:
        if field.begin is not None and field.end is not None and field.step > 0:
            count = round((field.end - field.begin) / field.step) + 1
            found[field.word] = [round(field.begin + step * field.step) for step in range(count)]
    for read in _boundary_files(case):
        times = _times_of(folder / read.path)
        if times:
            found[read.path] = times
    # One time alone stands for what does not change.
    return {name: times for name, times in found.items() if len(times) > 1}


def _boundary_files(case: Case) -> Iterator[Read]:
    """The files with waves at the boundary, each once."""
    commands = [*case.file.all("BOUN"), *case.file.all("BOUNDN")]
    paths: set[str] = set()
    for read in case.reads:
        is_boundary = any(each.first_line <= read.line <= each.last_line for each in commands)
        if is_boundary and read.path not in paths:
            paths.add(read.path)
            yield read


def _times_of(path: Path) -> list[int]:
    """The times at which a boundary file has waves; raises CASE_INVALID where one is none."""
    times: list[int] = []
    is_series = False
    with path.open("r", encoding="latin-1") as file:
        for number, line in enumerate(file, start=1):
            is_series = is_series or (number == 1 and line.strip().upper().startswith(_TPAR))
            match = _STATIONARY_TIME.match(line)
            time = None if match is None else seconds_of(match[1])
            if time is not None:
                times.append(time)
            elif match is not None and (is_series or _ONLY_TIME.match(line)):
                raise ScienceError(
                    "CASE_INVALID",
                    f"{path.name}, line {number}: '{match[1]}' is no time; write it as 20260131.123000.",
                )
    return times


def _check_boundary_times(case: Case, folder: Path) -> None:
    """Refuse waves at the boundary that end before the run does: SWAN goes on with the last, and says nothing."""
    runs = [each for each in case.computes if each.begin is not None]
    for read in _boundary_files(case):
        times = _times_of(folder / read.path)
        # One time alone stands for waves that do not change.
        if len(times) < 2:
            continue
        for run in runs:
            if (run.begin or 0) < times[0] or (run.end or 0) > times[-1]:
                begin, end = text_of(run.begin or 0), text_of(run.end or 0)
                raise case.file.invalid(
                    read.line,
                    f"'{read.path}' has times from {text_of(times[0])} to {text_of(times[-1])}, and COMPUTE in line"
                    f" {run.command.first_line} runs from {begin} to {end}.",
                )


def _check_sides(case: Case, folder: Path) -> None:
    """Refuse a side that the unstructured mesh has not: SWAN takes it for one without waves."""
    mesh = next((each for each in case.file.all("READG") if each.find("UNSTR") is not None), None)
    sides = None if mesh is None else sides_of(mesh, folder)
    for command in [] if sides is None else case.file.all("BOUN"):
        at = command.find("SIDE")
        told = [] if at is None else command.numbers_after(at)[:1]
        for entry in told:
            if sides is not None and entry.number not in sides:
                has = ", ".join(map(str, sorted(sides)[:20])) or "none"
                raise case.file.invalid(
                    entry.line, f"The mesh has no side {entry.text}; the markers of its boundary are {has}."
                )


def _check_there(case: Case, folder: Path, path: str, line: int) -> None:
    if (folder / path).is_file():
        return
    near = next((f for f in _files(folder) if f.lower() == path.lower()), None)
    hint = f" The case has '{near}': names count capital letters." if near else ""
    raise ScienceError(
        "CASE_FILE_MISSING", f"{case.file.place(line)}: the file '{path}' is not in the case.{hint}"
    )


def _files(folder: Path) -> Iterator[str]:
    return (file.relative_to(folder).as_posix() for file in sorted(folder.rglob("*")) if file.is_file())


def _check_times(case: Case) -> None:
    times = [compute for compute in case.computes if compute.begin is not None and compute.end is not None]
    for field in case.inputs:
        if field.begin is None or field.end is None:
            continue
        for compute in times:
            if (compute.begin or 0) < field.begin or (compute.end or 0) > field.end:
                begin, end = text_of(compute.begin or 0), text_of(compute.end or 0)
                raise case.file.invalid(
                    field.command.first_line,
                    f"{field.word} has times from {text_of(field.begin)} to {text_of(field.end)}, and COMPUTE in line"
                    f" {compute.command.first_line} runs from {begin} to {end}.",
                )


def _check_shared(case: Case) -> None:
    """Refuse one file for two inputs that change: SWAN keeps it open, and says nothing that helps."""
    readers: dict[str, int] = {}
    for field in case.inputs:
        command = None if field.is_steady else _reader_of(case, field)
        if command is None:
            continue
        entry = command.texts()[0]
        first = readers.setdefault(entry.text, entry.line)
        if first != entry.line:
            raise case.file.invalid(
                entry.line,
                f"'{entry.text}' is read by line {first}, too: give {field.word} a copy of its own.",
            )


def _check_field(case: Case, field: InputField, folder: Path) -> None:
    command = _reader_of(case, field)
    if command is None or field.counts is None:
        return
    entry = command.texts()[0]
    path = inside(entry.path, case.file.place(entry.line))
    rest = command.entries[command.entries.index(entry) + 1 :]
    if any(e.is_word("FORM") or e.is_word("UNF") for e in rest):
        return
    numbers = [int(e.number or 0) for e in rest if e.number is not None]
    layout, heads, time_heads, vector_heads = (*numbers, *(1, 0, 0, 0)[len(numbers) :])[:4]
    if command.find("SERIES") is not None:
        _check_named(folder, path)
        return
    if field.is_steady and len(numbers) < 4 and field.components == 2:
        vector_heads, time_heads = time_heads, 0
    reader = _Numbers(path, folder / path, field.word)
    try:
        reader.skip(heads)
        for step in range(_maps(case, field)):
            for _component in range(field.components):
                reader.skip(vector_heads if field.components == 2 else 0)
                reader.at = f"map {step + 1}"
                _read_map(reader, field.counts, layout)
    finally:
        reader.close()


def _check_named(folder: Path, path: str) -> None:
    """Check the files that a file names, line by line."""
    names = (folder / path).read_text(encoding="latin-1").split("\n")
    for number, name in enumerate(names, start=1):
        text = name.strip().strip("'")
        if text and not (folder / inside(text, f"{path}, line {number}")).is_file():
            raise ScienceError(
                "CASE_FILE_MISSING", f"{path}, line {number}: the file '{text}' is not in the case."
            )


def _reader_of(case: Case, field: InputField) -> Command | None:
    """The command that reads the field; names of fields are told by their first two letters."""
    for command in case.file.all("READI"):
        if command.entries and command.texts() and command.entries[0].text.upper()[:2] == field.word[:2]:
            return command
    return None


def _maps(case: Case, field: InputField) -> int:
    """How many maps SWAN reads until the end of its computations."""
    if field.begin is None or field.end is None or field.step <= 0:
        return 1
    ends = [compute.end for compute in case.computes if compute.end is not None]
    last = min(max(ends, default=field.end), field.end)
    return int(-((field.begin - last) // field.step)) + 1


def _read_map(reader: "_Numbers", counts: tuple[int, int], layout: int) -> None:
    across, up = counts
    if layout % 2 == 0:
        reader.take(across * up)
        return
    rows, length = (up, across) if layout in {1, 3} else (across, up)
    for _row in range(rows):
        reader.take(length)


class _Numbers:
    """Reads numbers of a file as Fortran's free format does: each read begins on a new line."""

    def __init__(self, name: str, path: Path, what: str) -> None:
        self._name, self._what = name, what
        self._file = path.open("r", encoding="latin-1")
        self._line = 0
        self.at = ""

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def skip(self, lines: int) -> None:
        """Skip head lines."""
        for _ in range(lines):
            self._next(0, 0)

    def take(self, count: int) -> None:
        """Read so many numbers; raises CASE_INVALID where they are not there."""
        found = 0
        while found < count:
            for word in self._next(found, count).replace(",", " ").split():
                match = _NUMBER.match(word)
                if match is None:
                    if word.startswith(("/", "!")):
                        break
                    raise self._invalid(f"'{word[:_LONG_NAME]}' is no number, in {self.at} of {self._what}.")
                found += int(match[1] or 1)
                if found >= count:
                    break

    def _next(self, found: int, count: int) -> str:
        line = self._file.readline()
        self._line += 1
        if not line:
            missing = (
                f"{count - found} of {count} numbers are missing" if count else "its head lines are missing"
            )
            raise self._invalid(
                f"The file ends in {self.at or 'its head'} of {self._what}, where {missing}; compare the counts of"
                " INPGRID with the file."
            )
        return line

    def _invalid(self, what: str) -> ScienceError:
        return ScienceError("CASE_INVALID", f"{self._name}, line {self._line}: {what}")
