"""Cuts a run of SWAN into pieces: the command file of a piece, and the reasons why a case cannot be cut.

A piece takes the state of the piece before from an unformatted hotfile and leaves its own in one. The text hotfile is
not taken, because it rounds. Each piece also writes the heights and depths of all points at its end, by which it is
judged, whatever the case itself asks for. Output at a cut belongs to the piece that ends there: a piece that begins at
a cut is told to write from the next time of output on, because SWAN would count the times of output from its own begin.
"""

import math
from dataclasses import dataclass, replace

from dockyard_swan.case import Case, Compute, Times, Written
from dockyard_swan.commands import Command
from dockyard_swan.files import OUTPUTS
from dockyard_swan.times import is_exact, text_of

#: The hotfiles of a piece: the state that it takes up and the state that it leaves.
HOT_IN, HOT_OUT = "dockyard_in.hot", "dockyard_out.hot"
#: The heights and depths of all points at the end of a piece.
END_FIELDS = "dockyard_end.mat"
#: The most commands that ask for output which SWAN takes; see MAX_OUTP_REQ in its swmod1.
MOST_OUTPUTS = 250
#: The text format rounds, so a run that is cut with it is another run.
HOT_FORMAT = "UNFORMATTED"
#: Where SWAN rounds a step, the times of the run depend on how often it has been added.
_ROUNDED = (
    "SWAN rounds the step of {}, so a piece would have other times; take another unit: 18 MIN, not 0.3 HR."
)


@dataclass(frozen=True)
class Piece:
    """Part of a run; None stands for the begin or the end of the run. `compute` counts the computations from 0."""

    compute: int
    begin: int | None
    end: int | None


def cut_compute(case: Case) -> int | None:
    """The computation that is cut: the last, where it is nonstationary."""
    last = len(case.computes) - 1
    return last if last >= 0 and not case.computes[last].is_stationary else None


def reason_against(case: Case) -> str | None:
    """Why the case cannot be cut; None where its self-proof decides."""
    index = cut_compute(case)
    if index is None:
        return "A stationary computation has no state between its iterations that SWAN could take up."
    compute = case.computes[index]
    if compute.begin is None or compute.end is None:
        return "COMPUTE does not tell when the computation begins, so it has no times at which it can be cut."
    reason = _step_reason(compute, compute.end - compute.begin)
    if reason is not None:
        return reason
    if any(each.last_line > compute.command.last_line for each in case.file.all("INIT")):
        return "An INIT stands behind the last COMPUTE."
    if case.own_states:
        return "An INIT takes up a state that the run itself writes."
    return _mesh_reason(case) or _output_reason(case)


def _step_reason(compute: Compute, seconds: int) -> str | None:
    if compute.step != int(compute.step):
        return "The time step is no whole number of seconds, and SWAN writes times in seconds."
    if not is_exact(compute.command.entries[-3].number or 0):
        return _ROUNDED.format("COMPUTE")
    return "The time range is no whole number of time steps." if seconds % compute.step else None


def _mesh_reason(case: Case) -> str | None:
    varies = any(field.word.startswith("WI") and not field.is_steady for field in case.inputs)
    if case.grid.kind != "unstructured" or not varies:
        return None
    return (
        "SWAN sweeps over a mesh in the order of the wind at the begin, and a piece would begin with another."
    )


def step_words(compute: Compute) -> str:
    """The step as the case writes it: SWAN's 0.7 MIN are not quite 42 SEC."""
    _begin, number, unit, _end = compute.command.entries[-4:]
    return f"{number.text} {unit.text}"


def _output_reason(case: Case) -> str | None:
    paths: set[str] = set()
    for written in case.writes:
        if written.form == "netcdf":
            return f"{written.path}: NetCDF files of two runs cannot be joined to the file of one."
        if written.style == "test":
            return f"{written.path}: TEST writes at each iteration, which is not joined."
        if written.path in paths:
            return f"{written.path}: two commands write it, in turns."
        paths.add(written.path)
        reason = None if written.kind == "restart" else _times_reason(case, written.times)
        if reason is not None:
            return f"{written.path}: {reason}"
    return None


def _times_reason(case: Case, times: Times | None) -> str | None:
    if times is None:
        several = len(case.computes) > 1
        return "it is written without OUTPUT times in a run of several computations." if several else None
    if not times.step < math.inf or times.step % 1:
        return "OUTPUT has no step in whole seconds."
    return None if times.is_exact else _ROUNDED.format("OUTPUT")


def piece_text(case: Case, piece: Piece, *, zero_iterations: bool = False) -> str:
    """The command file of a piece; with `zero_iterations` SWAN reads all of it and computes nothing."""
    lines = list(case.file.lines[: case.file.commands[-1].last_line])
    computation = case.computes[piece.compute]
    compute = computation.command
    for command in case.file.commands:
        _edit(case, piece, command, lines)
    # Lines are put in from the end, so that the numbers of those before stay.
    if not zero_iterations:
        lines[compute.last_line - 1] += f"\nHOTFILE '{HOT_OUT}' {HOT_FORMAT}"
    if piece.end is not None:
        lines[compute.last_line - 1] += "\nSTOP"
        del lines[compute.last_line :]
    if not zero_iterations and _has_room(case):
        # Without OUTPUT it is written at the last step, which need not be at the end that COMPUTE tells.
        lines[compute.first_line - 1] = (
            f"BLOCK 'COMPGRID' NOHEADER '{END_FIELDS}' LAYOUT 3 XP YP DEPTH HSIGN\n"
            + lines[compute.first_line - 1]
        )
    if piece.begin is not None:
        lines[compute.first_line - 1] = (
            f"INITIAL HOTSTART '{HOT_IN}' {HOT_FORMAT}\n" + lines[compute.first_line - 1]
        )
    if zero_iterations:
        for each in case.computes:
            first = each.command.first_line - 1
            lines[first] = f"NUM STOPC STAT mxitst=0\nNUM STOPC NONSTAT mxitns=0\n{lines[first]}"
    return "\n".join(lines) + "\n"


def _has_room(case: Case) -> bool:
    """Whether SWAN takes a BLOCK more."""
    asked = sum(command.keyword in OUTPUTS for command in case.file.commands)
    return not case.is_one_dimensional and asked < MOST_OUTPUTS


def without_start(case: Case) -> Case:
    """The case without the states that it takes up."""
    lines = list(case.file.lines)
    for command in case.file.all("INIT"):
        _replace(command, lines, "")
    kept = [command for command in case.file.commands if command.keyword != "INIT"]
    return replace(case, file=replace(case.file, lines=lines, commands=kept), starts_hot=False)


def _edit(case: Case, piece: Piece, command: Command, lines: list[str]) -> None:
    computes: list[Compute] = case.computes
    cut = computes[piece.compute]
    if command is cut.command:
        if piece.begin is not None or piece.end is not None:
            begin = cut.begin if piece.begin is None else piece.begin
            end = cut.end if piece.end is None else piece.end
            text = f"COMPUTE NONSTATIONARY {text_of(begin or 0)} {step_words(cut)} {text_of(end or 0)}"
            _replace(command, lines, text)
    elif piece.begin is not None and command.first_line < cut.command.first_line:
        if command.keyword in {"COMP", "HOTF", "INIT"}:
            _replace(command, lines, "")
        else:
            for written in case.writes:
                if written.command is command:
                    _edit_output(case, piece, written, lines)
    elif piece.end is not None and command.first_line < cut.command.first_line:
        for written in case.writes:
            # Without times SWAN writes at the end of the run, which this piece is not.
            if written.command is command and written.times is None and written.kind != "restart":
                _replace(command, lines, "")


def _edit_output(case: Case, piece: Piece, written: Written, lines: list[str]) -> None:
    if written.times is None:
        if piece.end is not None:
            _replace(written.command, lines, "")
        return
    at = written.times.at
    later = _next_output(case, piece, written.times)
    line = lines[at.line - 1]
    lines[at.line - 1] = line[: at.start] + text_of(later) + line[at.end :]


def _next_output(case: Case, piece: Piece, times: Times) -> int:
    """When the output behind the begin of a piece is due in the run.

    SWAN writes at a step when its time has come, and counts on from when it was due, or from the begin of the
    computation where that is later (SWORDC in its swanout1). Computations before the request do not count.
    """
    due, begin = times.begin, piece.begin or 0
    for compute in case.computes[: piece.compute + 1]:
        if compute.command.first_line < times.at.line:
            continue
        first, step = compute.begin or 0, max(1, int(compute.step))
        time = first
        while True:
            wanted = max(due, first)
            time = max(time, first + math.ceil((wanted - first) / step) * step)
            if time > min(compute.end or 0, begin):
                break
            due, time = wanted + int(times.step), time + step
    # Where more are due than there are steps, the next step writes.
    return max(due, begin + 1)


def _replace(command: Command, lines: list[str], text: str) -> None:
    """Put a text in the place of a command, and keep the number of lines."""
    lines[command.first_line - 1] = text
    for line in range(command.first_line, command.last_line):
        lines[line] = ""
