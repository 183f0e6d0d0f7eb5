"""The pieces of a run of SWAN: each is a run from the hotfile of the one before, and its files are joined to theirs."""

import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from dockyard_session.tool import Reporter
from dockyard_swan.case import Case
from dockyard_swan.cut import HOT_IN, HOT_OUT, Piece, cut_compute, piece_text
from dockyard_swan.join import append
from dockyard_swan.results import check_end, check_sound
from dockyard_swan.run import Convergence, Reached, forget_work, is_made, lay_out, run_swan
from dockyard_swan.times import text_of
from dockyard_waves.pieces import Note, Span
from dockyard_waves.program import Pack

STATE, LOG = "checkpoint/state.hot", "PRINT"


@dataclass(frozen=True)
class Run:
    """All that the run of a task needs."""

    case: Case
    root: Path
    pack: Pack
    out: Path
    folder: str
    scratch: Path
    span: Span
    case_sha256: str
    name: str = "SWAN"

    def run_piece(self, note: Note, end: int | None, reporter: Reporter) -> int | None:
        """Run from the note's time to the end, and join; raises what SWAN's failures raise."""
        work = self.scratch / f"piece{note.pieces}"
        index = cut_compute(self.case)
        piece = Piece(len(self.case.computes) - 1 if index is None else index, note.time, end)
        done = self._run(piece, work, reporter)
        check_end(self.case, work, self.span.end if end is None else end)
        note.found = asdict(_together(convergence_of(note), done))
        for written in self.case.writes:
            part = work / written.path
            if is_made(part):
                append(self.case, written, part, self.out / self.folder / written.path)
        log = self.out / self.folder / LOG
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as whole, (work / "PRINT").open("rb") as part_log:
            shutil.copyfileobj(part_log, whole)
        if end is not None:
            state = self.out / STATE
            state.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(work / HOT_OUT, state)
        forget_work(work)
        return end

    def _run(self, piece: Piece, work: Path, reporter: Reporter) -> Convergence:
        forget_work(work)
        lay_out(self.root, work, self.case, is_begun=piece.begin is not None)
        if piece.begin is not None:
            (self.out / STATE).rename(work / HOT_IN)
        begin, end = self.span.begin, self.span.end

        def follow(reached: Reached) -> bool:
            if reached.time is not None and end is not None and end > begin:
                reporter.progress(100 * max(0, reached.time - begin) / (end - begin))
            elif reached.time is None:
                reporter.progress(min(99, 2 * reached.iteration))
            return True

        done = run_swan(self.pack, self.case, work, piece_text(self.case, piece), follow)
        check_sound(self.case, work, piece.begin)
        return done.convergence

    def state_files(self) -> list[str]:
        """The hotfile."""
        return [STATE]

    def result_files(self) -> list[str]:
        """The files that the case has written so far, and the log."""
        names = [f"{self.folder}{written.path}" for written in self.case.writes]
        return [
            name for name in dict.fromkeys([*names, f"{self.folder}{LOG}"]) if (self.out / name).is_file()
        ]

    def told(self, time: int) -> str:
        """A time as SWAN writes it."""
        return text_of(time)


def convergence_of(note: Note) -> Convergence:
    """How the iterations of the pieces so far ended."""
    return Convergence(**note.found)


def _together(before: Convergence, after: Convergence) -> Convergence:
    return Convergence(
        after.accurate,
        after.required,
        before.steps + after.steps,
        before.steps_short + after.steps_short,
    )
