"""The preparation: each case is read and checked, its grid and inputs are made, and its cuts are proven.

What ww3_grid, ww3_strt and ww3_prep write goes into one archive, so that no task makes it again: the tables of some
physics take longer than a run.
"""

import re
import shutil
import tarfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dockyard_session.canonical import sha256_file, sha256_hex
from dockyard_session.errors import ScienceError
from dockyard_waves.program import Pack
from dockyard_wavewatch3.case import Case
from dockyard_wavewatch3.prove import Made, Proof, prove
from dockyard_wavewatch3.run import lay_out, run_step

#: The longest time of all proofs of a job, in seconds, and of what was estimated where that is more.
PROOF_SECONDS, PROOF_SHARE = 60.0, 0.02
#: The archive of what was made, by tasks.
MADE = "prepared.tar"

_STEP = re.compile(r"Maximum global time step +\(s\) *: *([\d.]+)", re.I)
_POINTS = re.compile(r"Dimensions *: *(\d+) +(\d+)")
_SPECTRUM = re.compile(r"Number of (?:directions|frequencies) *: *(\d+)", re.I)
#: Tables that a build computes once: the same for all cases with the same physics, and kept by their digest.
_TABLES = re.compile(r"^ST4TABU.*\.bin$")


@dataclass(frozen=True)
class Grid:
    """What ww3_grid tells of the grid; None for what it does not tell."""

    step: float | None
    points: int | None
    spectrum: int | None

    @property
    def numbers(self) -> int | None:
        """How many numbers the spectra of all points are."""
        return None if self.points is None or self.spectrum is None else self.points * self.spectrum


@dataclass(frozen=True)
class Bounds:
    """How many numbers the spectra of a case may be, and the seconds that a step takes for one of them."""

    most_numbers: int
    seconds_per_number: float


def prepare(
    cases: list[Case], bounds: Bounds, pack: Pack, scratch: Path, progress: Callable[[float], None]
) -> tuple[list[dict[str, Any]], list[Path]]:
    """Make and prove all cases; answers what the plan says of each, and the folders with what was made."""
    left = PROOF_SECONDS
    plans, folders = [], []
    tables: dict[str, Path] = {}
    for index, case in enumerate(cases):
        made = scratch / f"made{index}"
        try:
            grid = make(case, made, tables, pack)
            _check_size(grid, bounds)
            guess = _guessed(case, grid, bounds)
            started = time.monotonic()
            most = max(left, PROOF_SHARE * guess)
            proof = (
                prove(Made(case, made, grid.step), pack, scratch / f"proof{index}", most)
                if left > 0
                else Proof(
                    False, "The proofs of the cases before have taken all the time that proofs may take."
                )
            )
            left = max(0.0, left - (time.monotonic() - started))
        except ScienceError as error:
            where = f"Case {index}: " if len(cases) > 1 else ""
            raise ScienceError(error.code, where + error.message) from error
        plans.append(_plan_of(case, grid, proof, guess))
        folders.append(made)
        progress(100 * (index + 1) / len(cases))
    return plans, folders


def make(case: Case, made: Path, tables: dict[str, Path], pack: Pack) -> Grid:
    """Run what comes before the run, in a folder of its own; tables of an earlier case serve where they fit."""
    lay_out(case.root, made)
    for name, table in tables.items():
        if not (made / name).exists():
            shutil.copyfile(table, made / name)
    grid = Grid(None, None, None)
    for step in case.before:
        ran = run_step(pack, step, made)
        if step.program == "ww3_grid":
            grid = _grid_of(ran.printed)
    for path in made.iterdir():
        if _TABLES.match(path.name) and not path.is_symlink():
            tables.setdefault(path.name, path)
    return grid


def pack_made(folders: list[Path], archive: Path) -> None:
    """Write what was made into one archive: the files that are no links to those of the case."""
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as tar:
        for index, folder in enumerate(folders):
            for path in sorted(folder.rglob("*")):
                if path.is_file() and not path.is_symlink():
                    info = tarfile.TarInfo(f"{index}/{path.relative_to(folder).as_posix()}")
                    info.size = path.stat().st_size
                    with path.open("rb") as content:
                        tar.addfile(info, content)


def unpack_made(archive: Path, index: int, case: Case, made: Path) -> None:
    """Lay out a case with what was made for it."""
    lay_out(case.root, made)
    with tarfile.open(archive) as tar:
        for info in tar:
            number, _, name = info.name.partition("/")
            content = tar.extractfile(info) if info.isreg() and number == str(index) else None
            if content is None:
                continue
            target = made / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            with target.open("wb") as file:
                shutil.copyfileobj(content, file)


def case_sha256(made: Path) -> str:
    """The digest of all that the run reads."""
    told = [
        f"{path.relative_to(made)} {sha256_file(path)}" for path in sorted(made.rglob("*")) if path.is_file()
    ]
    return sha256_hex("\n".join(told).encode())


def _grid_of(printed: str) -> Grid:
    step, points = _STEP.search(printed), _POINTS.search(printed)
    spectrum = _SPECTRUM.findall(printed)
    return Grid(
        None if step is None else float(step[1]),
        None if points is None else int(points[1]) * int(points[2]),
        int(spectrum[0]) * int(spectrum[1]) if len(spectrum) >= 2 else None,
    )


def _check_size(grid: Grid, bounds: Bounds) -> None:
    if grid.numbers is None or grid.numbers <= bounds.most_numbers:
        return
    raise ScienceError(
        "CASE_INVALID",
        f"The spectra of all points are {grid.numbers} numbers (points x directions x frequencies), and the job has"
        f" memory for {bounds.most_numbers}. Tell the size in parameters.grid, as in 360x180x36x32.",
    )


def _guessed(case: Case, grid: Grid, bounds: Bounds) -> float:
    return (grid.numbers or 2_000_000) * _steps(case, grid) * bounds.seconds_per_number


def _steps(case: Case, grid: Grid) -> int:
    return max(1, round((case.shell.end - case.shell.begin) / (grid.step or 3600)))


def _plan_of(case: Case, grid: Grid, proof: Proof, guess: float) -> dict[str, Any]:
    steps = _steps(case, grid)
    measured = None if proof.step_seconds is None else proof.step_seconds * steps
    return {
        "folder": case.root.name,
        "points": grid.points,
        "spectrum": grid.spectrum,
        "steps": steps,
        "stepSeconds": grid.step,
        "resumable": proof.is_resumable,
        "reason": proof.reason,
        "secondsPerStep": proof.step_seconds,
        "estimatedSeconds": round(guess if measured is None else measured, 1),
    }
