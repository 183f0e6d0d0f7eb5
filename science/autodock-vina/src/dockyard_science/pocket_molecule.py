"""The receptor around a box as one molecule, with bond orders and charges: what interactions are looked for in.

The atoms are those of the prepared PDBQT, which has every heavy atom and every polar hydrogen. Bonds within a residue
and their orders come from the Chemical Component Dictionary by the names of atoms, for a cofactor as for an amino
acid; charges follow from the bonds and hydrogens that are there. A molecule read from PDB would have no orders in a
cofactor.
"""

from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt
from rdkit import Chem, rdBase
from scipy.spatial import cKDTree

from dockyard_science.ccd import Ccd
from dockyard_science.contacts import BOND_TOLERANCE, bond_radius, is_metal
from dockyard_science.pdbqt import Coordinates, atom_lines, coordinates
from dockyard_science.pocket_states import set_charges
from dockyard_science.pose_contacts import symbols_of
from dockyard_science.residue_bonds import bonds_of
from dockyard_science.spec import Box
from dockyard_structures.residues import is_water
from dockyard_structures.structure import BLANK_CHAIN

#: Residues this near to the box are looked at; no interaction reaches further from an atom in the box.
NEAR_ANGSTROM = 8.0

# Bonds between residues; the longest, that of two sulfurs, has 2.1 Å.
_WIDEST_BOND_ANGSTROM = 2.5

_WATER_OXYGEN = "O"

# Where a molecule has a valence that RDKit does not know, all else is still found.
_LENIENT = (
    Chem.SanitizeFlags.SANITIZE_SYMMRINGS
    | Chem.SanitizeFlags.SANITIZE_SETCONJUGATION
    | Chem.SanitizeFlags.SANITIZE_SETHYBRIDIZATION
    | Chem.SanitizeFlags.SANITIZE_SETAROMATICITY
)


@dataclass(frozen=True)
class Place:
    """A residue by its names in `prepared.pdb`."""

    chain: str
    residue: int
    insertion_code: str
    residue_name: str

    @property
    def is_water(self) -> bool:
        """Whether the residue is a retained water."""
        return is_water(self.residue_name)


@dataclass(frozen=True)
class Pocket:
    """The molecule, its atoms' places (angstrom), names and residues (indices of `residues`).

    `moving` has the row of each atom among those of the side chains that turn, -1 for an atom that stays. `reported`
    are the residues near the box; the others are there for their bonds to these.
    """

    mol: Chem.Mol
    positions: Coordinates
    names: list[str]
    owners: npt.NDArray[np.intp]
    residues: list[Place]
    reported: list[int]
    moving: npt.NDArray[np.intp]

    def positions_with(self, side_chains: Coordinates | None) -> Coordinates:
        """The places of all atoms where the side chains stand as given."""
        if side_chains is None:
            return self.positions
        places = self.positions.copy()
        turns = self.moving >= 0
        places[turns] = side_chains[self.moving[turns]]
        return places


@dataclass(frozen=True)
class _Atoms:
    """What was read: a row an atom, residues together in the order of the file."""

    places: list[Place]
    rows: list[list[int]]
    names: list[str]
    elements: list[str]
    positions: Coordinates
    moving: list[int]

    def heavy(self, residue: int) -> list[int]:
        """The rows of a residue without its hydrogens."""
        return [row for row in self.rows[residue] if self.elements[row] != "H"]


def build_pocket(receptor_pdbqt: str, box: Box, ccd: Ccd, side_chains_pdbqt: str = "") -> Pocket:
    """The receptor within 8 Å of the box; side chains that turn are given by themselves, as they were prepared."""
    atoms = _read(receptor_pdbqt, side_chains_pdbqt)
    links = _links(atoms)
    near = _near(atoms, box)
    owners = _owners(atoms)
    pairs = [(owners[first], owners[second]) for first, second in links]
    beside = {one for pair in pairs if not near.isdisjoint(pair) for one in pair}
    chosen = sorted(near | beside)
    return _pocket(atoms, chosen, near, links, ccd)


def _pocket(
    atoms: _Atoms, chosen: list[int], near: set[int], links: list[tuple[int, int]], ccd: Ccd
) -> Pocket:
    kept = [row for residue in chosen for row in atoms.rows[residue]]
    index = {row: number for number, row in enumerate(kept)}
    mol = Chem.RWMol()
    for row in kept:
        mol.AddAtom(_atom(atoms.elements[row]))
    for residue in chosen:
        rows = atoms.rows[residue]
        found = bonds_of(
            atoms.places[residue].residue_name,
            [atoms.names[row] for row in rows],
            [atoms.elements[row] for row in rows],
            atoms.positions[rows],
            ccd,
        )
        for first, second, order in found:
            mol.AddBond(index[rows[first]], index[rows[second]], order)
    for first, second in links:
        if first in index and second in index:
            mol.AddBond(index[first], index[second], Chem.BondType.SINGLE)
    names = [atoms.names[row] for row in kept]
    set_charges(mol, names)
    _sanitize(mol)
    owners = [number for number, residue in enumerate(chosen) for _ in atoms.rows[residue]]
    return Pocket(
        mol=mol.GetMol(),
        positions=atoms.positions[kept],
        names=names,
        owners=np.array(owners, dtype=np.intp),
        residues=[atoms.places[residue] for residue in chosen],
        reported=[number for number, residue in enumerate(chosen) if residue in near],
        moving=np.array([atoms.moving[row] for row in kept], dtype=np.intp),
    )


def _atom(element: str) -> Chem.Atom:
    """An atom whose hydrogens are all there; those of carbon are not in a PDBQT, so RDKit counts them."""
    atom = Chem.Atom(element)
    atom.SetNoImplicit(element != "C")
    return atom


def _sanitize(mol: Chem.RWMol) -> None:
    with rdBase.BlockLogs():
        try:
            Chem.SanitizeMol(mol)
        except (Chem.MolSanitizeException, ValueError):
            mol.UpdatePropertyCache(strict=False)
            Chem.SanitizeMol(mol, _LENIENT)


def _read(receptor_pdbqt: str, side_chains_pdbqt: str) -> _Atoms:
    """All atoms; those of side chains that turn join their residue, where the receptor does not have them."""
    fixed, turning = atom_lines(receptor_pdbqt), atom_lines(side_chains_pdbqt)
    lines = [*fixed, *turning]
    positions = coordinates("\n".join(lines))
    by_residue: dict[str, list[int]] = {}
    for mark, group in groupby(range(len(lines)), key=lambda row: lines[row][17:27]):
        taken = {lines[row][12:16] for row in by_residue.get(mark, [])}
        by_residue.setdefault(mark, []).extend(row for row in group if lines[row][12:16] not in taken)
    elements = [""] * len(lines)
    names = [line[12:16].strip() for line in lines]
    places = [_place(mark) for mark in by_residue]
    for place, rows in zip(places, by_residue.values(), strict=True):
        for row, symbol in zip(rows, symbols_of([lines[row] for row in rows]), strict=True):
            elements[row] = symbol
            if place.is_water and symbol == "O":
                # Meeko has a name of its own for the oxygen of a water.
                names[row] = _WATER_OXYGEN
    moving = [-1] * len(fixed) + list(range(len(turning)))
    return _Atoms(places, list(by_residue.values()), names, elements, positions, moving)


def _place(mark: str) -> Place:
    return Place(mark[4].strip() or BLANK_CHAIN, int(mark[5:9]), mark[9].strip(), mark[:3].strip())


def _owners(atoms: _Atoms) -> dict[int, int]:
    return {row: residue for residue, rows in enumerate(atoms.rows) for row in rows}


def _near(atoms: _Atoms, box: Box) -> set[int]:
    """The residues with a heavy atom near the box."""
    center, half = np.array(box["centerAngstrom"]), np.array(box["sizeAngstrom"]) / 2
    outside = np.maximum(np.abs(atoms.positions - center) - half, 0.0)
    distances = np.linalg.norm(outside, axis=1)
    return {
        residue
        for residue in range(len(atoms.rows))
        if min(distances[row] for row in atoms.heavy(residue) or atoms.rows[residue]) <= NEAR_ANGSTROM
    }


def _links(atoms: _Atoms) -> list[tuple[int, int]]:
    """Bonds between residues, those of a metal left out. The preparation refuses other atoms that are so near."""
    owners = _owners(atoms)
    rows = [
        row
        for residue in range(len(atoms.rows))
        for row in atoms.heavy(residue)
        if not is_metal(atoms.elements[row])
    ]
    pairs = cKDTree(atoms.positions[rows]).query_pairs(_WIDEST_BOND_ANGSTROM, output_type="ndarray")
    radii = {element: bond_radius(element) for element in sorted({atoms.elements[row] for row in rows})}
    found: list[tuple[int, int]] = []
    for i, j in sorted(map(tuple, np.sort(pairs, axis=1).tolist())):
        first, second = rows[i], rows[j]
        if owners[first] == owners[second]:
            continue
        bound = BOND_TOLERANCE * (radii[atoms.elements[first]] + radii[atoms.elements[second]])
        if float(np.linalg.norm(atoms.positions[first] - atoms.positions[second])) < bound:
            found.append((first, second))
    return found
