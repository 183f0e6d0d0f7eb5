"""What a session of the docking tool does: prepare the receptor, dock a ligand, dock the native one as a control.

The search maps belong to one receptor and one box and are kept between tasks, because they cost seconds.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from dockyard_science.ccd import default_ccd
from dockyard_science.spec import Box, CachedReceptor, ControlSpec, LigandSpec, PrepareSpec, SessionSpec
from dockyard_science.toolchain import current_toolchain
from dockyard_session.canonical import sha256_file
from dockyard_session.protocol import TaskRequest, fit_summary
from dockyard_session.tool import Progress, Reporter, TaskResult

if TYPE_CHECKING:
    from dockyard_science.docking import DockingEngine
    from dockyard_science.dry_run import LigandChecker

#: What takes time to import, in the order in which a docking needs it; the last is for preparations only.
HEAVY_MODULES = (
    "rdkit.Chem.AllChem",
    "dockyard_science.meeko_door",
    "vina",
    "dimorphite_dl",
    "dockyard_science.docking",
    "dockyard_science.validation",
    "pdb2pqr.main",
)

RECEPTOR_SOURCE = "receptor/source"
LIGAND_SOURCE = "ligand/source"
PREPARED_RECEPTOR = "prepared/receptor/prepared.pdbqt"
PREPARED_FLEXIBLE = "prepared/receptor/flexible.pdbqt"
PREPARED_PDB = "prepared/receptor/prepared.pdb"
PREPARED_BOX = "prepared/box.json"
PREPARED_NATIVE = "prepared/control/native_reference.sdf"

_CACHED = (
    "cached/receptor/prepared.pdb",
    "cached/receptor/prepared.pdbqt",
    "cached/receptor/preparation.json",
)
_CACHED_FLEXIBLE = "cached/receptor/flexible.pdbqt"
_MOST_WARNINGS = 20


def open_session(spec: dict[str, Any]) -> "VinaTool":
    """The tool of a session that docks."""
    return VinaTool(cast("SessionSpec", spec))


@dataclass(frozen=True)
class _Warm:
    key: tuple[str, ...]
    engine: "DockingEngine"


class VinaTool:
    """Does the tasks of one session, one after another."""

    def __init__(self, spec: SessionSpec) -> None:
        """Take what all tasks have in common."""
        self._spec = spec
        self._warm: _Warm | None = None
        self._checker: LigandChecker | None = None

    def run(self, task: TaskRequest, reporter: Reporter) -> TaskResult:
        """Do one task below its `out` folder; raises ScienceError with the code that the customer gets."""
        task.out.mkdir(parents=True, exist_ok=True)
        match task.kind:
            case "prepare":
                outputs, summary = self._prepare(task, reporter.progress)
            case "task":
                outputs, summary = self._dock(task, reporter.progress)
            case "control":
                outputs, summary = self._control(task, reporter.progress)
        summary["warnings"] = summary.get("warnings", [])[:_MOST_WARNINGS]
        return outputs, fit_summary(summary)

    def forget(self) -> None:
        """Drop what is kept between tasks, after one that left it in an unknown state."""
        if self._warm is not None:
            self._warm.engine.close()
        self._warm = None
        if self._checker is not None:
            self._checker.close()
        self._checker = None

    def _prepare(self, task: TaskRequest, progress: Progress) -> TaskResult:
        # Imported where it is used: a session that only docks never pays for it.
        from dockyard_science import receptor

        spec = cast("PrepareSpec", task.spec)
        outputs, summary = receptor.prepare(
            task.inputs[RECEPTOR_SOURCE],
            self._spec,
            task.out,
            cached=_cached_receptor(task) if spec["cached"] else None,
            ccd=default_ccd(),
            toolchain=current_toolchain(),
            progress=progress,
        )
        # Earlier results of the same class of processors may stand for ligands of this job.
        summary = summary | {"cpuClass": current_toolchain().cpu_class}
        return outputs, _with_stale_warning(summary, spec["staleField"])

    def _dock(self, task: TaskRequest, progress: Progress) -> TaskResult:
        from dockyard_science import docking

        spec = cast("LigandSpec", task.spec)
        if spec.get("dryRun"):
            return self._check(task, spec, progress)
        return docking.dock_ligand(
            self._engine(task),
            spec,
            task.inputs.get(LIGAND_SOURCE),
            task.out,
            ccd=default_ccd(),
            toolchain=current_toolchain(),
            progress=progress,
        )

    def _check(self, task: TaskRequest, spec: LigandSpec, progress: Progress) -> TaskResult:
        from dockyard_science.dry_run import LigandChecker

        if self._checker is None:
            self._checker = LigandChecker(self._spec["exhaustiveness"])
        return self._checker.check(
            spec, task.inputs.get(LIGAND_SOURCE), task.out, ccd=default_ccd(), progress=progress
        )

    def _control(self, task: TaskRequest, progress: Progress) -> TaskResult:
        from dockyard_science import validation

        return validation.run_control(
            self._engine(task),
            cast("ControlSpec", task.spec),
            task.inputs[PREPARED_NATIVE],
            task.out,
            ccd=default_ccd(),
            toolchain=current_toolchain(),
            progress=progress,
        )

    def _engine(self, task: TaskRequest) -> "DockingEngine":
        """The engine of the task's receptor and box; its maps are made once."""
        from dockyard_science.docking import DockingEngine
        from dockyard_science.side_chains import SideChains

        receptor, box = task.inputs[PREPARED_RECEPTOR], task.inputs[PREPARED_BOX]
        # A task has the side chains among its inputs exactly where the preparation of its job names some.
        is_flexible = PREPARED_FLEXIBLE in task.inputs
        files = [task.inputs[name] for name in (PREPARED_FLEXIBLE, PREPARED_PDB)] if is_flexible else []
        key = tuple(sha256_file(path) for path in (receptor, box, *files))
        if self._warm is None or self._warm.key != key:
            # The old maps go before the new ones come: two sets would double the memory.
            self.forget()
            side_chains = SideChains(*files) if files else None
            self._warm = _Warm(key, DockingEngine(self._spec, receptor, _read_box(box), side_chains))
        return self._warm.engine


def _cached_receptor(task: TaskRequest) -> CachedReceptor | None:
    if any(name not in task.inputs for name in _CACHED):
        return None
    pdb, pdbqt, report = (task.inputs[name] for name in _CACHED)
    return CachedReceptor(pdb=pdb, pdbqt=pdbqt, report=report, flexible=task.inputs.get(_CACHED_FLEXIBLE))


def _with_stale_warning(summary: dict[str, Any], stale_field: str | None) -> dict[str, Any]:
    """Say first that a sent preparation could not be used, and why."""
    if stale_field is None:
        return summary
    done = "an earlier preparation" if summary["receptor"]["cacheHit"] else "a new preparation"
    message = f"The preparedReceptor that was sent differs from this job's in {stale_field}; {done} was used."
    warning = {"code": "PREPARED_RECEPTOR_STALE", "message": message}
    return {**summary, "warnings": [warning, *summary.get("warnings", [])]}


def _read_box(path: Path) -> Box:
    box: Box = json.loads(path.read_text(encoding="utf-8"))
    return box
