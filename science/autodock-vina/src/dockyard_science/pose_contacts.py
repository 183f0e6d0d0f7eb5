"""How a pose lies beside the receptor: distances and overlap of volumes with protein, cofactors, metals and waters.

The receptor is read once from its prepared PDBQT, which has every heavy atom where `prepared.pdb` has it. Here, too,
only what passes for certain is said to pass; PoseBusters' modules judge the rest.
"""

import re
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt
from rdkit import Chem
from rdkit.Chem import rdShapeHelpers
from scipy.spatial.distance import cdist

from dockyard_science import busters
from dockyard_science.busters import (
    DISTANCE_CHECKS,
    FARTHEST_ANGSTROM,
    FARTHEST_CHECK,
    LEAST_RELATIVE_DISTANCE,
    OVERLAP_SHARE,
    PARTS,
    SEARCH_ANGSTROM,
    VOLUME_CHECKS,
    Verdicts,
)
from dockyard_science.contacts import is_metal
from dockyard_science.pdbqt import Coordinates, atom_lines, coordinates
from dockyard_science.pose_geometry import CERTAIN
from dockyard_structures.residues import BACKBONE, is_polymer_name, is_water

# AutoDock's atom types that are not an element's own symbol.
_ELEMENTS = {
    "A": "C", "NA": "N", "NS": "N", "OA": "O", "OS": "O", "SA": "S",
    "HD": "H", "HS": "H",
}  # fmt: skip

# Caps of a chain have no backbone of their own.
_CAPS = frozenset({"ACE", "NME", "NMA", "NH2"})

_HALOGENS = frozenset({"F", "Cl", "Br", "I"})

# Components that PoseBusters counts with metals and ions (posebusters/tools/protein.py in version 0.6.5).
_INORGANIC = frozenset({"FES", "MOS", "PO3", "PO4", "PPK", "SO3", "SO4", "VO4"})


@dataclass(frozen=True)
class Part:
    """The heavy atoms of one part of a receptor; `radii` are those of its distances, angstrom."""

    name: str
    positions: Coordinates
    elements: tuple[int, ...]
    radii: npt.NDArray[np.float64]


def read_parts(receptor_pdbqt: str) -> list[Part]:
    """The parts of a prepared receptor that it has, in PoseBusters' order."""
    members: dict[str, list[int]] = {name: [] for name in PARTS}
    symbols: list[str] = []
    lines = atom_lines(receptor_pdbqt)
    for _, residue in groupby(range(len(lines)), key=lambda index: lines[index][17:27]):
        rows = list(residue)
        found = symbols_of([lines[row] for row in rows])
        symbols += found
        names = {lines[row][12:16].strip() for row in rows}
        for row, symbol in zip(rows, found, strict=True):
            if symbol != "H":
                members[_part_of(lines[row][17:20].strip(), names, symbol, found)].append(row)
    places = coordinates(receptor_pdbqt)
    return [_part(name, places, symbols, rows) for name, rows in members.items() if rows]


def with_side_chains(parts: list[Part], side_chains: str) -> list[Part]:
    """The parts with the side chains that turned, where they stand in one mode (PDBQT)."""
    if not side_chains:
        return parts
    moved = {part.name: part for part in read_parts(side_chains)}
    return [_joined(part, moved[part.name]) if part.name in moved else part for part in parts]


def _joined(part: Part, more: Part) -> Part:
    return Part(
        part.name,
        np.concatenate([part.positions, more.positions]),
        part.elements + more.elements,
        np.concatenate([part.radii, more.radii]),
    )


@dataclass(frozen=True)
class Beside:
    """One mode beside one part: its atoms within the search distance, and theirs to those of the ligand in angstrom."""

    mol: Chem.Mol
    conformer: int
    part: Part
    rows: npt.NDArray[np.intp]
    distances: npt.NDArray[np.float64]


def beside(mol: Chem.Mol, conformer: int, part: Part) -> Beside:
    """Find the atoms of a part that are near a mode."""
    places = np.array(mol.GetConformer(conformer).GetPositions())
    low, high = places.min(axis=0) - SEARCH_ANGSTROM, places.max(axis=0) + SEARCH_ANGSTROM
    rows = np.flatnonzero(((part.positions >= low) & (part.positions <= high)).all(axis=1))
    distances = cdist(places, part.positions[rows])
    is_near = (distances <= SEARCH_ANGSTROM).any(axis=0)
    return Beside(mol, conformer, part, rows[is_near], distances[:, is_near])


def distance_verdicts(near: Beside) -> Verdicts:
    """Whether heavy atoms keep their distance, and of the protein whether the ligand is near it at all."""
    name, part = DISTANCE_CHECKS[near.part.name], near.part
    is_protein = part.name == "protein"
    numbers = [atom.GetAtomicNum() for atom in near.mol.GetAtoms()]
    heavy = [index for index, number in enumerate(numbers) if number > 1]
    distances = near.distances[heavy]
    if distances.size == 0 or distances.min() > SEARCH_ANGSTROM:
        return {name: True, **({FARTHEST_CHECK: False} if is_protein else {})}
    own = np.array([radius_of(part.name, numbers[index]) for index in heavy])
    relative = distances / (own[:, None] + part.radii[near.rows])
    is_clear = relative.min() * CERTAIN >= LEAST_RELATIVE_DISTANCE
    if is_clear and (not is_protein or distances.min() <= FARTHEST_ANGSTROM * CERTAIN):
        return {name: True, **({FARTHEST_CHECK: True} if is_protein else {})}
    return busters.distance(_pose(near), part.name, _atoms(near, slice(None)))


def volume_verdicts(near: Beside) -> Verdicts:
    """Whether the ligand's volume overlaps with the part's; the same measure of RDKit as PoseBusters takes."""
    name, scale = near.part.name, PARTS[near.part.name][1]
    within = near.distances.min(axis=0, initial=np.inf) <= SEARCH_ANGSTROM * scale
    if not within.any():
        return {VOLUME_CHECKS[name]: True}
    atoms = _atoms(near, within)
    share = rdShapeHelpers.ShapeTverskyIndex(
        near.mol, atoms, alpha=1, beta=0, confId1=near.conformer, vdwScale=scale, ignoreHs=True
    )
    if share <= OVERLAP_SHARE * CERTAIN:
        return {VOLUME_CHECKS[name]: True}
    return busters.volume(_pose(near), name, atoms)


def radius_of(part: str, atomic_number: int) -> float:
    """The radius that distances to a part are compared with, angstrom."""
    table = Chem.GetPeriodicTable()
    is_covalent = PARTS[part][0] == "covalent"
    return float(table.GetRcovalent(atomic_number) if is_covalent else table.GetRvdw(atomic_number))


def _pose(near: Beside) -> Chem.Mol:
    return Chem.Mol(near.mol, confId=near.conformer)


def _atoms(near: Beside, chosen: slice | npt.NDArray[np.bool_]) -> Chem.Mol:
    """The chosen atoms of the part as a molecule without bonds."""
    rows = near.rows[chosen]
    atoms = Chem.RWMol()
    for row in rows:
        atoms.AddAtom(Chem.Atom(near.part.elements[row]))
    conformer = Chem.Conformer(len(rows))
    conformer.SetPositions(np.ascontiguousarray(near.part.positions[rows]))
    atoms.AddConformer(conformer)
    return atoms.GetMol()


def _part(name: str, places: Coordinates, symbols: list[str], rows: list[int]) -> Part:
    table = Chem.GetPeriodicTable()
    elements = tuple(int(table.GetAtomicNumber(symbols[row])) for row in rows)
    return Part(name, places[rows], elements, np.array([radius_of(name, number) for number in elements]))


def _part_of(residue: str, atoms: set[str], symbol: str, symbols: list[str]) -> str:
    """A metal is one wherever it is, as in a haem; a halide stands alone."""
    if is_water(residue):
        return "waters"
    if is_polymer_name(residue) or residue in _CAPS or atoms.issuperset(BACKBONE):
        return "protein"
    is_ion = (symbols == [symbol] and symbol in _HALOGENS) or residue in _INORGANIC
    return "inorganic_cofactors" if is_ion or is_metal(symbol) else "organic_cofactors"


def symbols_of(lines: list[str]) -> list[str]:
    """Elements of a residue's atoms. An ion may be typed as another metal: alone, its name tells."""
    if len(lines) == 1:
        name = re.sub(r"[^A-Za-z]", "", lines[0][12:16]).capitalize()
        if name and is_metal(name):
            return [name]
    types = [line[77:].strip() for line in lines]
    return [_ELEMENTS.get(kind, kind.capitalize()) for kind in types]
