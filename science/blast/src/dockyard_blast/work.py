"""What a request says of a search, and where and with what the programs of a task or step run."""

from dataclasses import dataclass
from pathlib import Path

from dockyard_blast.programs import Deadline, Pack
from dockyard_session.tool import Progress


@dataclass(frozen=True)
class Settings:
    """What a request says of a search."""

    program: str
    task: str
    evalue: float | None
    max_hits: int
    threads: int
    max_output_bytes: int

    def arguments(self) -> list[str]:
        """The arguments that searches and reports share."""
        evalue = [] if self.evalue is None else ["-evalue", f"{self.evalue!r}"]
        return ["-task", self.task, *evalue, "-max_target_seqs", str(self.max_hits)]


@dataclass(frozen=True)
class Work:
    """Where and with what a task or step is done."""

    pack: Pack
    folder: Path
    deadline: Deadline
    progress: Progress
