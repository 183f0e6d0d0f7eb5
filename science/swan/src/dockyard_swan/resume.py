"""The run of a task in pieces, each of which ends with a kept checkpoint, from which a later attempt goes on.

A checkpoint is the state of SWAN, what the pieces so far have written, and a note that says where the run is and of
which command file it is. A note of another file, or a file that is not as the note says, is not believed: the run
begins again.
"""

import json
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from dockyard_session.canonical import sha256_file, write_json
from dockyard_session.tool import Reporter
from dockyard_swan.case import Case
from dockyard_swan.cut import HOT_IN, HOT_OUT, Piece, cut_compute, piece_text
from dockyard_swan.join import append
from dockyard_swan.results import check_sound
from dockyard_swan.run import Convergence, Reached, forget_work, lay_out, run_swan
from dockyard_swan.times import text_of
from dockyard_waves.program import Pack

NOTE, STATE, LOG = "checkpoint/run.json", "checkpoint/state.hot", "PRINT"
_PREFIX = "checkpoint/"
#: The first piece is short, so that a run that is lost early has something; each is twice as long as the one before.
_FIRST_SECONDS = 10.0


@dataclass
class Note:
    """Where the run is: the time up to which it is done, and the digests of the files that belong to it."""

    command_sha256: str
    time: int | None = None
    pieces: int = 0
    seconds: float = 0.0
    steps: int = 0
    convergence: Convergence = field(default_factory=Convergence)
    files: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """All that the run of a task needs; `cuts` are the times at which it may be cut, none for a run that is not."""

    case: Case
    root: Path
    pack: Pack
    out: Path
    folder: str
    scratch: Path
    cuts: list[int]
    command_sha256: str
    piece_seconds: float
    step_seconds: float | None


def taken_up(run: Run, inputs: Mapping[str, Path]) -> Note:
    """Where an earlier attempt has kept the run, with its files in their places; else a new note."""
    begun = Note(run.command_sha256)
    try:
        told = json.loads(inputs[_PREFIX + NOTE].read_bytes())
        note = Note(**{**told, "convergence": Convergence(**told["convergence"])})
        is_mine = note.command_sha256 == run.command_sha256 and note.time in run.cuts
        if not is_mine or any(
            sha256_file(inputs[_PREFIX + name]) != digest for name, digest in note.files.items()
        ):
            return begun
        for name in note.files:
            (run.out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(inputs[_PREFIX + name], run.out / name)
    except (KeyError, ValueError, TypeError, OSError):
        return begun
    return note


def run_pieces(run: Run, note: Note, reporter: Reporter) -> Note:
    """Run to the end from where the note says; raises what SWAN's failures raise."""
    index = cut_compute(run.case)
    compute = len(run.case.computes) - 1 if index is None else index
    while True:
        end = _next_cut(run, note)
        started = time.monotonic()
        work = run.scratch / f"piece{note.pieces}"
        done = _run_piece(run, note, Piece(compute, note.time, end), work, reporter)
        took = time.monotonic() - started
        note.seconds += took
        note.pieces += 1
        note.steps += _steps(run, note.time, end)
        note.convergence = _together(note.convergence, done)
        note.time = end
        _take(run, note, work)
        if end is None:
            return note
        _keep(run, note, work, reporter)
        _say(run, note, took)


def _next_cut(run: Run, note: Note) -> int | None:
    """The time up to which the next piece runs; None for the end of the run."""
    begin = _begin(run) if note.time is None else note.time
    step = run.case.computes[-1].step
    later = [cut for cut in run.cuts if cut > begin]
    if not later or step <= 0:
        return None
    each = note.seconds / note.steps if note.steps else (run.step_seconds or 1.0)
    wanted = min(run.piece_seconds, _FIRST_SECONDS * 2**note.pieces)
    last = begin + wanted / max(each, 1e-6) * step
    end = run.case.computes[-1].end or 0
    # A last piece that would be shorter than half of a whole one is done with the one before.
    if end <= last + 0.5 * (last - begin) and (end - begin) / step * each <= run.piece_seconds:
        return None
    fitting = [cut for cut in later if cut <= last]
    return fitting[-1] if fitting else later[0]


def _begin(run: Run) -> int:
    return run.case.computes[-1].begin or 0


def _steps(run: Run, begin: int | None, end: int | None) -> int:
    compute = run.case.computes[-1]
    if compute.step <= 0 or compute.end is None:
        return 1
    return round(
        ((compute.end if end is None else end) - (_begin(run) if begin is None else begin)) / compute.step
    )


def _run_piece(run: Run, note: Note, piece: Piece, work: Path, reporter: Reporter) -> Convergence:
    forget_work(work)
    lay_out(run.root, work, [written.path for written in run.case.writes])
    if note.time is not None:
        (run.out / STATE).rename(work / HOT_IN)
    begin, end = _begin(run), run.case.computes[-1].end

    def follow(reached: Reached) -> bool:
        if reached.time is not None and end is not None and end > begin:
            reporter.progress(100 * max(0, reached.time - begin) / (end - begin))
        elif reached.time is None:
            reporter.progress(min(99, 2 * reached.iteration))
        return True

    done = run_swan(run.pack, run.case, work, piece_text(run.case, piece), follow)
    check_sound(run.case, work, note.time)
    return done.convergence


def _take(run: Run, note: Note, work: Path) -> None:
    """Join what the piece wrote to what is there."""
    for written in run.case.writes:
        part = work / written.path
        if part.is_file() and not part.is_symlink():
            append(written, part, run.out / run.folder / written.path)
    log = run.out / run.folder / LOG
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as whole, (work / "PRINT").open("rb") as part_log:
        shutil.copyfileobj(part_log, whole)
    if note.time is None:
        forget_work(work)


def _keep(run: Run, note: Note, work: Path, reporter: Reporter) -> None:
    """Ask for the checkpoint to be kept; a run whose checkpoint is not kept goes on all the same."""
    state = run.out / STATE
    state.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(work / HOT_OUT, state)
    forget_work(work)
    names = [STATE, *files_of(run)]
    note.files = {name: sha256_file(run.out / name) for name in names}
    write_json(run.out / NOTE, asdict(note))
    reporter.keep([NOTE, *names])


def files_of(run: Run) -> list[str]:
    """The files that the run has written so far, below the outputs, with the log."""
    names = [f"{run.folder}{written.path}" for written in run.case.writes]
    return [name for name in dict.fromkeys([*names, f"{run.folder}{LOG}"]) if (run.out / name).is_file()]


def _together(before: Convergence, after: Convergence) -> Convergence:
    return Convergence(
        after.accurate,
        after.required,
        before.steps + after.steps,
        before.steps_short + after.steps_short,
    )


def _say(run: Run, note: Note, took: float) -> None:
    """A line for the live log."""
    step = run.case.computes[-1].step
    hours = note.steps * step / 3600
    rate = hours / note.seconds * 60 if note.seconds > 0 else 0
    line = f"SWAN: {hours:.2f} h simulated, up to {text_of(note.time or 0)}, kept; {rate:.1f} h a minute, {took:.1f} s"
    print(line, flush=True)  # noqa: T201 - standard output is the log of the task
