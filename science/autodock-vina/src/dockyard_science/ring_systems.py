"""Cuts the ring systems out of a molecule, each with what decides its shape, and puts their shapes back into it.

A part keeps the rings that are fused to each other, the atoms next to them, and what is next to those; an aromatic ring
that is bound to the part stays whole. Further out every bond is cut and closed with hydrogen, because a chain that
Vina turns says nothing of the shape of a ring, and its own energy would hide that of the ring.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rdkit import Chem

from dockyard_science.ligand_neutral import smiles_order

# Beyond every isotope that there is.
_FIRST_ISOTOPE = 500

Places = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RingPart:
    """A ring system that was cut out: its SMILES, and the molecule's atom for each atom of that SMILES.

    Isotopes in the SMILES tell apart atoms that only the rest of the molecule makes different. `rings` are the
    molecule's atoms in the rings, `stiff_rows` the SMILES' atoms that are these or next to them.
    """

    smiles: str
    atoms: list[int]
    rings: list[int]
    stiff_rows: tuple[int, ...]


def cut_part(mol: Chem.Mol, rings: set[int]) -> RingPart | None:
    """Cut out the ring system whose atoms are given; None where what is left is no molecule to RDKit."""
    heavy = Chem.RemoveHs(mol)
    stiff = sorted(rings.union(*(near_atoms(heavy, index) for index in rings)))
    kept, whole = _with_surroundings(heavy, stiff)
    cut = Chem.RWMol(heavy)
    for index in kept:
        if any(near not in kept for near in near_atoms(heavy, index)):
            _close(cut.GetAtomWithIdx(index), heavy.GetAtomWithIdx(index), kept, is_whole=index in whole)
    ranks = list(Chem.CanonicalRankAtoms(mol, breakTies=False))
    gone = [index for index in range(heavy.GetNumAtoms()) if index not in kept]
    for index in reversed(gone):
        cut.RemoveAtom(index)
    left = sorted(kept)
    try:
        Chem.SanitizeMol(cut)
    except ValueError:
        return None
    # Before the labels are looked at: what only the rest of the molecule makes different may be a stereocentre.
    _tell_apart(cut, {row: ranks[index] for row, index in enumerate(left) if index in stiff})
    Chem.AssignStereochemistry(cut, cleanIt=True, force=True)
    smiles, order = smiles_order(cut)
    atoms = [left[place] for place in order]
    rows = tuple(row for row, atom in enumerate(atoms) if atom in stiff)
    return RingPart(smiles, atoms, sorted(rings), rows)


def place_part(mol: Chem.Mol, part: RingPart, shape: Chem.Mol, conformer: int) -> None:
    """Give the rings of a part another shape, in place; what hangs on them follows as a rigid body.

    `shape` is the molecule of the part's SMILES with hydrogens. The first conformer of the molecule is changed.
    """
    places = np.array(mol.GetConformer().GetPositions())
    shaped = np.array(shape.GetConformer(conformer).GetPositions())
    own = {atom: index for index, atom in enumerate(part.atoms)}
    moved = places.copy()
    # Where the rings are as a whole does not matter, but keeps the numbers small.
    ring_rows = [own[atom] for atom in part.rings]
    shaped = _superposed(shaped, shaped[ring_rows], places[part.rings])
    for atom in part.rings:
        moved[atom] = shaped[own[atom]]
    for atom in part.rings:
        for source, target in zip(_hydrogens(mol, atom), _hydrogens(shape, own[atom]), strict=True):
            moved[source] = shaped[target]
        for near in near_atoms(mol, atom):
            if near in part.rings or mol.GetAtomWithIdx(near).GetAtomicNum() == 1:
                continue
            side = next(ring for ring in near_atoms(mol, atom) if ring in part.rings)
            group = branch(mol, near, atom)
            before = _frame(places[atom], places[near], places[side])
            after = _frame(shaped[own[atom]], shaped[own[near]], shaped[own[side]])
            moved[group] = (places[group] - places[atom]) @ before.T @ after + shaped[own[atom]]
    mol.GetConformer().SetPositions(moved)


def saturated_atoms(mol: Chem.Mol, ring: Iterable[int]) -> int:
    """How many atoms of a ring have no double bond and are in no resonance with one."""
    flat = {Chem.HybridizationType.SP2, Chem.HybridizationType.SP}
    return sum(mol.GetAtomWithIdx(atom).GetHybridization() not in flat for atom in ring)


def near_atoms(mol: Chem.Mol, index: int) -> list[int]:
    """The atoms next to one."""
    return [near.GetIdx() for near in mol.GetAtomWithIdx(index).GetNeighbors()]


def _hydrogens(mol: Chem.Mol, index: int) -> list[int]:
    return [near for near in near_atoms(mol, index) if mol.GetAtomWithIdx(near).GetAtomicNum() == 1]


def _with_surroundings(heavy: Chem.Mol, stiff: list[int]) -> tuple[set[int], set[int]]:
    """The atoms that are kept of a part, and those of them that are in aromatic rings which stay whole."""
    whole = {index for index in stiff if heavy.GetAtomWithIdx(index).GetIsAromatic()}
    todo = list(whole)
    while todo:
        index = todo.pop()
        for bond in heavy.GetAtomWithIdx(index).GetBonds():
            near = bond.GetOtherAtomIdx(index)
            # The oxygen of a pyridone belongs to the aromatic ring: without it there is no way to write the ring.
            if near not in whole and (bond.GetIsAromatic() or bond.GetBondType() == Chem.BondType.DOUBLE):
                whole.add(near)
                todo.append(near)
    return whole.union(stiff, *(near_atoms(heavy, index) for index in stiff)), whole


def _close(atom: Chem.Atom, before: Chem.Atom, kept: set[int], *, is_whole: bool) -> None:
    """Close the bonds that are cut with hydrogens; a charge that the cut took the sense of goes."""
    lost = [near for near in before.GetNeighbors() if near.GetIdx() not in kept]
    atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    if is_whole and before.GetIsAromatic():
        is_open = before.GetAtomicNum() == 7 or before.GetNoImplicit()
        atom.SetNumExplicitHs(before.GetNumExplicitHs() + (len(lost) if is_open else 0))
        return
    atom.SetIsAromatic(False)
    atom.SetFormalCharge(0)
    atom.SetNumExplicitHs(0)
    atom.SetNoImplicit(False)


def _tell_apart(cut: Chem.Mol, ranks: dict[int, int]) -> None:
    """Number the stiff atoms, as isotopes, that are alike in the part and not in the molecule."""
    own = list(Chem.CanonicalRankAtoms(cut, breakTies=False))
    for row, rank in ranks.items():
        kinds = sorted({other for near, other in ranks.items() if own[near] == own[row]})
        if len(kinds) > 1:
            cut.GetAtomWithIdx(row).SetIsotope(_FIRST_ISOTOPE + kinds.index(rank))


def branch(mol: Chem.Mol, start: int, parent: int) -> list[int]:
    """The atoms that hang on `start` on the side away from `parent`, itself included."""
    found = {start}
    todo = [start]
    while todo:
        for near in near_atoms(mol, todo.pop()):
            if near != parent and near not in found:
                found.add(near)
                todo.append(near)
    return sorted(found)


def _frame(origin: Places, end: Places, side: Places) -> Places:
    """Three unit vectors as columns of a bond and a third atom that tells which way round it is turned."""
    along = end - origin
    along /= np.linalg.norm(along)
    across = np.cross(along, side - origin)
    across /= np.linalg.norm(across)
    return np.array([along, across, np.cross(along, across)])


def _superposed(all_places: Places, own: Places, other: Places) -> Places:
    centre, target = own.mean(axis=0), other.mean(axis=0)
    left, _, right = np.linalg.svd((own - centre).T @ (other - target))
    sign = np.sign(np.linalg.det(left @ right))
    turn: Places = left @ np.diag([1.0, 1.0, sign]) @ right
    return (all_places - centre) @ turn + target
