"""Proves for a case that a run in two pieces is the run in one: steps with output at each, across a change of input."""

import re
import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path

from dockyard_session.errors import ScienceError
from dockyard_waves.program import Budget, Pack, TimeUpError
from dockyard_wavewatch3.case import Case
from dockyard_wavewatch3.cut import EVEN, JOINED, Piece, allowed_cuts, piece_outputs, reason_against
from dockyard_wavewatch3.forcing import forcing_times
from dockyard_wavewatch3.records import append, difference
from dockyard_wavewatch3.resume import START
from dockyard_wavewatch3.run import forget_work, is_written, lay_out, run_step
from dockyard_wavewatch3.shell import Kind, Schedule, Shell

#: The steps before and behind the cut; behind it an odd number, so that an order that begins anew shows.
STEPS_BEFORE, STEPS_BEHIND = 4, 3
#: The steps from the begin of the run up to the first change of an input that the proof runs in any case.
_NEAR_STEPS = 24
#: The most steps that the proof runs for a change of an input.
_MOST_STEPS = 200
#: A point of output that ww3_shel leaves out: its place and its name.
_NUMBER = r"(-?\d*\.\d+(?:E[-+]\d+)?)"
_SKIPPED = re.compile(rf"OUTPUT POINT (OUT OF GRID|ON LAND) : *{_NUMBER} *{_NUMBER} +(.*)")
#: The longest time of what makes texts or NetCDF of some steps, in processor seconds: with a stride of 0 it never ends.
OUTPUT_SECONDS = 60.0
#: The tracks of a run that is not cut.
TRACKS = "track_o.ww3"
#: What ww3_shel has printed.
SAID = "said.txt"
_RESTARTS = "restart[0-9][0-9][0-9].ww3"


@dataclass(frozen=True)
class Proof:
    """What the proof says: whether the run may be cut, or why not, and the seconds that a step takes."""

    is_resumable: bool
    reason: str | None = None
    step_seconds: float | None = None
    #: Sentences about the points of output that ww3_shel leaves out.
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Made:
    """A case with the folder in which its grid and inputs were made, and its global time step."""

    case: Case
    folder: Path
    step: float | None


def prove(
    made: Made, pack: Pack, scratch: Path, most_seconds: float, *, steps_before: int | None = None
) -> Proof:
    """Prove, in at most so many processor seconds; raises what the program's own failures raise.

    `steps_before` are the steps before the cut, for those who want to see an odd number of them.
    """
    shell, step = made.case.shell, made.step
    reason = reason_against(shell, step)
    if reason is None and step is not None and not allowed_cuts(shell, step):
        reason = "The run has too few steps, or too few restart files of its own, to be cut."
    if reason is not None or step is None:
        return _tried(made, pack, scratch, most_seconds, reason)
    begin, cut = proof_window(made, int(step))
    if steps_before is not None:
        begin, cut = shell.begin, shell.begin + steps_before * int(step)
    end = min(shell.end, cut + STEPS_BEHIND * int(step))
    trial = _each_step(replace(shell, begin=begin, end=end), step)
    budget = Budget(most_seconds)
    try:
        started = time.monotonic()
        whole = _run(_Trial(made, trial, pack, scratch / "whole", budget), [Piece(None, None)])
        step_seconds = (time.monotonic() - started) / max(1, round((end - begin) / step))
        left_out = _read_outputs(made, pack, whole)
        pieces = [Piece(None, cut), Piece(cut, None)]
        parts = _run(_Trial(made, trial, pack, scratch / "parts", budget), pieces)
        reason = _compare(whole, parts)
    except TimeUpError:
        steps = round((end - begin) / step)
        return Proof(
            False,
            f"The proof, {steps} steps in one piece and in two, takes more than {most_seconds:.0f} s of a processor.",
        )
    finally:
        forget_work(scratch)
    return Proof(reason is None, reason, step_seconds, left_out)


def _tried(made: Made, pack: Pack, scratch: Path, most_seconds: float, reason: str | None) -> Proof:
    """Run the first step of a case that cannot be cut, so that what is wrong with its files is found before its run."""
    shell, step = made.case.shell, made.step or 1.0
    end = min(shell.end, shell.begin + max(1, round(step)))
    trial = _each_step(replace(shell, end=end), max(1.0, step))
    budget = Budget(most_seconds)
    try:
        started = time.monotonic()
        whole = _run(_Trial(made, trial, pack, scratch / "first", budget), [Piece(None, None)])
        step_seconds = time.monotonic() - started
        left_out = _read_outputs(made, pack, whole)
    except TimeUpError:
        return Proof(False, reason)
    finally:
        forget_work(scratch)
    return Proof(False, reason, step_seconds if made.step else None, left_out)


def _read_outputs(made: Made, pack: Pack, whole: Path) -> tuple[str, ...]:
    """Run what makes texts of the files, so that what is wrong with its input is found before the run.

    Answers a sentence about each point of output that the run has left out.
    """
    after = whole.parent / "after"
    lay_out(made.folder, after, leave_out=is_written)
    for path in whole.iterdir():
        (after / path.name).unlink(missing_ok=True)
        (after / path.name).symlink_to(path)
    left_out = _left_out(made, (whole.parent / SAID).read_text(encoding="latin-1"))
    for step in made.case.after:
        try:
            run_step(pack, step, after, budget=Budget(OUTPUT_SECONDS))
        except TimeUpError as error:
            raise ScienceError(
                "CASE_INVALID",
                f"{step.file}: {step.program} comes to no end on the first steps of the run, in {OUTPUT_SECONDS:.0f} s"
                " of a processor: look at its first time and the seconds between two, which may not be 0.",
            ) from error
        except ScienceError as error:
            if not left_out:
                raise
            raise ScienceError(error.code, f"{left_out[0]} {error.message}") from error
    return left_out


def _left_out(made: Made, printed: str) -> tuple[str, ...]:
    name = made.case.shell_step.file
    return tuple(
        f"{name}: the point '{found[4].strip()}' at {found[2]} {found[3]} lies"
        f" {'outside of the grid' if 'GRID' in found[1] else 'on land'}, and ww3_shel leaves it out."
        for found in _SKIPPED.finditer(printed)
    )


def proof_window(made: Made, step: int) -> tuple[int, int]:
    """Begin and cut of the steps that are run: behind the first change of each input that comes within reach.

    Where the first change of an input is far, the steps begin near it, with the state with which the run begins: those
    that ww3_strt makes hold at any time. A state of an earlier run holds at its own time alone, so there only changes
    near the begin of the run are within reach.
    """
    shell, reach, is_hot = made.case.shell, _MOST_STEPS * step, _starts_hot(made)
    begin, end = shell.begin, shell.end - 2 * step
    inputs = [list(shell.changes), *forcing_times(made.folder)]
    later = [found for times in inputs if (found := [time for time in times if begin < time < end])]
    firsts = [times[0] for times in later if not is_hot or times[0] <= begin + reach]
    target = max(firsts, default=begin)
    if target > begin + _NEAR_STEPS * step and not is_hot:
        # Each other input has its last change before the target in the steps, too, where that is near.
        last = [max(time for time in times if time <= target) for times in later]
        first = min(time for time in last if time >= target - reach)
        begin += max(0, (first - begin) // step - 1) * step
    least = max(STEPS_BEFORE, (target - begin) // step + 1)
    most = (shell.end - begin) // step - 1
    before = min(least + least % EVEN, most - most % EVEN)
    return begin, begin + max(EVEN, before) * step


def _starts_hot(made: Made) -> bool:
    return (made.folder / START).is_file() and all(step.program != "ww3_strt" for step in made.case.before)


def _each_step(shell: Shell, step: float) -> Shell:
    """The run with output at each step, of the kinds that it has."""
    kinds: tuple[Kind, ...] = ("FIELD", "POINT", "TRACK")
    each = Schedule(shell.begin, int(step), shell.end)
    return replace(shell, outputs={kind: each for kind in kinds if shell.active(kind)})


@dataclass(frozen=True)
class _Trial:
    made: Made
    shell: Shell
    pack: Pack
    scratch: Path
    budget: Budget


def _run(trial: _Trial, pieces: list[Piece]) -> Path:
    """Run these pieces one after the other; answers the folder of the joined files and the state at the end."""
    case, shell = trial.made.case, trial.shell
    whole = trial.scratch / "joined"
    whole.mkdir(parents=True)
    state: Path | None = None
    for number, piece in enumerate(pieces):
        work = trial.scratch / f"piece{number}"
        lay_out(trial.made.folder, work, leave_out=is_written)
        if state is not None:
            state.rename(work / START)
        end = shell.end if piece.end is None else piece.end
        outputs = {**piece_outputs(shell, piece), "RESTART": Schedule(end, 1, end)}
        (work / case.shell_step.file).unlink()
        text = shell.edited(shell.begin if piece.begin is None else piece.begin, end, outputs)
        (work / case.shell_step.file).write_text(text, encoding="latin-1")
        ran = run_step(trial.pack, case.shell_step, work, budget=trial.budget)
        (trial.scratch / SAID).write_text(ran.printed, encoding="latin-1")
        state = max((path for path in work.glob(_RESTARTS) if not path.is_symlink()), default=None)
        if state is None:
            raise ScienceError("ENGINE_CRASHED", "ww3_shel wrote no restart file.")
        for name, head in JOINED.items():
            if (work / name).is_file():
                append(work / name, whole / name, head)
        if (work / TRACKS).is_file():
            shutil.move(work / TRACKS, whole / TRACKS)
    if state is not None:
        state.rename(whole / START)
    return whole


def _compare(whole: Path, parts: Path) -> str | None:
    """The first difference, in words; None where there is none."""
    for name in (*JOINED, START):
        one, other = whole / name, parts / name
        if not one.exists() and not other.exists():
            continue
        told = "the restart file at the end" if name == START else name
        if one.exists() != other.exists():
            return f"Cut into two pieces the run is another one: {told} is written by one of the two alone."
        found = difference(one, other)
        if found is not None:
            return f"Cut into two pieces the run is another one: {told}: {found}."
    return None
