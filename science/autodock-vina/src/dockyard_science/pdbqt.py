"""Reads what Meeko and Vina write as PDBQT: the molecule's SMILES, the index maps and the coordinates."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dockyard_session.errors import ScienceError

#: Coordinates in angstrom, one row an atom.
Coordinates = npt.NDArray[np.float64]

_SMILES = "REMARK SMILES "
_INDEX = "REMARK SMILES IDX "
_PARENT = "REMARK H PARENT"
# The root of a side chain and the first atom behind it, about whose bond it turns.
_ANCHORS = re.compile(r"^ROOT\n.*?^ENDROOT\nBRANCH[^\n]*\nATOM[^\n]*\n", re.MULTILINE | re.DOTALL)

#: AutoDock's types of hydrogens.
HYDROGENS = frozenset({"H", "HD", "HS"})


@dataclass(frozen=True)
class IndexMap:
    """Meeko's remarks: `smiles`; pairs (atom of the SMILES, serial) and (parent atom, serial of its H), from 0."""

    smiles: str
    heavy: list[tuple[int, int]]
    hydrogens: list[tuple[int, int]]


def pdbqt_smiles(text: str) -> str | None:
    """The SMILES that Meeko noted, or None where another program wrote the file."""
    lines = (line for line in text.splitlines() if line.startswith(_SMILES) and not line.startswith(_INDEX))
    smiles = next(lines, "").removeprefix(_SMILES).strip()
    return smiles or None


def read_index_map(text: str) -> IndexMap:
    """The index map of a ligand or of one pose. Raises ScienceError LIGAND_PARSE_FAILED when it is not whole."""
    smiles = pdbqt_smiles(text)
    lines = text.splitlines()
    heavy = _pairs(line.removeprefix(_INDEX) for line in lines if line.startswith(_INDEX))
    hydrogens = _pairs(line.removeprefix(_PARENT) for line in lines if line.startswith(_PARENT))
    if smiles is None or heavy is None or hydrogens is None or not heavy:
        raise ScienceError(
            "LIGAND_PARSE_FAILED", "The PDBQT's remarks of Meeko are incomplete; send SDF instead."
        )
    return IndexMap(smiles, heavy, hydrogens)


def _pairs(texts: Iterable[str]) -> list[tuple[int, int]] | None:
    words = [word for text in texts for word in text.split()]
    if len(words) % 2 or not all(word.isdigit() and int(word) > 0 for word in words):
        return None
    numbers = [int(word) - 1 for word in words]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def atom_lines(text: str) -> list[str]:
    """The atoms of a ligand or of one pose, in the order of the file, which is that of the serials."""
    return [line for line in text.splitlines() if line.startswith(("ATOM", "HETATM"))]


def coordinates(text: str) -> Coordinates:
    """Coordinates of shape (atoms, 3) in angstrom."""
    rows = [(float(line[30:38]), float(line[38:46]), float(line[46:54])) for line in atom_lines(text)]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def move_atoms(text: str, before: Coordinates, after: Coordinates) -> str:
    """The PDBQT of a molecule with another conformer; both are given with one row an atom of the molecule.

    The file's order of atoms is its own, so each atom is found by where it was.
    """
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.startswith(("ATOM", "HETATM")):
            place = np.array([float(line[30:38]), float(line[38:46]), float(line[46:54])])
            x, y, z = after[np.argmin(((before - place) ** 2).sum(axis=1))]
            lines[number] = f"{line[:30]}{x:8.3f}{y:8.3f}{z:8.3f}{line[54:]}"
    return "".join(lines)


def is_hydrogen_line(line: str) -> bool:
    """Whether the atom of a line is a hydrogen."""
    return line[77:79].strip() in HYDROGENS


def split_residues(text: str) -> list[str]:
    """The residues of a PDBQT whose side chains turn, each without its first and last line."""
    parts = text.split("BEGIN_RES")[1:]
    return [part.partition("\n")[2].partition("END_RES")[0] for part in parts]


def split_pose(model: str) -> tuple[str, str]:
    """A pose as its ligand and as the side chains that turned with it, which are empty where none do."""
    ligand, mark, residues = model.partition("BEGIN_RES")
    return ligand, mark + residues


def without_anchors(model: str) -> str:
    """A pose without the two atoms of each side chain that stay: Vina does not count them among those that move."""
    ligand, residues = split_pose(model)
    return ligand + _ANCHORS.sub("", residues)


def split_models(text: str) -> list[str]:
    """The poses of Vina's answer, each without its MODEL and ENDMDL lines."""
    parts = text.split("MODEL ")[1:]
    return [part.partition("\n")[2].partition("ENDMDL")[0] for part in parts]


def active_torsions(text: str) -> int:
    """How many bonds Vina turns."""
    return sum(line.startswith("BRANCH") for line in text.splitlines())
