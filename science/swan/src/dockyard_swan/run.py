"""Runs SWAN on one command file, tells how far it is, and judges how it ended.

SWAN always ends with exit code 0. A run is good where `norm_end` is there and `Errfile` holds no error; its messages
are told with the line of the command file that they are about.
"""

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from dockyard_session.errors import ScienceError, one_line
from dockyard_swan.case import Case
from dockyard_swan.times import seconds_of
from dockyard_waves.program import Budget, Pack, crashed, run_program

PROGRAM = "swan.exe"

_STEP = re.compile(r"^\+?\s*time +(\d{8}\.\d{6}) *, *step +(\d+); *iteration +(\d+)")
_ITERATION = re.compile(r"^\+?\s*iteration +(\d+)")
_ACCURACY = re.compile(r"accuracy OK in +([\d.]+) % of wet grid points \( *([\d.]+) % required")
_ERROR = re.compile(r"^\s*(?:\*\* *)?(Terminating error|Severe error|Error|Warning) *: *(.*)$")
#: The errors beyond warnings that PRINT has behind the command that they are about.
_PRINTED_ERROR = re.compile(r"^\s*\*\* *(?:Severe error|Error) *: *(.*)$")
#: SWAN's levels of errors; one above [maxerr], which is 1 unless the case says otherwise, ends it.
_LEVELS = {"Warning": 1, "Error": 2, "Severe error": 3, "Terminating error": 4}
#: SWAN ends well without a computation, also where its own [maxerr] is not the one that the case seems to tell.
_NOT_STARTED = re.compile(r"No start of computation because of error level: *(\d+)")

#: Words of SWAN that say nothing to a stranger, with what they mean.
_MEANINGS = (
    (
        re.compile(r"Bad repeat count|Bad (?:integer|real|logical)", re.I),
        "an entry is no number where SWAN expects one",
    ),
    (re.compile(r"unexpected end of file", re.I), "the file has fewer numbers than INPGRID and READINP tell"),
    (re.compile(r"cannot be opened", re.I), "the file is not there, or is no file that SWAN can read"),
)
#: The time of a copied state, by which it is known that the run has not written it.
_UNTOUCHED = 0


@dataclass
class Convergence:
    """How the last iterations ended: the accurate points, and those that are required, in percent."""

    accurate: float | None = None
    required: float | None = None
    steps: int = 0
    steps_short: int = 0

    @property
    def is_short(self) -> bool:
        """Whether the last iterations ended before the share that is required."""
        return self.accurate is not None and self.required is not None and self.accurate < self.required


@dataclass(frozen=True)
class Reached:
    """How far SWAN is: the time that it computes, and the iteration there."""

    time: int | None
    iteration: int


@dataclass
class Done:
    """A run that ended well."""

    convergence: Convergence = field(default_factory=Convergence)
    version: str | None = None
    #: The errors that [maxerr] let it pass over, with file and line.
    passed_over: list[str] = field(default_factory=list)


def is_made(file: Path) -> bool:
    """Whether a file of a work folder was written by the run."""
    return file.is_file() and not file.is_symlink() and file.stat().st_mtime != _UNTOUCHED


def lay_out(case_folder: Path, work: Path, case: Case, *, is_begun: bool = False) -> None:
    """Make a work folder whose files are links to those of the case.

    Files that SWAN writes are left out; a state that it takes up and writes again is copied, but not where the run has
    begun from a state of its own.
    """
    written = {each.path for each in case.writes}
    states = set() if is_begun else written & {each.path for each in case.reads}
    without = written - states | {"INPUT", "PRINT", "Errfile", "norm_end", "swaninit"}
    for folder, _names, files in os.walk(case_folder):
        here = work / Path(folder).relative_to(case_folder)
        here.mkdir(parents=True, exist_ok=True)
        for name in files:
            source = Path(folder) / name
            path = source.relative_to(case_folder).as_posix()
            if path in states:
                shutil.copyfile(source, here / name)
                os.utime(here / name, (_UNTOUCHED, _UNTOUCHED))
            elif path not in without:
                (here / name).symlink_to(source.resolve())


def run_swan(
    pack: Pack,
    case: Case,
    work: Path,
    text: str,
    on_reached: Callable[[Reached], bool] = lambda _reached: True,
    *,
    budget: Budget | None = None,
) -> Done:
    """Run SWAN in the work folder on this command file.

    Raises CASE_INVALID with the line that SWAN names, or ENGINE_CRASHED; TimeUpError with a budget.
    """
    (work / "INPUT").write_text(text, encoding="latin-1")
    for written in case.writes:
        (work / written.path).parent.mkdir(parents=True, exist_ok=True)

    def follow(line: str) -> bool:
        step = _STEP.match(line)
        if step is not None:
            return on_reached(Reached(seconds_of(step[1]), int(step[3])))
        iteration = _ITERATION.match(line)
        return on_reached(Reached(None, int(iteration[1]))) if iteration is not None else True

    ended = run_program(pack, PROGRAM, work, follow, budget)
    printed = _printed(work)
    not_started = next(filter(None, map(_NOT_STARTED.search, printed)), None)
    level = max(case.most_error, 1) + 1 if not_started is None else min(int(not_started[1]), 2)
    errors = _errors(work, level)
    if errors:
        raise _failure(case, printed, errors, is_warning=level == _LEVELS["Warning"])
    if ended.code != 0 or not (work / "norm_end").is_file():
        near = _last_command(case, printed)
        failure = crashed("SWAN", ended)
        where = "" if near is None else f" It had read up to {case.file.place(near)}."
        raise ScienceError(failure.code, failure.message + where)
    return Done(_convergence(printed), _version(printed), _passed_over(case, printed))


def forget_work(work: Path) -> None:
    """Remove a work folder."""
    shutil.rmtree(work, ignore_errors=True)


def _printed(work: Path) -> list[str]:
    file = work / "PRINT"
    return file.read_text(encoding="latin-1").splitlines() if file.is_file() else []


def _errors(work: Path, least: int) -> list[str]:
    """The errors that end SWAN: those of this level and above."""
    file = work / "Errfile"
    if not file.is_file():
        return []
    matches = (_ERROR.match(line) for line in file.read_text(encoding="latin-1").splitlines())
    return [match[2].strip() for match in matches if match is not None and _LEVELS[match[1]] >= least]


def _failure(case: Case, printed: list[str], errors: list[str], *, is_warning: bool) -> ScienceError:
    """The first error, at the last command that SWAN repeats before it in its PRINT file."""
    said = _sentence(errors)
    at = next((index for index, line in enumerate(printed) if errors[0][:40] in line), len(printed))
    meaning = next((text for pattern, text in _MEANINGS if pattern.search(said)), None)
    if is_warning:
        meaning = "a warning, by which nothing is computed where [maxerr] of SET is 0"
    return ScienceError("CASE_INVALID", _said_of(case, printed[:at], said, meaning))


def _said_of(case: Case, printed: list[str], said: str, meaning: str | None) -> str:
    """What SWAN says of the last command that it has repeated in its PRINT file, with file and line."""
    line = _last_command(case, printed)
    place = case.file.name if line is None else case.file.place(line)
    named = f" ({meaning})" if meaning else ""
    command = "" if line is None else f" The command is: {case.file.lines[line - 1].strip()[:120]}"
    return f"{place}: SWAN says '{one_line(said, 200)}'{named}.{command}"


def _passed_over(case: Case, printed: list[str]) -> list[str]:
    matches = ((at, _PRINTED_ERROR.match(line)) for at, line in enumerate(printed))
    return [_said_of(case, printed[:at], found[1].strip(), None) for at, found in matches if found]


def _sentence(errors: list[str]) -> str:
    """The first error with the lines on which it goes on, each of which SWAN writes as an error of its own."""
    said = errors[0]
    for line in errors[1:]:
        if not line[:1].islower():
            break
        said += f" {line}"
    return said


def _last_command(case: Case, printed: list[str]) -> int | None:
    """The line of the last command of the case that SWAN has repeated in its PRINT file."""
    lines = {text.strip(): number for number, text in enumerate(case.file.lines, start=1) if text.strip()}
    for text in reversed(printed):
        number = lines.get(text.strip())
        if number is not None:
            return number
    return None


def _convergence(printed: list[str]) -> Convergence:
    found = Convergence()
    is_open = False
    for line in printed:
        accuracy = _ACCURACY.search(line)
        if accuracy is not None:
            found.accurate, found.required = float(accuracy[1]), float(accuracy[2])
            is_open = True
        elif is_open and ("Time of computation" in line or line.strip().upper().startswith("COMP")):
            found.steps += 1
            found.steps_short += found.is_short
            is_open = False
    if is_open:
        found.steps += 1
        found.steps_short += found.is_short
    return found


def _version(printed: list[str]) -> str | None:
    for line in printed:
        match = re.search(r"[Vv]ersion(?: [Nn]umber)?:? +(\d+\.\w+)", line)
        if match is not None:
            return match[1]
    return None
