"""The side chains that turn: where they stand in each mode, as residues that can be looked at.

Vina knows their heavy atoms and polar hydrogens. The other hydrogens go with the atom that carries them, and the
backbone stays, so that each residue is whole. All names and numbers are those of `prepared.pdb`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dockyard_science.pdbqt import Coordinates, active_torsions, atom_lines, coordinates
from dockyard_session.canonical import sha256_file, sha256_hex
from dockyard_session.errors import ScienceError
from dockyard_structures.residues import BACKBONE

#: The file of a docked ligand with the residues of each mode.
FILE_NAME = "flexible.pdb"

# Both files have the same atoms at the same places, with three decimals.
_SAME_ANGSTROM = 0.002
# The longest bond to hydrogen that a residue has is that of sulfur, 1.35 Å, and the longest between heavy atoms 1.82 Å.
_HYDROGEN_ANGSTROM, _BOND_ANGSTROM = 1.5, 2.0

# Atoms that only their names tell apart: turned by half the side chain is the same.
_EXCHANGED = {
    "ARG": (("NH1", "NH2"),),
    "ASP": (("OD1", "OD2"),),
    "GLU": (("OE1", "OE2"),),
    "PHE": (("CD1", "CD2"), ("CE1", "CE2")),
    "TYR": (("CD1", "CD2"), ("CE1", "CE2")),
}


@dataclass(frozen=True)
class Turned:
    """What was written of the side chains: digests by file name, and how far those of each mode turned."""

    files: dict[str, str]
    moves: list[list[dict[str, Any]]]


class _Residue:
    """A residue of the prepared receptor whose side chain turns: its lines and places, angstrom."""

    def __init__(self, lines: list[str], before: Coordinates) -> None:
        """Find which atoms Vina moves: `before` has the places of all that it moves in any residue."""
        self.lines = lines
        self.places = coordinates("".join(lines))
        self.names = [line[12:16].strip() for line in lines]
        self.heavy = [index for index, line in enumerate(lines) if line[76:78].strip() not in {"H", "D"}]
        distances = np.linalg.norm(self.places[:, None] - before[None], axis=2)
        nearest = distances.argmin(axis=1)
        #: Of each atom its row among those that Vina writes, or None.
        self.rows = [
            int(row) if distances[index, row] < _SAME_ANGSTROM else None for index, row in enumerate(nearest)
        ]

    def moved(self, after: Coordinates) -> Coordinates:
        """The places of all atoms in a mode."""
        places = self.places.copy()
        for index, row in enumerate(self.rows):
            if row is not None:
                places[index] = after[row]
        for index, row in enumerate(self.rows):
            if row is None and index not in self.heavy:
                frame = self._frame(index)
                places[index] = _carried(self.places[index], self.places[frame], places[frame])
        return places

    def distance(self, after: Coordinates) -> float:
        """RMSD of the side chain's heavy atoms to where they were prepared, least over equal atoms, angstrom."""
        side = [index for index in self.heavy if self.names[index] not in {*BACKBONE, "OXT"}]
        places = self.moved(after)
        swaps = dict(_EXCHANGED.get(self.lines[0][17:20], ()))
        swaps |= {other: one for one, other in swaps.items()}
        turned = [self.names.index(swaps.get(self.names[index], self.names[index])) for index in side]
        squares = (((places[order] - self.places[side]) ** 2).sum(axis=1).mean() for order in (side, turned))
        return round(float(np.sqrt(min(squares))), 3) + 0.0

    def _frame(self, hydrogen: int) -> list[int]:
        """The atom that carries a hydrogen and those around it that keep their distances from both."""
        near = np.linalg.norm(self.places - self.places[hydrogen], axis=1)
        carrier = min(self.heavy, key=lambda index: near[index])
        if near[carrier] > _HYDROGEN_ANGSTROM:
            return self.heavy
        first = self._neighbours(carrier)
        second = [index for atom in first for index in self._neighbours(atom)] if len(first) < 2 else []
        return sorted({carrier, *first, *second})

    def _neighbours(self, atom: int) -> list[int]:
        near = np.linalg.norm(self.places - self.places[atom], axis=1)
        return [index for index in self.heavy if index != atom and near[index] < _BOND_ANGSTROM]


class SideChains:
    """The side chains of one prepared receptor."""

    def __init__(self, flexible_pdbqt: Path, prepared_pdb: Path) -> None:
        """Read what Vina is given of them, and the whole residues."""
        self.path = flexible_pdbqt
        self.sha256 = sha256_file(flexible_pdbqt)
        #: What Vina is given of them.
        self.text = text = flexible_pdbqt.read_text(encoding="utf-8")
        before = coordinates(text)
        marks = dict.fromkeys(line[17:27] for line in atom_lines(text))
        lines = [f"{line}\n" for line in atom_lines(prepared_pdb.read_text(encoding="ascii"))]
        self._count = len(before)
        self._residues = [_Residue([line for line in lines if line[17:27] == mark], before) for mark in marks]
        named = ", ".join(" ".join(mark.split()) for mark in marks)
        self.label = f"{named}: {active_torsions(text)} bonds"

    def write(self, folder: Path, modes: Sequence[str]) -> Turned:
        """Write the residues of all modes, given as Vina's text; raises OUTPUT_UNVERIFIED for other atoms."""
        places = [coordinates(mode) for mode in modes]
        if any(len(each) != self._count for each in places):
            raise ScienceError(
                "OUTPUT_UNVERIFIED", "The side chains of the poses are not those of the receptor."
            )
        text = "".join(self._model(number, after) for number, after in enumerate(places, 1)) + "END\n"
        (folder / FILE_NAME).write_text(text, encoding="ascii")
        moves = [[self._move(residue, after) for residue in self._residues] for after in places]
        return Turned({FILE_NAME: sha256_hex(text.encode())}, moves)

    def _model(self, number: int, after: Coordinates) -> str:
        lines = [
            f"{line[:30]}{x:8.3f}{y:8.3f}{z:8.3f}{line[54:]}"
            for residue in self._residues
            for line, (x, y, z) in zip(residue.lines, residue.moved(after), strict=True)
        ]
        return f"MODEL {number:8d}\n{''.join(lines)}ENDMDL\n"

    def _move(self, residue: _Residue, after: Coordinates) -> dict[str, Any]:
        """A residue by its name in the prepared receptor, and how far its side chain turned."""
        line = residue.lines[0]
        return {
            "chain": line[21].strip(),
            "residue": int(line[22:26]),
            "insertionCode": line[26].strip(),
            "residueName": line[17:20].strip(),
            "rmsdAngstrom": residue.distance(after),
        }


def _carried(place: Coordinates, before: Coordinates, after: Coordinates) -> Coordinates:
    """Where a place goes with the rigid body that moved, by the rotation that fits it best."""
    start, end = before.mean(axis=0), after.mean(axis=0)
    left, _, right = np.linalg.svd((before - start).T @ (after - end))
    sign = np.sign(np.linalg.det(left @ right))
    rotation = left @ np.diag([1.0, 1.0, sign]) @ right
    moved: Coordinates = (place - start) @ rotation + end
    return moved
