"""The preparation: each case is read and checked, its grid and inputs are made, and its cuts are proven.

What the programs before the run write goes into one archive (`made`), so that no task makes it again: the tables
of some physics take longer than a run.
"""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning
from dockyard_waves.program import Pack, children_seconds
from dockyard_waves.tool import told_warnings
from dockyard_wavewatch3.case import SHELL, Case, parameter_files
from dockyard_wavewatch3.forcing import check_forcing
from dockyard_wavewatch3.made import MadeArchive
from dockyard_wavewatch3.namelists import unused_parameters
from dockyard_wavewatch3.prove import Made, Proof, prove
from dockyard_wavewatch3.run import forget_work, is_written, lay_out, run_step, switches_of

#: The longest time of all proofs of a job, in processor seconds, and of what was estimated where that is more.
PROOF_SECONDS, PROOF_SHARE = 60.0, 0.02


_STEP = re.compile(r"Maximum global time step +\(s\) *: *([\d.]+)", re.I)
_POINTS = re.compile(r"Dimensions *: *(\d+) +(\d+)")
_SPECTRUM = re.compile(r"Number of (?:directions|frequencies) *: *(\d+)", re.I)
#: Tables that take longest: a program computes them anew where those that it finds are of other physics.
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


@dataclass(frozen=True)
class Workshop:
    """The programs, a folder for what is made, and the archive into which it goes."""

    pack: Pack
    scratch: Path
    archive: MadeArchive


def prepare(
    cases: list[Case], bounds: Bounds, shop: Workshop, progress: Callable[[float], None]
) -> list[dict[str, Any]]:
    """Make and prove all cases; answers what the plan says of each, and leaves what was made in the archive."""
    share = spent = 0.0
    plans = []
    tables = shop.scratch / "tables"
    tables.mkdir(parents=True)
    for index, case in enumerate(cases):
        made = shop.scratch / f"made{index}"
        try:
            grid = make(case, made, tables, shop.pack)
            _check_size(grid, bounds)
            check_forcing(case, made)
            guess = _guessed(case, grid, bounds)
            before = children_seconds()
            share += PROOF_SHARE * guess
            most = max(PROOF_SECONDS, share) - spent
            proof = (
                prove(Made(case, made, grid.step), shop.pack, shop.scratch / f"proof{index}", most)
                if most > 0
                else Proof(
                    False, "The proofs of the cases before have taken all the time that proofs may take."
                )
            )
            spent += children_seconds() - before
        except ScienceError as error:
            where = f"Case {index}: " if len(cases) > 1 else ""
            raise ScienceError(error.code, where + error.message) from error
        plans.append(_plan_of(case, grid, proof, guess) | {"warnings": _warnings(case, proof, shop.pack)})
        shop.archive.add(index, made)
        forget_work(made)
        progress(100 * (index + 1) / len(cases))
    return plans


def make(case: Case, made: Path, tables: Path, pack: Pack) -> Grid:
    """Run what comes before the run, in a folder of its own; tables of an earlier case serve where they fit."""
    # Programs write over what they find of their own, and into the file to which a link leads.
    lay_out(case.root, made, copy=lambda name: name.endswith(".ww3") and not is_written(name))
    for table in tables.iterdir():
        if not (made / table.name).exists():
            shutil.copyfile(table, made / table.name)
    grid = Grid(None, None, None)
    for step in case.before:
        ran = run_step(pack, step, made)
        if step.program == "ww3_grid":
            grid = _grid_of(ran.printed)
    for path in made.iterdir():
        if _TABLES.match(path.name) and not path.is_symlink() and not (tables / path.name).exists():
            shutil.copyfile(path, tables / path.name)
    return grid


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


def _warnings(case: Case, proof: Proof, pack: Pack) -> list[TaskWarning]:
    switches = switches_of(pack.programs[SHELL])
    unused = [
        told
        for name in ([] if switches is None else parameter_files(case))
        for told in unused_parameters(
            name, (case.root / name).read_text(encoding="latin-1").split("\n"), set((switches or "").split())
        )
    ]
    return told_warnings(
        [("NAMELIST_UNUSED", told) for told in unused] + [("POINT_LEFT_OUT", told) for told in proof.left_out]
    )


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
