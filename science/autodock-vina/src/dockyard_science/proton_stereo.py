"""Finds the stereo of a drawing that only the places of its protons make.

Of two equal phosphonates, carboxylates or amines one may be drawn with its proton and the other without, and of the two
end oxygens of a phosphate one has the double bond. The proton moves from one to the other, so the atom between them is
no centre: it is one in the drawing alone. What is a centre with equal groups drawn alike is a real one. The cation of
an amidine or guanidine has equal bonds to its nitrogens, wherever the double one is drawn, and none that is E or Z.
"""

from collections import Counter
from dataclasses import dataclass

from rdkit import Chem

from dockyard_science.ligand_neutral import balance, set_protons

_NITROGEN = 7
# The ends of a phosphorus or sulfur that cannot be told from each other where two are of one element.
_CENTRES = frozenset({15, 16})
_ENDS = frozenset({8, 16})
_PROTON_CARRIERS = frozenset({7, 8, 16, 34})
#: The double bond of an amidine or guanidine that is a cation, or whose proton may go to its other nitrogen.
_AMIDINE = Chem.MolFromSmarts(
    "[NX3+,$([NX2;H1]),$([NX2]=C-[NX3;!H0]);!$(N-[#7,#8,#16,$(C#N),$(C=O)])]=[CX3]-[NX3;!$(N-[#8])]"
)


@dataclass(frozen=True)
class ProtonStereo:
    """Atoms and bonds by their indices whose stereo means nothing."""

    atoms: frozenset[int]
    bonds: frozenset[int]

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.atoms or self.bonds)


_NONE = ProtonStereo(frozenset(), frozenset())


def proton_stereo(mol: Chem.Mol) -> ProtonStereo:
    """The centres and double bonds of a molecule that its protons alone make; nitrogens have rules of their own."""
    found = _of_equal_groups(mol)
    amidines = {
        mol.GetBondBetweenAtoms(nitrogen, carbon).GetIdx()
        for nitrogen, carbon, _ in mol.GetSubstructMatches(_AMIDINE)
    }
    return ProtonStereo(found.atoms, found.bonds | amidines)


def _of_equal_groups(mol: Chem.Mol) -> ProtonStereo:
    heavy = [atom.GetIdx() for atom in mol.GetAtoms() if atom.GetAtomicNum() > 1]
    is_plain = len(heavy) == mol.GetNumAtoms()
    drawn = mol if is_plain else Chem.RemoveHs(mol)
    alike = _with_groups_alike(drawn)
    if alike is None or drawn.GetNumAtoms() != len(heavy):
        return _NONE
    atoms, bonds = _possible(drawn, is_cleaned=False)
    # A label counts as possible until it is looked at anew.
    real_atoms, real_bonds = _possible(alike, is_cleaned=True)
    found = ProtonStereo(frozenset(atoms - real_atoms), frozenset(bonds - real_bonds))
    return found if is_plain or not found else _in_whole(found, mol, drawn, heavy)


def drop_proton_stereo(mol: Chem.Mol) -> None:
    """Take the labels that mean nothing away from a molecule, in place."""
    found = proton_stereo(mol)
    atoms = [
        atom
        for atom in (mol.GetAtomWithIdx(index) for index in found.atoms)
        if atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED
    ]
    bonds = [
        bond
        for bond in (mol.GetBondWithIdx(index) for index in found.bonds)
        if bond.GetStereo() != Chem.BondStereo.STEREONONE
    ]
    for atom in atoms:
        atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    for bond in bonds:
        bond.SetStereo(Chem.BondStereo.STEREONONE)
    if atoms or bonds:
        # RDKit finds the labels of double bonds anew by the directions beside them, so those have to go as well.
        for bond in mol.GetBonds():
            bond.SetBondDir(Chem.BondDir.NONE)
        Chem.SetDoubleBondNeighborDirections(mol)
        Chem.AssignStereochemistry(mol, cleanIt=True, force=True)


def _in_whole(found: ProtonStereo, mol: Chem.Mol, drawn: Chem.Mol, heavy: list[int]) -> ProtonStereo:
    """The same by the indices that the molecule has with its hydrogens."""
    ends = ((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in map(drawn.GetBondWithIdx, found.bonds))
    return ProtonStereo(
        frozenset(heavy[index] for index in found.atoms),
        frozenset(mol.GetBondBetweenAtoms(heavy[begin], heavy[end]).GetIdx() for begin, end in ends),
    )


def _possible(mol: Chem.Mol, *, is_cleaned: bool) -> tuple[set[int], set[int]]:
    """Atoms and bonds that have stereo or could have it."""
    infos = Chem.FindPotentialStereo(mol, cleanIt=is_cleaned)
    atoms = {
        info.centeredOn
        for info in infos
        if info.type == Chem.StereoType.Atom_Tetrahedral
        and mol.GetAtomWithIdx(info.centeredOn).GetAtomicNum() != _NITROGEN
    }
    return atoms, {info.centeredOn for info in infos if info.type == Chem.StereoType.Bond_Double}


def _with_groups_alike(mol: Chem.Mol) -> Chem.Mol | None:
    """The molecule without the charges that protons explain, and with equal ends alike; None where it has neither."""
    plain = Chem.Mol(mol)
    charged = [
        atom
        for atom in plain.GetAtoms()
        if atom.GetFormalCharge() and atom.GetAtomicNum() in _PROTON_CARRIERS
    ]
    sharing = [(atom, ends) for atom in plain.GetAtoms() if (ends := _equal_ends(atom))]
    if not charged and not sharing:
        return None
    for atom in charged:
        balance(atom)
    for atom, ends in sharing:
        atom.SetNumExplicitHs(atom.GetTotalNumHs())
        atom.SetNoImplicit(True)
        for end in ends:
            plain.GetBondBetweenAtoms(atom.GetIdx(), end.GetIdx()).SetBondType(Chem.BondType.SINGLE)
            set_protons(end, 0, 0)
    plain.UpdatePropertyCache(strict=False)
    return plain


def _equal_ends(atom: Chem.Atom) -> list[Chem.Atom]:
    """The end atoms of a phosphorus or sulfur that are of one element with another end."""
    if atom.GetAtomicNum() not in _CENTRES:
        return []
    ends = [near for near in atom.GetNeighbors() if near.GetDegree() == 1 and near.GetAtomicNum() in _ENDS]
    counts = Counter(end.GetAtomicNum() for end in ends)
    return [end for end in ends if counts[end.GetAtomicNum()] > 1]
