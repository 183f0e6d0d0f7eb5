"""The two sides of an interaction as ProLIF's classes ask for them: places, atoms, and what matches a pattern.

ProLIF calls a residue for its matches and its coordinates whenever two residues are compared; here both are known
beforehand, so a pair costs microseconds.
"""

import functools
from collections.abc import Sequence

import numpy as np
from rdkit import Chem

from dockyard_science.interaction_types import HYDROGEN_BONDS, KINDS, Kind
from dockyard_science.pdbqt import Coordinates
from dockyard_science.pocket_molecule import Pocket

#: A match of a pattern: the indices of its atoms.
Match = tuple[int, ...]

# The property by which ProLIF remembers the index of an atom before a molecule was cut into residues.
_ORIGINAL_INDEX = "mapindex"


class Side:
    """One side: the atoms of a residue, or of the ligand. `xyz` has a row an atom of the whole molecule, angstrom."""

    def __init__(self, mol: Chem.Mol, xyz: Coordinates) -> None:
        """Take a molecule whose atoms know their indices."""
        self.mol = mol
        self.xyz = xyz
        self._matches: dict[int, Sequence[Match]] = {}

    def know(self, pattern: Chem.Mol, matches: Sequence[Match]) -> None:
        """Remember what matches a pattern."""
        self._matches[id(pattern)] = matches

    def GetSubstructMatches(self, pattern: Chem.Mol) -> Sequence[Match]:  # noqa: N802 - ProLIF calls RDKit's name
        """What of this side matches; patterns are told apart as objects, which the detectors keep."""
        return self._matches.get(id(pattern), ())

    def GetAtomWithIdx(self, index: int) -> Chem.Atom:  # noqa: N802 - ProLIF calls RDKit's name
        """An atom of the molecule."""
        return self.mol.GetAtomWithIdx(index)


class LigandSide(Side):
    """The ligand, in one mode after another."""

    def __init__(self, mol: Chem.Mol) -> None:
        """Look up all patterns; they do not depend on the mode."""
        super().__init__(_numbered(mol), np.zeros((0, 3)))
        self.heavy = [atom.GetIdx() for atom in mol.GetAtoms() if atom.GetAtomicNum() > 1]
        for pattern in _patterns(KINDS)[0]:
            self.know(pattern, self.mol.GetSubstructMatches(pattern, maxMatches=_most(mol)))

    def stand(self, mode: int) -> None:
        """Take the coordinates of a mode, counted from 0."""
        self.xyz = np.array(self.mol.GetConformer(mode).GetPositions())


class ReceptorSides:
    """The residues of a pocket."""

    def __init__(self, pocket: Pocket) -> None:
        """Look up all patterns in the whole pocket; a match is that of the residue of its first atom."""
        mol = _numbered(pocket.mol)
        self.xyz = pocket.positions
        self._sides = [Side(mol, self.xyz) for _ in pocket.residues]
        patterns = _patterns(KINDS)[1]
        if any(place.is_water for place in pocket.residues):
            # A water that holds the ligand to a residue is, before that residue, in the ligand's place.
            patterns = [*patterns, *_patterns(HYDROGEN_BONDS)[0]]
        for pattern in patterns:
            matches: list[list[Match]] = [[] for _ in pocket.residues]
            for match in mol.GetSubstructMatches(pattern, maxMatches=_most(mol)):
                matches[pocket.owners[match[0]]].append(match)
            for side, own in zip(self._sides, matches, strict=True):
                side.know(pattern, own)

    def stand(self, xyz: Coordinates) -> None:
        """Take the coordinates of a mode, which differ where side chains turn."""
        if xyz is self.xyz:
            return
        self.xyz = xyz
        for side in self._sides:
            side.xyz = xyz

    def of(self, residue: int) -> Side:
        """One residue."""
        return self._sides[residue]


class _Listener:
    """A side without atoms that remembers what it was asked for."""

    def __init__(self) -> None:
        self.patterns: list[Chem.Mol] = []

    def GetSubstructMatches(self, pattern: Chem.Mol) -> Sequence[Match]:  # noqa: N802 - ProLIF calls RDKit's name
        self.patterns.append(pattern)
        return ()


@functools.cache
def _patterns(kinds: tuple[Kind, ...]) -> tuple[list[Chem.Mol], list[Chem.Mol]]:
    """The patterns that ProLIF looks for in ligands and in residues."""
    ligand, receptor = _Listener(), _Listener()
    for kind in kinds:
        # Nothing is found between two sides that match nothing.
        list(kind.detector.detect(ligand, receptor))
    return ligand.patterns, receptor.patterns


def _numbered(mol: Chem.Mol) -> Chem.Mol:
    copy = Chem.Mol(mol)
    for atom in copy.GetAtoms():
        atom.SetUnsignedProp(_ORIGINAL_INDEX, atom.GetIdx())
    return copy


def _most(mol: Chem.Mol) -> int:
    """More matches than a pattern of one ring or two atoms can have; RDKit stops at a thousand by itself."""
    return 20 * mol.GetNumAtoms()
