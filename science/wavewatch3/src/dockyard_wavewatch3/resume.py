"""The pieces of a run of WAVEWATCH III: each is a run of ww3_shel from the restart file of the one before."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from dockyard_session.errors import ScienceError
from dockyard_session.tool import Reporter
from dockyard_waves.pieces import Note, Span
from dockyard_waves.program import Pack
from dockyard_wavewatch3.case import Case
from dockyard_wavewatch3.cut import EVEN, JOINED, Piece, piece_text
from dockyard_wavewatch3.records import append
from dockyard_wavewatch3.run import forget_work, is_written, lay_out, run_step, steps_of
from dockyard_wavewatch3.times import text_of

STATE, LOG = "checkpoint/restart.ww3", "log.ww3"
START = "restart.ww3"
_RESTART = re.compile(r"^restart(\d{3})\.ww3$")


@dataclass(frozen=True)
class Run:
    """All that the run of a task needs; `made` is the folder of the case with what came of its preparation."""

    case: Case
    made: Path
    pack: Pack
    out: Path
    folder: str
    scratch: Path
    span: Span
    case_sha256: str
    name: str = "WAVEWATCH III"

    def run_piece(self, note: Note, end: int | None, reporter: Reporter) -> int | None:
        """Run from the note's time to the end, and join; answers the time that was reached, None for the end.

        A piece that comes to its cut after an odd number of steps is forgotten: the run then goes on to its end in one.
        """
        work = self.scratch / f"piece{note.pieces}"
        self._run(Piece(note.time, end), work, reporter)
        if end is not None and (steps_of(work) or 1) % EVEN:
            end = None
            self._run(Piece(note.time, None), work, reporter)
        self._take(note, work, end)
        forget_work(work)
        return end

    def _run(self, piece: Piece, work: Path, reporter: Reporter) -> None:
        forget_work(work)
        lay_out(self.made, work, leave_out=is_written)
        if piece.begin is not None:
            (work / START).unlink(missing_ok=True)
            shutil.copyfile(self.out / STATE, work / START)
        step = self.case.shell_step
        (work / step.file).unlink()
        (work / step.file).write_text(piece_text(self.case.shell, piece), encoding="latin-1")
        begin, end = self.span.begin, self.span.end or self.span.begin + 1

        def follow(time: int) -> bool:
            reporter.progress(min(99.0, 100 * max(0, time - begin) / (end - begin)))
            return True

        run_step(self.pack, step, work, follow)

    def _take(self, note: Note, work: Path, end: int | None) -> None:
        """Add what the piece wrote to what is there, and leave its state."""
        own = self.out / self.folder
        own.mkdir(parents=True, exist_ok=True)
        written: list[str] = []
        for path in sorted(work.iterdir()):
            if path.name in JOINED:
                append(path, own / path.name, JOINED[path.name])
            elif path.name == LOG:
                with (own / LOG).open("ab") as whole, path.open("rb") as part:
                    shutil.copyfileobj(part, whole)
            elif _RESTART.match(path.name):
                written.append(path.name)
            elif is_written(path.name):
                # Nothing of this kind is joined, so such a run has one piece.
                shutil.move(path, own / path.name)
        if end is not None:
            if not written:
                raise ScienceError("ENGINE_CRASHED", f"ww3_shel wrote no restart file at {text_of(end)}.")
            (self.out / STATE).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(work / written[-1], self.out / STATE)
        if self.case.shell.active("RESTART"):
            before = note.found.get("restarts", 0)
            for number, name in enumerate(written, start=before + 1):
                shutil.move(work / name, own / f"restart{number:03d}.ww3")
            note.found["restarts"] = before + len(written)

    def state_files(self) -> list[str]:
        """The restart file."""
        return [STATE]

    def result_files(self) -> list[str]:
        """What ww3_shel has written so far."""
        own = self.out / self.folder
        return [f"{self.folder}{path.name}" for path in sorted(own.iterdir()) if is_written(path.name)]

    def told(self, time: int) -> str:
        """A time as WAVEWATCH III writes it."""
        return text_of(time)
