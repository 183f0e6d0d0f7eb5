"""Docks ligands into one receptor and box with AutoDock Vina, in a process that stays warm.

The maps are computed once and never written: maps that are read back make Vina skip the refinement against the
receptor's atoms, with other scores. Every ligand gets the job's own seed and one thread; Vina starts its generator
anew for each, so a result does not depend on which ligands went before it, or where.
"""

import functools
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from vina import Vina

from dockyard_science.ccd import Ccd
from dockyard_science.dock_log import log_heading
from dockyard_science.docked_states import DockedStates, docked_states
from dockyard_science.interactions import interaction_records, open_finder
from dockyard_science.ligand import prepare_states, warm_up
from dockyard_science.ligand_request import (
    PREPARATION_SECONDS,
    PREPARING,
    SHAPING,
    LigandRequest,
    preparation_limits,
    quiet_step,
    request_of,
)
from dockyard_science.ligand_sources import ligand_identity, told_with_line
from dockyard_science.modes import VinaRun, merge_modes, state_exhaustiveness
from dockyard_science.pose_checks import PoseChecker, pose_summary, pose_warnings
from dockyard_science.poses import GRID_SPACING_ANGSTROM, DockedPoses, is_in_box, poses_sdf, read_poses
from dockyard_science.prepared_ligand import PreparedLigand, PreparedShapes, PreparedStates
from dockyard_science.provenance import provenance
from dockyard_science.result import Run, docking_outputs, pose_records, score_record, write_result
from dockyard_science.screen import Screen, part_line
from dockyard_science.second_opinion import SecondOpinion
from dockyard_science.side_chains import SideChains
from dockyard_science.spec import Box, LigandSpec, SessionSpec
from dockyard_session.canonical import sha256_file, sha256_hex
from dockyard_session.errors import ScienceError
from dockyard_session.isolation import EnterStage, Isolation, Watch, flush_output
from dockyard_session.tool import Progress, TaskResult
from dockyard_session.toolchain import Toolchain

#: Least RMSD between two modes in angstrom, Vina's own default.
MIN_RMSD_ANGSTROM = 1.0

_DOCKING, _WRITING = "docking", "writing the poses"
_SHAPING_PERCENT, _PREPARED_PERCENT, _DOCKED_PERCENT = 1.0, 3.0, 97.0
_STAGE_PERCENT = {SHAPING: _SHAPING_PERCENT, _DOCKING: _PREPARED_PERCENT, _WRITING: _DOCKED_PERCENT}


class DockingEngine:
    """Vina with its maps for one receptor and one box."""

    def __init__(
        self, spec: SessionSpec, receptor_pdbqt: Path, box: Box, side_chains: SideChains | None = None
    ) -> None:
        """Compute the maps; some seconds for an ordinary box. `side_chains` are those that the receptor is without."""
        self.spec = spec
        self.box = box
        self.side_chains = side_chains
        self.receptor_sha256 = sha256_file(receptor_pdbqt)
        warm_up()
        receptor = receptor_pdbqt.read_text(encoding="utf-8")
        self.checker = PoseChecker(receptor)
        self.interactions = open_finder(receptor, box, side_chains)
        self._function = spec.get("scoringFunction", "vina")
        # The other function knows the receptor as it stands, not the side chains that turn with a pose.
        self.second = None if side_chains is not None else SecondOpinion(self._function, receptor)
        self._vina = Vina(sf_name=self._function, cpu=1, seed=spec["seed"], verbosity=1)
        try:
            flexible = None if side_chains is None else str(side_chains.path)
            self._vina.set_receptor(str(receptor_pdbqt), flexible)
            self._vina.compute_vina_maps(
                center=box["centerAngstrom"], box_size=box["sizeAngstrom"], spacing=GRID_SPACING_ANGSTROM
            )
        except (RuntimeError, TypeError, ValueError) as error:
            raise ScienceError("ENGINE_CRASHED", f"Vina refuses the prepared receptor: {error}") from error
        # A proxy, so that dropping the engine frees its maps at once.
        self._isolation = Isolation(functools.partial(_work, weakref.proxy(self)))

    def run(self, task: "DockingTask", watch: Watch) -> dict[str, Any]:
        """Do a whole task in the engine's child process; returns its summary."""
        summary: dict[str, Any] = self._isolation.run(task, stage=PREPARING, watch=watch)
        return summary

    def close(self) -> None:
        """End the child process; the engine may be used again."""
        self._isolation.close()

    def __del__(self) -> None:
        # The constructor may have failed before there was anything to close.
        if hasattr(self, "_isolation"):
            self.close()

    def dock(self, ligand_pdbqt: str) -> DockedPoses:
        """Dock a prepared ligand here and now; leaves the engine with that ligand."""
        return self._one_shape(ligand_pdbqt, self.spec["exhaustiveness"])

    def dock_shapes(self, shapes: PreparedShapes) -> DockedPoses:
        """Dock every shape of a ligand by itself, and merge their modes."""
        return self._shapes(shapes, self.spec["exhaustiveness"])

    def dock_states(self, states: PreparedStates) -> DockedStates:
        """Dock every state of a ligand by itself, each in its shapes, and choose the best by score and cost."""
        exhaustiveness = self.exhaustiveness(states)
        docked: list[DockedPoses | ScienceError] = []
        for number, ligand in enumerate(states.each, 1):
            if len(states.each) > 1:
                self._tell("state", number, len(states.each), ligand.smiles_docked)
            try:
                docked.append(
                    self._one_shape(ligand.pdbqt, exhaustiveness)
                    if ligand.shapes is None
                    else self._shapes(ligand.shapes, exhaustiveness)
                )
            except ScienceError as error:
                # Another state may fit where this one does not.
                docked.append(error)
        return docked_states(states, docked)

    def exhaustiveness(self, states: PreparedStates) -> int:
        """How long each state is searched."""
        asked = self.spec["exhaustiveness"]
        return asked if len(states.each) == 1 else state_exhaustiveness(asked, len(states.each))

    def _one_shape(self, pdbqt: str, exhaustiveness: int) -> DockedPoses:
        return self._read(self._search(pdbqt, exhaustiveness), None)

    def _tell(self, what: str, number: int, count: int, more: str = "") -> None:
        flush_output()
        print(part_line(what, number, count, more), flush=True)  # noqa: T201 - the screen reads it

    def _shapes(self, shapes: PreparedShapes, exhaustiveness: int) -> DockedPoses:
        runs = []
        searches = zip(shapes.pdbqts, shapes.searches(exhaustiveness), strict=True)
        for number, (pdbqt, each) in enumerate(searches, 1):
            self._tell("shape", number, len(shapes.pdbqts))
            runs.append(self._search(pdbqt, each))
        merged = merge_modes(
            runs,
            most=self.spec["numModes"],
            energy_range=self.spec["energyRangeKcalMol"],
            min_rmsd=MIN_RMSD_ANGSTROM,
        )
        return self._read(merged.run, merged.shapes)

    def _search(self, ligand_pdbqt: str, exhaustiveness: int) -> VinaRun:
        try:
            self._vina.set_ligand_from_string(ligand_pdbqt)
        except (RuntimeError, TypeError, ValueError) as error:
            raise ScienceError("LIGAND_PARSE_FAILED", f"Vina refuses the ligand's PDBQT: {error}") from error
        modes, energy_range = self.spec["numModes"], self.spec["energyRangeKcalMol"]
        self._vina.dock(exhaustiveness=exhaustiveness, n_poses=modes, min_rmsd=MIN_RMSD_ANGSTROM)
        energies = np.asarray(self._vina.energies(modes, energy_range), dtype=float)
        if energies.size == 0:
            return VinaRun("", [])
        return VinaRun(self._vina.poses(modes, energy_range), energies.tolist())

    def _read(self, run: VinaRun, shapes: list[int] | None) -> DockedPoses:
        if not run.energies:
            raise self._too_large()
        docked = read_poses(run.pdbqt, run.energies, shapes)
        center, size = self.box["centerAngstrom"], self.box["sizeAngstrom"]
        outside = [pose.mode for pose in docked.poses if not is_in_box(docked, pose.mode, center, size)]
        # What does not fit Vina writes all the same, with a million kcal/mol for each angstrom outside.
        if 1 in outside:
            raise self._too_large()
        if outside:
            raise ScienceError("OUTPUT_UNVERIFIED", f"Mode {outside[0]} lies partly outside the box.")
        return docked

    def _too_large(self) -> ScienceError:
        size = " x ".join(f"{side:g}" for side in self.box["sizeAngstrom"])
        message = f"No pose of the ligand fits into the box of {size} angstrom; make the box larger."
        return ScienceError("LIGAND_TOO_LARGE", message)

    def parameters(self, states: PreparedStates, won: PreparedLigand) -> dict[str, Any]:
        """Everything that the search was told; of several states and shapes also how long each was searched."""
        each = self.exhaustiveness(states)
        state = {} if len(states.each) == 1 else {"stateExhaustiveness": each}
        shapes = won.shapes
        # Where the first shape is searched longer, it is as long as any ligand is.
        shape = {} if shapes is None else {"shapeExhaustiveness": shapes.searches(each)[-1]}
        return {
            "scoringFunction": self._function,
            "exhaustiveness": self.spec["exhaustiveness"],
            "numModes": self.spec["numModes"],
            "energyRangeKcalMol": self.spec["energyRangeKcalMol"],
            "minRmsdAngstrom": MIN_RMSD_ANGSTROM,
            "gridSpacingAngstrom": GRID_SPACING_ANGSTROM,
            "cpu": 1,
            **state,
            **shape,
        }


def _no_assessment(_: DockedPoses) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class DockingTask:
    """One ligand on its way: what it is, where its files go, and what its result says beside the docking."""

    ligand_id: str
    request: LigandRequest
    identity: dict[str, Any]
    folder: Path
    toolchain: Toolchain
    preparation_seconds: float = PREPARATION_SECONDS
    # Called with the poses in the ligand's own process; what it returns is added to the result.
    assess: Callable[[DockedPoses], dict[str, Any]] = field(default=_no_assessment)


def dock_ligand(
    engine: DockingEngine,
    spec: LigandSpec,
    ligand_path: Path | None,
    out: Path,
    *,
    ccd: Ccd,
    toolchain: Toolchain,
    progress: Progress,
) -> TaskResult:
    """Dock one ligand and write its four files below `out`. Raises ScienceError with the ligand's code."""
    folder = f"ligands/{spec['ligandId']}"
    with told_with_line(spec["source"]):
        task = DockingTask(
            ligand_id=spec["ligandId"],
            request=request_of(spec, ligand_path, ccd),
            identity=ligand_identity(spec),
            folder=out / folder,
            toolchain=toolchain,
        )
        summary = run_docking(engine, task, progress)
    return docking_outputs(folder, None, is_flexible=engine.side_chains is not None), summary


def run_docking(engine: DockingEngine, task: DockingTask, progress: Progress) -> dict[str, Any]:
    """Prepare, dock and write in a forked process; returns the task's summary."""
    task.folder.mkdir(parents=True, exist_ok=True)
    limits = preparation_limits(task.preparation_seconds)
    rise = _rising(progress)
    screen = Screen(lambda share: rise(_PREPARED_PERCENT + share * (_DOCKED_PERCENT - _PREPARED_PERCENT)))
    watch = Watch(limits, lambda stage: rise(_STAGE_PERCENT[stage]), screen.show)
    try:
        summary = engine.run(task, watch)
    finally:
        (task.folder / "dock.log").write_bytes(bytes(screen.text))
    progress(100.0)
    return summary


def _rising(progress: Progress) -> Progress:
    """Never let progress fall: on a busy machine stars may be read before the word that the docking has begun."""
    most = 0.0

    def rise(percent: float) -> None:
        nonlocal most
        most = max(most, percent)
        progress(most)

    return rise


def _work(engine: DockingEngine, task: DockingTask, enter: EnterStage) -> dict[str, Any]:
    """The life of one ligand, in its own process."""
    run = Run()
    states = prepare_states(task.request, quiet_step(enter), exhaustiveness=engine.spec["exhaustiveness"])
    heading = log_heading(
        task.ligand_id,
        states,
        engine.box,
        task.toolchain,
        protonation_ph=task.request.protonation_ph,
        turning=None if engine.side_chains is None else engine.side_chains.label,
    )
    print(heading, flush=True)  # noqa: T201 - begins dock.log
    enter(_DOCKING)
    docked = engine.dock_states(states)
    enter(_WRITING)
    return _write(engine, task, docked, run)


def _write(engine: DockingEngine, task: DockingTask, states: DockedStates, run: Run) -> dict[str, Any]:
    ligand, docked = states.won, states.poses
    sdf = poses_sdf(
        docked,
        ligand_id=task.ligand_id,
        smiles_input=ligand.smiles_input,
        smiles_docked=ligand.smiles_docked,
        seed=engine.spec["seed"],
        more=states.properties(),
    )
    (task.folder / "poses.sdf").write_text(sdf, encoding="utf-8")
    (task.folder / "poses.pdbqt").write_text(docked.pdbqt, encoding="utf-8")
    turned = None if engine.side_chains is None else engine.side_chains.write(task.folder, docked.side_chains)
    scores = score_record(docked.poses, ligand.heavy_atoms)
    checks = engine.checker.check(docked.mol, docked.side_chains)
    interactions = interaction_records(engine.interactions, docked.mol, docked.side_chains)
    opinion = None if engine.second is None else engine.second.of(docked)
    assessment = task.assess(docked)
    best = docked.poses[0].affinity
    disputes = [] if opinion is None else opinion.warnings()
    warnings = [*ligand.warnings, *pose_warnings(checks), *disputes, *assessment.pop("warnings", [])]
    if best > 0:
        message = (
            f"Even the best mode has a positive score ({best:g} kcal/mol): the ligand does not fit here."
        )
        warnings.append({"code": "AFFINITY_POSITIVE", "message": message})
    result = {
        "ligandId": task.ligand_id,
        **task.identity,
        "ligand": {"protonationPh": task.request.protonation_ph, **ligand.record()},
        **states.record(),
        **scores,
        **({} if opinion is None else {"secondOpinion": opinion.record()}),
        "poses": pose_records(
            docked.poses, checks, interactions, None if turned is None else turned.moves, opinion
        ),
        "files": {
            "poses.sdf": sha256_hex(sdf.encode()),
            "poses.pdbqt": sha256_hex(docked.pdbqt.encode()),
            **({} if turned is None else turned.files),
        },
        "warnings": warnings,
        **assessment,
        "provenance": provenance(engine, task, states),
    }
    write_result(task.folder / "result.json", result, run)
    return {
        **scores,
        "heavyAtoms": ligand.heavy_atoms,
        "poseCount": len(docked.poses),
        **pose_summary(checks),
        "smilesDocked": ligand.smiles_docked,
        **({} if ligand.shapes is None else {"shapesDocked": len(ligand.shapes.pdbqts)}),
        **states.summary(),
        "warnings": warnings,
        **assessment,
    }
