"""The run of a task in pieces, each of which ends with a kept checkpoint, from which a later attempt goes on.

A checkpoint is the state of the model, what the pieces so far have written, and a note that says where the run is
and of which case it is. A note of another case, or a file that is not as the note says, is not believed: the run begins
again.
"""

import json
import math
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from dockyard_session.canonical import sha256_file, write_json
from dockyard_session.tool import Reporter

NOTE = "checkpoint/run.json"
_PREFIX = "checkpoint/"
#: The first piece is short, so that a run that is lost early has something; each is twice as long as the one before.
_FIRST_SECONDS = 10.0
#: The part of its time that a run may take to keep its pieces, where that takes more than a moment, and the longest
#: piece that this may ask for.
_KEEPING_PART, _QUICK_SECONDS, _LONGEST_SECONDS = 0.03, 1.0, 600.0
#: A piece is planned for so much of what is left of the leg, because steps may take longer than those before; one that
#: ends with a checkpoint, though, for so much of what is done at least, so that the end of a leg is not cut to crumbs.
_LEG_PART, _LEAST_PART = 0.9, 0.2


@dataclass
class Note:
    """Where the run is: the time up to which it is done, what the model found, and the digests of its files."""

    case_sha256: str
    time: int | None = None
    pieces: int = 0
    seconds: float = 0.0
    steps: int = 0
    found: dict[str, Any] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Span:
    """The simulated time of a run, in seconds; `cuts` are the times at which it may be cut, if any."""

    begin: int
    end: int | None
    step: float
    cuts: list[int]
    #: The longest piece, and what a step is expected to take, both in seconds of the run.
    piece_seconds: float
    step_seconds: float | None
    #: The moment of `time.monotonic` at which the leg of the task ends; None for a leg without an end.
    leg_until: float | None = None

    def steps(self, begin: int | None, end: int | None) -> int:
        """The steps between two times; None is the begin or the end of the run."""
        last = self.end if end is None else end
        if self.step <= 0 or last is None:
            return 1
        return round((last - (self.begin if begin is None else begin)) / self.step)


class Pieced(Protocol):
    """A model whose run is done in pieces; `out` is the folder of the outputs of its task."""

    @property
    def name(self) -> str:
        """The name of the model, for the log."""

    @property
    def out(self) -> Path:
        """The folder of the outputs."""

    @property
    def span(self) -> Span:
        """The simulated time of the run."""

    @property
    def case_sha256(self) -> str:
        """The digest of what makes the case."""

    def run_piece(self, note: Note, end: int | None, reporter: Reporter) -> int | None:
        """Run from the note's time to the end, and join what was written to what is there.

        Answers the time that was reached, None for the end of the run. The state at a cut is left in the files of
        `state_files`.
        """

    def state_files(self) -> list[str]:
        """The files below `out` with the state from which the next piece goes on."""

    def result_files(self) -> list[str]:
        """The files below `out` that the run has written so far."""

    def told(self, time: int) -> str:
        """A simulated time in words."""


def taken_up(model: Pieced, inputs: Mapping[str, Path]) -> Note:
    """Where an earlier attempt has kept the run, with its files in their places; else a new note."""
    begun = Note(model.case_sha256)
    try:
        note = Note(**json.loads(inputs[_PREFIX + NOTE].read_bytes()))
        is_mine = note.case_sha256 == model.case_sha256 and note.time in model.span.cuts
        if not is_mine or any(
            sha256_file(inputs[_PREFIX + name]) != digest for name, digest in note.files.items()
        ):
            return begun
        for name in note.files:
            (model.out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(inputs[_PREFIX + name], model.out / name)
    except (KeyError, ValueError, TypeError, OSError):
        return begun
    return note


def run_pieces(model: Pieced, note: Note, reporter: Reporter) -> Note:
    """Run to the end from where the note says; raises what the model's failures raise."""
    keeping = 0.0
    reporter.working()
    while True:
        started = time.monotonic()
        end = model.run_piece(note, next_cut(model.span, note, keeping), reporter)
        ended = time.monotonic()
        took = ended - started
        note.seconds += took
        note.pieces += 1
        note.steps += model.span.steps(note.time, end)
        note.time = end
        if end is None:
            return note
        _keep(model, note, reporter)
        keeping = time.monotonic() - ended
        _say(model, note, took)


def next_cut(span: Span, note: Note, keeping: float = 0.0) -> int | None:
    """The time up to which the next piece runs; None for the end of the run.

    `keeping` are the seconds that the last checkpoint took. A large one makes pieces longer.
    """
    begin = span.begin if note.time is None else note.time
    later = [cut for cut in span.cuts if cut > begin]
    if not later or span.step <= 0:
        return None
    each = note.seconds / note.steps if note.steps else (span.step_seconds or 1.0)
    left = math.inf if span.leg_until is None else _LEG_PART * (span.leg_until - time.monotonic())
    worth = 0.0 if keeping < _QUICK_SECONDS else min(_LONGEST_SECONDS, keeping / _KEEPING_PART)
    longest = max(span.piece_seconds, worth)
    grown = max(_FIRST_SECONDS * 2**note.pieces, worth)
    wanted = min(longest, grown, max(left, _LEAST_PART * note.seconds))
    last = begin + wanted / max(each, 1e-6) * span.step
    end = span.end or 0
    # A last piece that would be shorter than half of a whole one is done with the one before. What is done behind the
    # end of a leg is paid once it is kept and covered, so the end of the run comes before it.
    takes = (end - begin) / span.step * each
    if end <= last + 0.5 * (last - begin) and takes <= min(longest, left):
        return None
    fitting = [cut for cut in later if cut <= last]
    return fitting[-1] if fitting else later[0]


def _keep(model: Pieced, note: Note, reporter: Reporter) -> None:
    """Ask for the checkpoint to be kept; a run whose checkpoint is not kept goes on all the same."""
    names = [*model.state_files(), *model.result_files()]
    note.files = {name: sha256_file(model.out / name) for name in names}
    write_json(model.out / NOTE, asdict(note))
    reporter.keep([NOTE, *names])


def _say(model: Pieced, note: Note, took: float) -> None:
    """A line for the live log."""
    hours = note.steps * model.span.step / 3600
    rate = hours / note.seconds * 60 if note.seconds > 0 else 0
    where = model.told(note.time or 0)
    line = f"{model.name}: {hours:.2f} h simulated, up to {where}, kept; {rate:.1f} h a minute, {took:.1f} s"
    print(line, flush=True)  # noqa: T201 - standard output is the log of the task
