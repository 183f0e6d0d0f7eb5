"""The screen of what lies within a ligand: bonds, angles, clashes, flatness and strain, of all modes at once.

It measures what PoseBusters' modules measure, within the same limits less a hundredth, and says of which modes it is
certain that they pass. It never says that a mode fails: that is the modules' to say.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from rdkit import Chem
from rdkit.Chem import rdDistGeom, rdForceFieldHelpers

from dockyard_science.busters import (
    ANGLE_SHARE,
    AROMATIC_RINGS,
    BOND_SHARE,
    BOUNDS,
    CLASH_SHARE,
    DOUBLE_BONDS,
    FLAT_ANGSTROM,
    PUCKERED_ANGSTROM,
    PUCKERED_RINGS,
)

#: Of each mode whether it passes for certain.
Flags = npt.NDArray[np.bool_]

#: Rounding, and the ways in which the modules compute the same thing, are far smaller than a hundredth of a limit.
CERTAIN = 0.99

# PoseBusters finds strain from a ratio of 100 on. What a pose relaxes to is the mean of relaxed conformers within a
# tenth (seen with drugs); after twenty steps it is nearly there. So these ratios leave room for two and for five. Of 37
# drugs that were docked the ratio was 1.7 after few steps and 2.0 after all (medians), at most 24 and 62.
_FEW_STEPS, _FEW_STEPS_RATIO = 20, 20.0
_ALL_STEPS, _ALL_STEPS_RATIO = 200, 50.0
# A pose of so much energy for each heavy atom (kcal/mol) is relaxed further: it may relax slowly. Drugs have about 6,
# more where hydrogens that Vina does not see come near each other.
_MUCH_PER_ATOM = 50.0


def positions_of(mol: Chem.Mol) -> npt.NDArray[np.float64]:
    """Coordinates of every mode, shape (modes, atoms, 3), angstrom."""
    return np.array([conformer.GetPositions() for conformer in mol.GetConformers()], dtype=np.float64)


def geometry_is_clear(mol: Chem.Mol) -> Flags:
    """Bond lengths, angles and clashes within RDKit's bounds of distances, which depend on the graph alone."""
    heavy = np.flatnonzero([atom.GetAtomicNum() > 1 for atom in mol.GetAtoms()])
    rows, columns = np.triu_indices(len(heavy), 1)
    first, second = heavy[rows], heavy[columns]
    bounds = rdDistGeom.GetMoleculeBoundsMatrix(mol, **BOUNDS)
    upper, lower = bounds[first, second], bounds[second, first]
    bonds = Chem.GetAdjacencyMatrix(mol).astype(bool)
    is_bond = bonds[first, second]
    is_angle = ~is_bond & (bonds.astype(np.int64) @ bonds > 0)[first, second]
    places = positions_of(mol)
    distances = np.linalg.norm(places[:, first] - places[:, second], axis=-1)
    short, long = (lower - distances) / lower, (distances - upper) / upper
    allowed = np.where(is_bond, BOND_SHARE, np.where(is_angle, ANGLE_SHARE, CLASH_SHARE)) * CERTAIN
    # Atoms that share neither a bond nor a neighbour may be as far apart as they like.
    is_sound = (short <= allowed) & ((long <= allowed) | ~(is_bond | is_angle))
    flags: Flags = is_sound.all(axis=1)
    return flags


def aromatic_rings_are_clear(mol: Chem.Mol) -> Flags:
    """Whether no atom of an aromatic ring is far from the ring's plane."""
    return _are_flat(mol, AROMATIC_RINGS)


def double_bonds_are_clear(mol: Chem.Mol) -> Flags:
    """Whether no neighbour of a double bond is far from its plane."""
    return _are_flat(mol, DOUBLE_BONDS)


def puckered_rings_are_clear(mol: Chem.Mol) -> Flags:
    """Whether every ring that cannot be flat has atoms above and below its plane."""
    flags = np.ones(mol.GetNumConformers(), dtype=bool)
    for heights in _heights(mol, PUCKERED_RINGS):
        least = np.minimum(heights.max(axis=1), -heights.min(axis=1))
        flags &= least * CERTAIN >= PUCKERED_ANGSTROM
    return flags


def strain_is_clear(mol: Chem.Mol) -> Flags:
    """Of mode 1 alone: whether its energy (UFF) is a small multiple of that which it relaxes to.

    PoseBusters compares with the mean of fifty relaxed conformers, which takes as long as a short docking.
    """
    flags = np.zeros(mol.GetNumConformers(), dtype=bool)
    pose = Chem.Mol(mol, confId=0)
    if not rdForceFieldHelpers.UFFHasAllMoleculeParams(pose):
        return flags
    field = rdForceFieldHelpers.UFFGetMoleculeForceField(pose)
    energy = field.CalcEnergy()
    field.Minimize(maxIts=_FEW_STEPS)
    is_clear = (
        0 < energy <= min(_FEW_STEPS_RATIO * field.CalcEnergy(), _MUCH_PER_ATOM * pose.GetNumHeavyAtoms())
    )
    if not is_clear:
        field.Minimize(maxIts=_ALL_STEPS)
        is_clear = 0 < energy <= _ALL_STEPS_RATIO * field.CalcEnergy()
    flags[0] = is_clear
    return flags


def _are_flat(mol: Chem.Mol, systems: Mapping[str, str]) -> Flags:
    flags = np.ones(mol.GetNumConformers(), dtype=bool)
    for heights in _heights(mol, systems):
        flags &= np.abs(heights).max(axis=1) <= FLAT_ANGSTROM * CERTAIN
    return flags


_PATTERNS = {
    smarts: Chem.MolFromSmarts(smarts)
    for systems in (AROMATIC_RINGS, DOUBLE_BONDS, PUCKERED_RINGS)
    for smarts in systems.values()
}


def _heights(mol: Chem.Mol, systems: Mapping[str, str]) -> list[npt.NDArray[np.float64]]:
    """Of each match and mode the distances of its atoms from their common plane, signed, angstrom."""
    groups = [match for smarts in systems.values() for match in mol.GetSubstructMatches(_PATTERNS[smarts])]
    if not groups:
        return []
    places = positions_of(mol)
    found = []
    for group in groups:
        around = places[:, group] - places[:, group].mean(axis=1, keepdims=True)
        normals = np.linalg.svd(around, full_matrices=False)[2][:, -1]
        found.append(np.einsum("mai,mi->ma", around, normals))
    return found
