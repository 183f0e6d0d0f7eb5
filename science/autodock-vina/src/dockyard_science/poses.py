"""Turns Vina's answer into molecules: one record a mode, with every hydrogen, bond order and charge.

Vina moves rigid parts about bonds; it knows no bond orders and only the polar hydrogens. The molecule comes from
Meeko's remarks in the same PDBQT; a pose whose atoms or stereo do not fit it is never written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from types import MappingProxyType

import numpy as np
from rdkit import Chem
from rdkit.Geometry import Point3D

from dockyard_science.pdbqt import (
    Coordinates,
    IndexMap,
    atom_lines,
    coordinates,
    is_hydrogen_line,
    read_index_map,
    split_models,
    split_pose,
    split_residues,
)
from dockyard_science.stereo import stereo_agrees
from dockyard_session.errors import ScienceError

#: Distance of Vina's grid points in angstrom, Vina's own default.
GRID_SPACING_ANGSTROM = 0.375

# Vina lets an atom leave its grid by 0.0001 angstrom and writes three decimals.
_GRID_SLACK_ANGSTROM = 0.002


@dataclass(frozen=True)
class Pose:
    """One mode; `mode` counts from 1, energies in kcal/mol, Vina's two RMSD bounds to mode 1 in angstrom.

    `shape` tells which shape of the ligand's rings it has, from 1; None where there is only the one.
    """

    mode: int
    affinity: float
    rmsd_lower: float
    rmsd_upper: float
    intermolecular: float
    intramolecular: float
    torsional: float
    shape: int | None = None


@dataclass(frozen=True)
class DockedPoses:
    """All modes of a ligand, best first: the molecule with one conformer a mode, and Vina's own text.

    `side_chains` has Vina's text of the side chains that turned, one a mode; empty texts where none do.
    """

    mol: Chem.Mol
    poses: list[Pose]
    pdbqt: str
    side_chains: list[str] = field(default_factory=list)


def read_poses(pdbqt: str, energies: list[list[float]], shapes: Sequence[int] | None = None) -> DockedPoses:
    """Read Vina's answer; `energies` has a row a mode: total, inter, intra, torsional and the unbound's intra.

    `shapes` has the shape of each mode, where the ligand was docked in shapes.

    Raises ScienceError OUTPUT_UNVERIFIED when a pose is not the molecule that was docked.
    """
    parts = [split_pose(model) for model in split_models(pdbqt)]
    models = [ligand for ligand, _ in parts]
    if len(models) != len(energies):
        raise ScienceError(
            "OUTPUT_UNVERIFIED", f"Vina wrote {len(models)} modes and reports {len(energies)}."
        )
    index = read_index_map(models[0])
    mol = molecule_of_pdbqt(index, [coordinates(model) for model in models])
    for mode in range(len(models)):
        if not stereo_agrees(mol, mode):
            raise ScienceError(
                "OUTPUT_UNVERIFIED", f"Mode {mode + 1} has another stereochemistry than the ligand."
            )
    whose: Sequence[int | None] = shapes or [None] * len(models)
    poses = [
        _pose(mode, model, row, shape)
        for mode, (model, row, shape) in enumerate(zip(models, energies, whose, strict=True), 1)
    ]
    return DockedPoses(mol, poses, pdbqt, [side_chains for _, side_chains in parts])


def is_in_box(docked: DockedPoses, mode: int, center: list[float], size: list[float]) -> bool:
    """Whether every heavy atom of a mode, its side chains included, lies in the box (angstrom), as Vina searches it.

    Vina rounds each side up to whole grid steps, so the search reaches less than half a step beyond each face.
    """
    reach = np.ceil(np.array(size) / GRID_SPACING_ANGSTROM) * GRID_SPACING_ANGSTROM / 2
    heavy = [atom.GetIdx() for atom in docked.mol.GetAtoms() if atom.GetAtomicNum() > 1]
    ligand = np.array(docked.mol.GetConformer(mode - 1).GetPositions())[heavy]
    positions = np.concatenate([ligand, _moving_places(docked.side_chains[mode - 1])])
    return bool((np.abs(positions - np.array(center)) <= reach + _GRID_SLACK_ANGSTROM).all())


def poses_sdf(
    docked: DockedPoses,
    *,
    ligand_id: str,
    smiles_input: str,
    smiles_docked: str,
    seed: int,
    more: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The SDF of all modes, best first, with the documented properties, and `more` of them."""
    text = StringIO()
    with Chem.SDWriter(text) as writer:
        for pose in docked.poses:
            mol = Chem.Mol(docked.mol, confId=pose.mode - 1)
            mol.SetProp("_Name", ligand_id)
            properties = {
                "ligandId": ligand_id,
                "mode": str(pose.mode),
                "affinity_kcal_mol": f"{pose.affinity:.3f}",
                "rmsd_lb_angstrom": f"{pose.rmsd_lower:.3f}",
                "rmsd_ub_angstrom": f"{pose.rmsd_upper:.3f}",
                "smiles_input": smiles_input,
                "smiles_docked": smiles_docked,
                "seed": str(seed),
                **({} if pose.shape is None else {"shape": str(pose.shape)}),
                **more,
            }
            for name, value in properties.items():
                mol.SetProp(name, value)
            writer.write(mol)
    return text.getvalue()


def _moving_places(side_chains: str) -> Coordinates:
    """Places of the heavy atoms that turned; the first atom of each residue stays, which may be outside the box."""
    lines = [line for block in split_residues(side_chains) for line in atom_lines(block)[1:]]
    return coordinates("\n".join(line for line in lines if not is_hydrogen_line(line)))


def _pose(mode: int, model: str, energies: list[float], shape: int | None) -> Pose:
    """One mode; its RMSD bounds stand only in Vina's remark."""
    line = next(line for line in model.splitlines() if line.startswith("REMARK VINA RESULT:"))
    lower, upper = (float(word) for word in line.split(":")[1].split()[1:3])
    total, inter, intra, torsional = energies[:4]
    return Pose(mode, total, lower, upper, inter, intra, torsional, shape)


def molecule_of_pdbqt(index: IndexMap, poses: list[Coordinates]) -> Chem.Mol:
    """The molecule of Meeko's remarks, a conformer a pose. Raises OUTPUT_UNVERIFIED where they do not fit."""
    mol = Chem.MolFromSmiles(index.smiles)
    if mol is None or sorted(atom for atom, _ in index.heavy) != list(range(mol.GetNumAtoms())):
        raise ScienceError(
            "OUTPUT_UNVERIFIED", "The poses' atoms are not those of the ligand that was docked."
        )
    for number, xyz in enumerate(poses):
        conformer = Chem.Conformer(mol.GetNumAtoms())
        conformer.SetId(number)
        conformer.Set3D(True)
        for atom, row in index.heavy:
            conformer.SetAtomPosition(atom, Point3D(*map(float, xyz[row])))
        mol.AddConformer(conformer)
    # Hydrogens that Vina does not see are placed by the geometry of their neighbours, the others where it put them.
    full = Chem.AddHs(mol, addCoords=True)
    for parent, atom, row in _polar_hydrogens(full, index):
        if not full.GetBondBetweenAtoms(parent, atom):
            raise ScienceError("OUTPUT_UNVERIFIED", "A hydrogen of the poses is not at its atom.")
        for number, xyz in enumerate(poses):
            full.GetConformer(number).SetAtomPosition(atom, Point3D(*map(float, xyz[row])))
    return full


def _polar_hydrogens(mol: Chem.Mol, index: IndexMap) -> list[tuple[int, int, int]]:
    """(parent atom, hydrogen atom, row of the coordinates) of every hydrogen that Vina moved."""
    free = {
        atom.GetIdx(): [near.GetIdx() for near in atom.GetNeighbors() if near.GetAtomicNum() == 1]
        for atom in mol.GetAtoms()
    }
    if any(not free.get(parent) for parent, _ in index.hydrogens):
        raise ScienceError("OUTPUT_UNVERIFIED", "The poses have hydrogens that the ligand has not.")
    try:
        return [(parent, free[parent].pop(0), row) for parent, row in index.hydrogens]
    except IndexError as error:
        raise ScienceError("OUTPUT_UNVERIFIED", "The poses have more hydrogens than the ligand.") from error
