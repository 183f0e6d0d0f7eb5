"""Runs the programs of WAVEWATCH III on a case, and says in words how each ended.

Their exit codes say little, because each routine has its own, so what they print before is told with the file that they
read; where a program breaks down without a word of its own, the routine in which it did.
"""

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dockyard_session.errors import ScienceError, one_line
from dockyard_waves.program import Budget, Pack, crashed, run_program
from dockyard_wavewatch3.case import MAP_FILE, Step
from dockyard_wavewatch3.namelists import unread_place
from dockyard_wavewatch3.shell import data_lines
from dockyard_wavewatch3.times import seconds_of

_AT = re.compile(r"calculating for +(\d{4})/(\d{2})/(\d{2}) (\d{2}):(\d{2}):(\d{2})")
_ERROR = re.compile(r"\*\*\* *(?:WAVEWATCH[- ]III +)?ERROR (?:IN +)?(\w+) *:? *(?:\*\*\*)?\s*(.*)", re.I)
_RUNTIME = re.compile(r"Fortran runtime error: (.*)")
#: Complaints about a namelist, and about a name that stands in one or in a list of output.
_UNREAD = re.compile(r"ERROR IN READING (\w{4}) +IOSTAT")
_UNKNOWN = re.compile(
    r"Cannot match namelist object name +%?(\w+)|OUTPUT FIELD +(\w+) +WAS NOT RECOGNIZED", re.I
)
_ITEM = re.compile(r"item (\d+)")
_LIKE_NUMBER = re.compile(r"[-+.\d]")
_NUMBER = re.compile(r"(?:\d+\*)?[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?|\.(?:T|F|TRUE|FALSE)\.", re.I)
_STEP = re.compile(r"^\s*(\d+)\|\s*\d+\|")
#: Switches stand in any order; one of two says whether the program is one process.
_SWITCHES = re.compile(rb"(?:[A-Z][A-Z0-9_]{0,9} ){0,80}(?:SHRD|DIST)(?: [A-Z][A-Z0-9_]{0,9}){4,80} {2,}")
#: What routines are for, where their names say nothing to a stranger.
_ROUTINES = {
    "NEXTLN": "the file ends before all that is expected was read",
    "INA2R": "a map of numbers cannot be read: it has fewer numbers than the grid, or a word among them",
    "INA2I": "a map of whole numbers cannot be read: it has fewer numbers than the grid, or a word among them",
    "W3IOGR": "mod_def.ww3 is of another build or cannot be read",
}
#: Complaints that are told in words of ours.
_COMPLAINTS = {
    "NETCDF: VARIABLE NOT FOUND": "a variable that it names, or needs, is not in the file of NetCDF",
    "SOURCE TERMS REQUESTED BUT NOT SELECTED": "this build has no source terms: name one with them in"
    " parameters.physics, or switch them off",
}
_MEANINGS = (
    (
        re.compile(r"Bad (?:repeat count|integer|real|logical)", re.I),
        "an entry is no number where one is expected",
    ),
    (re.compile(r"End of file", re.I), "the file ends before all that is expected was read"),
    (re.compile(r"Cannot open|No such file", re.I), "a file is not there"),
)
#: Ends for which no entry of the case is to blame by itself.
_BREAKDOWNS = (
    (
        re.compile(r"Error allocating \d+ bytes|Cannot allocate memory", re.I),
        "ENGINE_OUT_OF_MEMORY",
        "the grid and its spectra need more memory than there is",
    ),
    (
        re.compile(r"No space left|File too large|quota exceeded", re.I),
        "ENGINE_LIMIT_EXCEEDED",
        "it writes more than a task may",
    ),
    (
        re.compile(r"SIGFPE|Floating[- ]point exception", re.I),
        "MODEL_DIVERGED",
        "it computes with a number that is none",
    ),
)
_FRAME = re.compile(r"^#\d+ +0x[0-9a-f]+ in (?:__\w+_MOD_)?(w3\w+|ww3_\w+|ina2\w+|nextln)\b", re.I | re.M)


#: What ww3_shel and the programs behind it write: an old file of such a name is none of the case's inputs.
_WRITTEN = re.compile(
    r"^(?:(?:(?:\d{8}\.\d{6}\.)?out_(?:grd|pnt)|track_o|nest\d+|partition|restart\d{3}|log|tab\d\d)\.ww3|ww3\..*)$"
)


@dataclass
class Ran:
    """A program that ended well, with all that it printed."""

    printed: str


def lay_out(
    case_folder: Path,
    work: Path,
    leave_out: Callable[[str], bool] = lambda _name: False,
    copy: Callable[[str], bool] = lambda _name: False,
) -> None:
    """Make a work folder whose files are links to those of the case, or copies where a program may write over them."""
    for folder, _names, files in os.walk(case_folder):
        here = work / Path(folder).relative_to(case_folder)
        here.mkdir(parents=True, exist_ok=True)
        for name in files:
            if copy(name):
                shutil.copyfile(Path(folder) / name, here / name)
            elif not leave_out(name):
                (here / name).symlink_to((Path(folder) / name).resolve())


def is_written(name: str) -> bool:
    """Whether a file of this name is what a run or its outputs write."""
    return _WRITTEN.match(name) is not None


def run_step(
    pack: Pack,
    step: Step,
    work: Path,
    on_time: Callable[[int], bool] = lambda _time: True,
    budget: Budget | None = None,
) -> Ran:
    """Run a program on its file in the work folder.

    Raises CASE_INVALID with file and line, or ENGINE_*; TimeUpError with a budget.
    """
    for ending in ("inp", "nml"):
        name = f"{step.program}.{ending}"
        if name not in {step.reads, step.file}:
            (work / name).unlink(missing_ok=True)
    if step.file != step.reads:
        told = (work / step.file).read_bytes()
        (work / step.reads).unlink(missing_ok=True)
        (work / step.reads).write_bytes(told)
    printed: list[str] = []

    def follow(line: str) -> bool:
        printed.append(line)
        at = _AT.search(line)
        return (
            True
            if at is None
            else on_time(seconds_of("".join(at.groups()[:3]), "".join(at.groups()[3:]), ""))
        )

    ended = run_program(pack, step.program, work, follow, budget)
    text = "\n".join(printed)
    failure = _breakdown(step, text) or _failure(step, work, text, pack.programs[step.program])
    if failure is not None:
        raise failure
    if ended.code != 0:
        broken, routine = crashed(step.program, ended), _routine_of(text)
        raise ScienceError(broken.code, broken.message + routine)
    return Ran(text)


def _breakdown(step: Step, printed: str) -> ScienceError | None:
    """The end of a program that ran out of memory, disk or numbers; None for another."""
    for pattern, code, means in _BREAKDOWNS:
        found = pattern.search(printed)
        if found is not None:
            said = f"{step.program}: {means} ('{found[0]}')."
            return ScienceError(code, said + _routine_of(printed))
    return None


def _routine_of(printed: str) -> str:
    """The innermost routine of the model in the backtrace, as the end of a message; empty where none is told."""
    frame = _FRAME.search(printed)
    return "" if frame is None else f" It was in {frame[1].upper()}."


def _failure(step: Step, work: Path, printed: str, program: Path) -> ScienceError | None:
    """What a program complains of; None where it has printed no complaint."""
    lines = printed.splitlines()
    unknown = _UNKNOWN.search(printed)
    if unknown is not None:
        name = unknown[1] or unknown[2]
        place = _place_of(step, work, rf"\b{re.escape(name)}\b")
        return ScienceError("CASE_INVALID", f"{place}: {step.program} knows no '{name}'.")
    for number, line in enumerate(lines):
        error = _ERROR.search(line)
        if error is not None:
            said = " ".join([error[2], *(each.strip() for each in lines[number + 1 : number + 4])])
            said = one_line(said.replace("***", " ").strip(), 200)
            means = next((text for known, text in _COMPLAINTS.items() if known in said.upper()), None)
            means = means or _ROUTINES.get(error[1].upper())
            named = "" if means is None else f" ({means})"
            place = _suspect(step, work, None) if "READING" in said else step.file
            maps = _maps_of(step, work) if error[1].upper().startswith("INA2") else ""
            unread = _UNREAD.search(said)
            if unread is not None:
                place = _unread(step, work, unread[1], program)
            told = f"{place}: {step.program} says in {error[1]}{named}: '{said}'.{maps}"
            return ScienceError("CASE_INVALID", told)
        runtime = _RUNTIME.search(line)
        if runtime is not None:
            return ScienceError("CASE_INVALID", _runtime_text(step, work, runtime[1]))
    return None


def _place_of(step: Step, work: Path, pattern: str) -> str:
    """The file with the first line in which the pattern stands."""
    lines = (work / step.reads).read_text(encoding="latin-1").split("\n")
    line = next((at for at, each in enumerate(lines, start=1) if re.search(pattern, each, re.I)), None)
    return step.file if line is None else f"{step.file}, line {line}"


def _maps_of(step: Step, work: Path) -> str:
    """The files of the maps that the program reads, as the end of a message; empty where they stand in its own file."""
    text = (work / step.reads).read_text(encoding="latin-1")
    names = dict.fromkeys(name for name in MAP_FILE.findall(text) if (work / name).is_file())
    return f" It reads maps from {', '.join(names)}." if names else ""


def _unread(step: Step, work: Path, group: str, program: Path) -> str:
    """The place of what cannot be read in a namelist of parameters, which a `.nml` has in a file of its own."""
    for path in [work / step.reads, *sorted(work.glob("*.nml"))]:
        lines = path.read_text(encoding="latin-1").split("\n")
        if any(re.match(rf"\s*&{group}\b", line) for line in lines):
            return unread_place(group, step.file if path.name == step.reads else path.name, lines, program)
    return step.file


def _runtime_text(step: Step, work: Path, said: str) -> str:
    meaning = next((text for pattern, text in _MEANINGS if pattern.search(said)), None)
    item = _ITEM.search(said)
    place = _suspect(step, work, None if item is None else int(item[1]))
    named = "" if meaning is None else f": {meaning}"
    return f"{place}{named}. {step.program} says '{one_line(said, 120)}'."


def _suspect(step: Step, work: Path, item: int | None) -> str:
    """The file, with the line and the number of the first entry that begins as a number does and is none."""
    file = work / step.reads
    text = file.read_text(encoding="latin-1") if file.is_file() else ""
    lines = text.split("\n")
    for number in data_lines(text):
        entries = re.sub(r"'[^']*'", "''", lines[number]).replace(",", " ").split()
        for at, entry in enumerate(entries, start=1):
            if item in {None, at} and _LIKE_NUMBER.match(entry) and not _NUMBER.fullmatch(entry):
                return f"{step.file}, line {number + 1}, entry {at}, '{entry}'"
    return step.file if item is None else f"{step.file}, entry {item} of a line"


def steps_of(work: Path) -> int | None:
    """The global steps of a run, as its log counts them; None where it tells none."""
    file = work / "log.ww3"
    if not file.is_file():
        return None
    found = [
        int(match[1])
        for line in file.read_text(encoding="latin-1").splitlines()
        if (match := _STEP.match(line))
    ]
    return found[-1] if found else None


def switches_of(program: Path) -> str | None:
    """The switches with which a program was built, as they stand in it; None where it has none.

    No program prints them: they are one text of a fixed length, the last characters blanks.
    """
    found = _SWITCHES.search(program.read_bytes())
    return None if found is None else found[0].decode("ascii").strip()


def forget_work(work: Path) -> None:
    """Remove a work folder."""
    shutil.rmtree(work, ignore_errors=True)
