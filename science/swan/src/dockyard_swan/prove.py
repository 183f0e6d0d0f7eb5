"""Proves for a case that its run may be cut: a few steps are run in one piece and in two, and compared.

The steps go over a cut as the run will make them: at a time at which every input that changes has values, because
between two of them SWAN interpolates step by step, and a piece would begin that anew. Outputs are written at every
step, so that each is compared. What is not proven runs uncut.
"""

import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from dockyard_swan.case import Case, Compute, Written
from dockyard_swan.checks import forcing_times
from dockyard_swan.commands import read_commands
from dockyard_swan.cut import HOT_IN, HOT_OUT, Piece, cut_compute, piece_text, reason_against, step_words
from dockyard_swan.hotfile import difference
from dockyard_swan.join import append
from dockyard_swan.reading import read_case
from dockyard_swan.run import forget_work, lay_out, run_swan
from dockyard_swan.times import text_of
from dockyard_waves.program import Budget, Pack, TimeUpError

#: The steps before and behind the cut, where no input asks for more.
STEPS_BEFORE, STEPS_BEHIND = 3, 2


@dataclass(frozen=True)
class Proof:
    """What the proof says: whether the run may be cut, or why not, and the seconds that a step takes."""

    is_resumable: bool
    reason: str | None = None
    step_seconds: float | None = None


def allowed_cuts(case: Case, folder: Path) -> list[int]:
    """The times at which the run may be cut: steps at which each changing input has values."""
    index = cut_compute(case)
    if index is None:
        return []
    compute = case.computes[index]
    if compute.begin is None or compute.end is None or compute.step < 1:
        return []
    steps = range(compute.begin + int(compute.step), compute.end, int(compute.step))
    common = set(steps)
    for times in forcing_times(case, folder).values():
        common &= set(times)
    return sorted(common)


def prove(case: Case, folder: Path, pack: Pack, scratch: Path, most_seconds: float) -> Proof:
    """Prove, in at most so many processor seconds; raises what SWAN's own failures raise."""
    reason = reason_against(case)
    if reason is not None:
        return Proof(False, reason)
    index = cut_compute(case)
    cuts = allowed_cuts(case, folder)
    if index is None or not cuts:
        return Proof(False, _reason_without_cuts(case, folder))
    compute = case.computes[index]
    begin, cut, end = _window(compute, cuts)
    trial = _trial(case, index, begin, end)
    budget = Budget(most_seconds)
    try:
        started = time.monotonic()
        whole = _run(trial, folder, pack, scratch=scratch / "whole", bounds=[None, None], budget=budget)
        steps = round((end - begin) / compute.step)
        step_seconds = (time.monotonic() - started) / steps
        parts = _run(trial, folder, pack, scratch=scratch / "parts", bounds=[None, cut, None], budget=budget)
        reason = _compare(trial, whole, parts)
    except TimeUpError:
        reason = (
            f"The proof, {round((end - begin) / compute.step)} steps in one piece and in two, takes more"
            f" than {most_seconds:.0f} s of a processor."
        )
        return Proof(False, reason)
    finally:
        forget_work(scratch)
    return Proof(reason is None, reason, step_seconds)


def _reason_without_cuts(case: Case, folder: Path) -> str:
    changing = list(forcing_times(case, folder))
    if not changing or case.steps < STEPS_BEFORE:
        return "The run has too few steps to be cut."
    return (
        f"There is no step at which each input that changes has values ({', '.join(changing)}), and between two of"
        " them SWAN interpolates from step to step, which a piece would begin anew."
    )


def _window(compute: Compute, cuts: list[int]) -> tuple[int, int, int]:
    """Begin, cut and end of the steps that are run."""
    first, last, step = compute.begin or 0, compute.end or 0, int(compute.step)
    cut = next((each for each in cuts if each >= first + STEPS_BEFORE * step), cuts[-1])
    return max(first, cut - STEPS_BEFORE * step), cut, min(last, cut + STEPS_BEHIND * step)


def _trial(case: Case, index: int, begin: int, end: int) -> Case:
    """The case with these steps alone, with output at each of them."""
    lines = list(case.file.lines[: case.file.commands[-1].last_line])
    compute = case.computes[index]
    step = f"{int(compute.step)} SEC"
    for written in case.writes:
        if written.times is not None:
            at, last = written.times.at, written.times.last
            # The entries of OUTPUT may go on in a further line, of which nothing but its end is kept.
            tail = lines[last.line - 1][last.end :] if last.line == at.line else ""
            lines[at.line - 1] = f"{lines[at.line - 1][: at.start]}{text_of(begin)} {step}{tail}"
            for line in range(at.line, last.line):
                lines[line] = ""
    for command in case.file.commands:
        if command.keyword in {"COMP", "HOTF"} and command is not compute.command:
            for line in range(command.first_line - 1, command.last_line):
                lines[line] = ""
    for line in range(compute.command.first_line, compute.command.last_line):
        lines[line] = ""
    lines[compute.command.first_line - 1] = (
        f"COMPUTE NONSTATIONARY {text_of(begin)} {step_words(compute)} {text_of(end)}"
    )
    return read_case(read_commands(case.file.name, "\n".join(lines).encode("latin-1")))


def _run(
    trial: Case, folder: Path, pack: Pack, *, scratch: Path, bounds: list[int | None], budget: Budget
) -> Path:
    """Run the steps between these times, one piece after the other; answers the folder of joined files and state."""
    whole = scratch / "joined"
    state: Path | None = None

    for number, (begin, end) in enumerate(pairwise(bounds)):
        work = scratch / f"piece{number}"
        lay_out(folder, work, trial)
        if state is not None:
            state.rename(work / HOT_IN)
        run_swan(pack, trial, work, piece_text(trial, Piece(0, begin, end)), budget=budget)
        state = work / HOT_OUT
        for written in trial.writes:
            if (work / written.path).is_file():
                append(trial, written, work / written.path, whole / written.path)
    if state is not None:
        whole.mkdir(exist_ok=True)
        state.rename(whole / HOT_OUT)
    return whole


def _compare(trial: Case, whole: Path, parts: Path) -> str | None:
    """The first difference, in words; None where there is none."""
    cut = "Cut into two pieces the run is another one:"
    for written in trial.writes:
        one, other = whole / written.path, parts / written.path
        if not one.exists() and not other.exists():
            continue
        if one.exists() != other.exists():
            return f"{cut} {written.path} is written by one of the two alone."
        if one.read_bytes() != other.read_bytes():
            return f"{cut} {written.path} differs{_place(written, one, other)}."
    state = difference(whole / HOT_OUT, parts / HOT_OUT)
    return None if state is None else f"{cut} {state} of the hotfile at the end."


def _place(written: Written, one: Path, other: Path) -> str:
    if written.form == "matlab":
        return f" (fields {', '.join(written.quantities)[:60]})"
    pairs = zip(one.read_bytes().split(b"\n"), other.read_bytes().split(b"\n"), strict=False)
    line = next((number for number, (left, right) in enumerate(pairs, start=1) if left != right), None)
    return "" if line is None else f" in line {line}"
