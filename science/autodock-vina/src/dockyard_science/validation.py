"""Docks the ligand of the crystal structure again and measures how far the poses are from where it lies.

It is an easy positive control of the set-up: the pocket already has the ligand's shape. It is built anew and docked as
every other ligand is, so nothing of the crystal's conformation is given away. A failure warns; it never fails a job.
"""

import functools
from pathlib import Path
from typing import Any

from rdkit import Chem
from rdkit.Chem import rdMolAlign

from dockyard_science.ccd import Ccd
from dockyard_science.docking import DockingEngine, DockingTask, run_docking
from dockyard_science.ligand_request import LigandRequest
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.poses import DockedPoses
from dockyard_science.result import docking_outputs
from dockyard_science.spec import ControlSpec
from dockyard_session.errors import ScienceError
from dockyard_session.tool import Progress, TaskResult, TaskWarning
from dockyard_session.toolchain import Toolchain

#: The top mode within this distance of the crystal's pose counts as found again; the usual threshold.
PASS_ANGSTROM = 2.0

# Ways to map a molecule on itself that are looked at; beyond that the RMSD is an upper bound.
_MAX_MATCHES = 1_000_000


def run_control(
    engine: DockingEngine,
    spec: ControlSpec,
    native_sdf: Path,
    out: Path,
    *,
    ccd: Ccd,
    toolchain: Toolchain,
    progress: Progress,
) -> TaskResult:
    """Dock the native ligand (`native_sdf`: its crystal pose) and compare; files go below `out/control`.

    What goes wrong with the ligand ends as warning CONTROL_FAILED in the summary, with no outputs.
    """
    del ccd  # the native reference already has the dictionary's bond orders
    component_id = spec["id"].split(":")[1]
    try:
        text = native_sdf.read_text(encoding="utf-8")
        task = DockingTask(
            ligand_id=spec["id"],
            request=LigandRequest(RawLigand("sdf", text), spec["protonationPh"]),
            identity={"kind": "control", "label": None, "source": {"kind": "native"}},
            folder=out / "control",
            toolchain=toolchain,
            assess=functools.partial(assess, component_id, native_molecule(text)),
        )
        summary = run_docking(engine, task, progress)
    except ScienceError as error:
        message = f"The control docking of {spec['id']} failed ({error.code}): {error.message}"
        return [], _failed(component_id, {"code": "CONTROL_FAILED", "message": message[:300]})
    return docking_outputs("control", "control", is_flexible=engine.side_chains is not None), summary


def native_molecule(sdf: str) -> Chem.Mol:
    """The crystal pose (one conformer, angstrom). Raises ScienceError NATIVE_REFERENCE_NOT_FOUND."""
    mol = Chem.MolFromMolBlock(sdf, sanitize=False)
    if mol is None or mol.GetNumConformers() == 0:
        raise ScienceError("NATIVE_REFERENCE_NOT_FOUND", "The native reference has no readable coordinates.")
    return mol


def assess(component_id: str, native: Chem.Mol, docked: DockedPoses) -> dict[str, Any]:
    """The `validation` block of a control docking, with the warning when the top mode is elsewhere."""
    distances = pose_rmsds(docked.mol, native)
    top, best = distances[0], min(distances)
    validation = {
        "component_id": component_id,
        "rmsd_top_angstrom": top,
        "rmsd_best_angstrom": best,
        "best_mode": distances.index(best) + 1,
        "passed": top <= PASS_ANGSTROM,
    }
    warnings: list[TaskWarning] = []
    if top > PASS_ANGSTROM:
        message = (
            f"The control docking of {component_id} put mode 1 {top:.2f} angstrom from the crystal's pose "
            f"(mode {validation['best_mode']}: {best:.2f}); poses of this job deserve doubt."
        )
        warnings.append({"code": "CONTROL_RMSD_HIGH", "message": message})
    return {"validation": validation, "warnings": warnings}


def pose_rmsds(poses: Chem.Mol, native: Chem.Mol) -> list[float]:
    """RMSD of every conformer of `poses` to the first of `native`, angstrom, three decimals.

    Over heavy atoms, without superposition, as the minimum over the symmetries of the graph of elements and bonds:
    bond orders and charges are erased, because the docked ligand is protonated and the crystal's is not.
    """
    probe, reference = _skeleton(poses), _skeleton(native)
    try:
        return [
            round(float(rdMolAlign.CalcRMS(probe, reference, prbId=number, maxMatches=_MAX_MATCHES)), 3)
            for number in (conformer.GetId() for conformer in probe.GetConformers())
        ]
    except RuntimeError as error:
        message = (
            "The docked ligand and the native reference are not the same molecule; no RMSD can be taken."
        )
        raise ScienceError("OUTPUT_UNVERIFIED", message) from error


def _skeleton(mol: Chem.Mol) -> Chem.Mol:
    """Heavy atoms and their bonds only, all bonds single and all atoms neutral, with the coordinates."""
    plain = Chem.RWMol(mol)
    Chem.RemoveStereochemistry(plain)
    for bond in plain.GetBonds():
        bond.SetIsAromatic(False)
        bond.SetBondType(Chem.BondType.SINGLE)
    for atom in plain.GetAtoms():
        atom.SetIsAromatic(False)
        atom.SetFormalCharge(0)
        atom.SetNumExplicitHs(0)
        atom.SetNoImplicit(True)
        atom.SetIsotope(0)
    hydrogens = [atom.GetIdx() for atom in plain.GetAtoms() if atom.GetAtomicNum() == 1]
    plain.BeginBatchEdit()
    for index in hydrogens:
        plain.RemoveAtom(index)
    plain.CommitBatchEdit()
    return plain.GetMol()


def _failed(component_id: str, warning: TaskWarning) -> dict[str, Any]:
    validation = {
        "component_id": component_id,
        "rmsd_top_angstrom": None,
        "rmsd_best_angstrom": None,
        "best_mode": None,
        "passed": False,
    }
    return {"bestAffinityKcalMol": None, "validation": validation, "warnings": [warning]}
