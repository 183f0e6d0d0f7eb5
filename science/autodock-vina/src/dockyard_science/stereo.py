"""Chooses one stereoisomer where the customer left some stereo open, and checks that it is what was built.

The choice does not depend on how the molecule was written: isomers are ordered by their canonical SMILES, and the
first that has a three-dimensional structure is taken. What was given is never changed. Molecules are compared and not
their labels: in a ring such as that of tranexamic acid two labels that are both inverted say the same molecule.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdMolDescriptors
from rdkit.Chem.EnumerateStereoisomers import EnumerateStereoisomers, StereoEnumerationOptions

from dockyard_science.cages import Cage, can_be_built, find_cages, labelled
from dockyard_science.proton_stereo import drop_proton_stereo, proton_stereo

#: Beyond this many isomers a sample of them is ordered; the sample is drawn from a fixed seed.
MOST_ENUMERATED = 64
_SAMPLE_SEED = 20817

# A nitrogen with four neighbours, hydrogens counted, is an ammonium; it turns over in the moments without its proton.
_AMMONIUM_DEGREE = 4
_NITROGEN = 7

#: Of more combinations of the labels of cages none is built.
_MOST_BUILT = 8
# Sizes of rings: an unlabelled double bond in the one is cis, in the other it is open, and cis comes first.
_ALWAYS_CIS, _RATHER_CIS = 8, 9

# Phosphines and arsines do not turn over, nor do amines in rings of three.
_PYRAMID = Chem.MolFromSmarts("[$([#15X3,#33X3;H0;!$(*=*);!a]),$([NX3;H0;r3;+0;!$(*=*)])]")

_OPEN_BONDS = frozenset({Chem.BondStereo.STEREONONE, Chem.BondStereo.STEREOANY})


@dataclass(frozen=True)
class OpenStereo:
    """How many stereocentres and double bonds of a molecule are not given."""

    centres: int
    double_bonds: int

    def __bool__(self) -> bool:
        """Whether anything is open."""
        return self.centres + self.double_bonds > 0


def stereo_choices(mol: Chem.Mol) -> tuple[list[Chem.Mol], OpenStereo]:
    """The isomers that a molecule may be, in the fixed order of their canonical SMILES, and what is open between them.

    A nitrogen with a hydrogen is not open: it turns over, or a cage settles it. Nor is what only the places of protons
    make (the phosphorus of a phosphate, or the carbon between two equal groups of which one has a charge), nor what a
    cage leaves no choice for. Where nothing that is open leads to another molecule, the one isomer is the molecule.
    """
    given = _with_small_rings_cis(without_passing_labels(mol))
    infos = _open_infos(given)
    if not infos:
        return [given], OpenStereo(0, 0)
    centres = [int(info.centeredOn) for info in infos if info.type == Chem.StereoType.Atom_Tetrahedral]
    double_bonds = sum(info.type == Chem.StereoType.Bond_Double for info in infos)
    cages = find_cages(given, centres)
    every, centres = _beside_cages(given, cages, centres) if cages else (_enumerated(given, set()), centres)
    if len(every) == 1:
        return [given], OpenStereo(0, 0)
    isomers = [Chem.MolFromSmiles(smiles) for smiles in sorted(every)]
    return sorted(isomers, key=_trans_in_ring), OpenStereo(len(centres), double_bonds)


def _ring_bonds(mol: Chem.Mol, size: int) -> Iterator[tuple[Chem.Bond, tuple[int, int]]]:
    """The double bonds whose smallest ring has this size, each with its neighbours in the ring."""
    rings = mol.GetRingInfo()
    for bond in mol.GetBonds():
        if bond.GetBondType() != Chem.BondType.DOUBLE or rings.MinBondRingSize(bond.GetIdx()) != size:
            continue
        ends = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        ring = next(ring for ring in rings.AtomRings() if len(ring) == size and {*ends} <= {*ring})
        first, second = (
            next(near.GetIdx() for near in mol.GetAtomWithIdx(one).GetNeighbors()
                 if near.GetIdx() in ring and near.GetIdx() != other)
            for one, other in (ends, ends[::-1])
        )  # fmt: skip
        yield bond, (first, second)


def _with_small_rings_cis(mol: Chem.Mol) -> Chem.Mol:
    """The molecule with its unlabelled double bonds in rings of eight as cis: nobody means trans without a word."""
    made = Chem.Mol(mol)
    is_open = False
    for bond, ends in _ring_bonds(made, _ALWAYS_CIS):
        if bond.GetStereo() in _OPEN_BONDS:
            bond.SetStereoAtoms(*ends)
            bond.SetStereo(Chem.BondStereo.STEREOCIS)
            is_open = True
    # RDKit compares the labels E and Z, which a molecule has that is read.
    return Chem.MolFromSmiles(Chem.MolToSmiles(made)) if is_open else mol


def _trans_in_ring(mol: Chem.Mol) -> int:
    """How many double bonds are trans in a ring of nine, where cis is what is more likely."""
    count = 0
    for bond, ends in _ring_bonds(mol, _RATHER_CIS):
        told = list(bond.GetStereoAtoms())
        if len(told) == len(ends):
            is_other_side = sum(atom not in ends for atom in told) % 2
            is_trans = bond.GetStereo() in {Chem.BondStereo.STEREOE, Chem.BondStereo.STEREOTRANS}
            count += is_trans != bool(is_other_side)
    return count


def _beside_cages(given: Chem.Mol, cages: list[Cage], centres: list[int]) -> tuple[set[str], list[int]]:
    """The SMILES of the isomers of a molecule with cages, and which of its centres are open."""
    held = {atom for cage in cages for atom in cage.held}
    first, *mirrored = labelled(given, cages)
    fixed = _distinct(_enumerated(first, held))
    every = _distinct(fixed.union(*(_enumerated(mirror, held) for mirror in mirrored)))
    if len(fixed) < len(every) <= _MOST_BUILT and held.issuperset(centres):
        # Cages that are joined hold each other, so most combinations of their labels cannot be built.
        every = {smiles for smiles in every if can_be_built(Chem.MolFromSmiles(smiles))} or every
    if len(every) > len(fixed):
        return every, centres
    # The cages add nothing to choose: their labels stay only where the other centres are told by them.
    plain = {_without_labels(smiles, first, held) for smiles in fixed}
    return plain if len(plain) == len(fixed) else fixed, [atom for atom in centres if atom not in held]


def _enumerated(mol: Chem.Mol, held: set[int]) -> set[str]:
    """The canonical SMILES of the isomers of a molecule; what a cage holds has the label that it has, or none."""
    options = StereoEnumerationOptions(
        tryEmbedding=False, onlyUnassigned=True, unique=True, maxIsomers=MOST_ENUMERATED, rand=_SAMPLE_SEED
    )
    plain = _without_ammonium(mol)
    settled = {*_amines(mol), *held}
    return {
        _smiles_with_charges(isomer, mol, settled)
        for isomer in EnumerateStereoisomers(plain, options=options)
    }


def _distinct(smiles: set[str]) -> set[str]:
    """One SMILES of each molecule: labels of a symmetric cage can be written in several ways that are all canonical."""
    kept: dict[str, Chem.Mol] = {}
    for text in sorted(smiles):
        mol = Chem.MolFromSmiles(text)
        if mol is not None and not any(_is_same(mol, other) for other in kept.values()):
            kept[text] = mol
    return set(kept)


def _is_same(one: Chem.Mol, other: Chem.Mol) -> bool:
    return bool(
        one.HasSubstructMatch(other, useChirality=True) and other.HasSubstructMatch(one, useChirality=True)
    )


def _without_labels(smiles: str, labelled: Chem.Mol, atoms: set[int]) -> str:
    """The SMILES of an isomer without the labels of some atoms, which are named by their places in another isomer."""
    isomer = Chem.MolFromSmiles(smiles)
    for atom, twin in enumerate(isomer.GetSubstructMatch(labelled)):
        if atom in atoms:
            isomer.GetAtomWithIdx(twin).SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    Chem.AssignStereochemistry(isomer, cleanIt=True, force=True)
    return str(Chem.MolToSmiles(isomer))


def without_passing_labels(mol: Chem.Mol) -> Chem.Mol:
    """The molecule without the labels of what turns over or moves by itself, which say nothing of it."""
    plain = Chem.Mol(mol)
    _unlabel_turning(plain)
    drop_proton_stereo(plain)
    return plain


def label_from_coordinates(mol: Chem.Mol) -> None:
    """Give a molecule, in place, the stereo labels that its conformer has."""
    _label_from_3d(mol)
    _unlabel_turning(mol)
    drop_proton_stereo(mol)


def _label_from_3d(mol: Chem.Mol) -> None:
    """Label what RDKit labels by coordinates, and pyramids, which hold their shape with three neighbours."""
    Chem.AssignStereochemistryFrom3D(mol, replaceExistingTags=True)
    pyramids = [atom for (atom,) in mol.GetSubstructMatches(_PYRAMID)]
    if not pyramids:
        return
    capped = Chem.RWMol(mol)
    places = mol.GetConformer().GetPositions()
    for atom in pyramids:
        # A lone pair is the last neighbour of its atom, as a hydrogen that is not drawn.
        arms = [places[near.GetIdx()] - places[atom] for near in mol.GetAtomWithIdx(atom).GetNeighbors()]
        away = places[atom] - sum(arm / np.linalg.norm(arm) for arm in arms)
        cap = capped.AddAtom(Chem.Atom(1))
        capped.AddBond(atom, cap, Chem.BondType.SINGLE)
        capped.GetAtomWithIdx(atom).SetFormalCharge(capped.GetAtomWithIdx(atom).GetFormalCharge() + 1)
        capped.GetConformer().SetAtomPosition(cap, away.tolist())
    Chem.SanitizeMol(capped)
    Chem.AssignStereochemistryFrom3D(capped, replaceExistingTags=True)
    for atom in pyramids:
        mol.GetAtomWithIdx(atom).SetChiralTag(capped.GetAtomWithIdx(atom).GetChiralTag())


def stereo_agrees(mol: Chem.Mol, conformer: int = -1) -> bool:
    """Whether the coordinates of a conformer have the stereo that the molecule's own labels ask for."""
    if not _has_labels(mol):
        return True
    asked = Chem.RemoveHs(Chem.Mol(mol, confId=conformer))
    _unlabel_turning(asked)
    measured = Chem.Mol(asked)
    _label_from_3d(measured)
    if _has_the_labels_of(measured, asked):
        return True
    _unlabel_open(measured, asked)
    return str(Chem.MolToSmiles(asked)) == str(Chem.MolToSmiles(measured))


def _open_infos(mol: Chem.Mol) -> list[Any]:
    """What RDKit could label and nobody has labelled, but for what turns over or moves by itself."""
    passing = proton_stereo(mol)
    settled = {*_amines(mol), *passing.atoms}
    return [
        info for info in Chem.FindPotentialStereo(_without_ammonium(mol), cleanIt=False)
        if info.specified == Chem.StereoSpecified.Unspecified
        and ((info.type == Chem.StereoType.Bond_Double and info.centeredOn not in passing.bonds
              and not _is_cumulated(mol.GetBondWithIdx(info.centeredOn))
              and not _is_imine_with_proton(mol.GetBondWithIdx(info.centeredOn)))
             or (info.type == Chem.StereoType.Atom_Tetrahedral and info.centeredOn not in settled))
    ]  # fmt: skip


def _is_cumulated(bond: Chem.Bond) -> bool:
    """Whether a double bond stands beside another one, as in an allene or a ketene: it has no E and Z."""
    ends = (bond.GetBeginAtom(), bond.GetEndAtom())
    return any(atom.GetHybridization() == Chem.HybridizationType.SP for atom in ends)


def _is_imine_with_proton(bond: Chem.Bond) -> bool:
    """Whether the double bond is one to a nitrogen with nothing but a hydrogen, which moves by itself."""
    ends = (bond.GetBeginAtom(), bond.GetEndAtom())
    return any(atom.GetAtomicNum() == _NITROGEN and atom.GetDegree() == 1 for atom in ends)


def _has_labels(mol: Chem.Mol) -> bool:
    return any(atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED for atom in mol.GetAtoms()) or any(
        bond.GetStereo() not in _OPEN_BONDS for bond in mol.GetBonds()
    )


def _has_the_labels_of(measured: Chem.Mol, asked: Chem.Mol) -> bool:
    """Whether all that is asked is labelled alike, as nearly always; other labels may say the same molecule."""
    return all(
        atom.GetChiralTag() in {Chem.ChiralType.CHI_UNSPECIFIED, twin.GetChiralTag()}
        for atom, twin in zip(asked.GetAtoms(), measured.GetAtoms(), strict=True)
    ) and all(
        bond.GetStereo() in _OPEN_BONDS
        or (
            bond.GetStereo() == twin.GetStereo()
            and list(bond.GetStereoAtoms()) == list(twin.GetStereoAtoms())
        )
        for bond, twin in zip(asked.GetBonds(), measured.GetBonds(), strict=True)
    )


def _unlabel_open(measured: Chem.Mol, asked: Chem.Mol) -> None:
    """Take away the labels of what the molecule leaves open: there every arrangement is the right one."""
    for atom, twin in zip(asked.GetAtoms(), measured.GetAtoms(), strict=True):
        if atom.GetChiralTag() == Chem.ChiralType.CHI_UNSPECIFIED:
            twin.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    for bond, twin in zip(asked.GetBonds(), measured.GetBonds(), strict=True):
        if bond.GetStereo() in _OPEN_BONDS:
            twin.SetStereo(Chem.BondStereo.STEREONONE)
    Chem.AssignStereochemistry(measured, cleanIt=True, force=True)


def _unlabel_turning(mol: Chem.Mol) -> None:
    labelled = [
        mol.GetAtomWithIdx(index)
        for index in _turning(mol)
        if mol.GetAtomWithIdx(index).GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED
    ]
    for atom in labelled:
        atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    if labelled:
        # What was a centre only because of that nitrogen, as the atom across its ring, is none any more.
        Chem.AssignStereochemistry(mol, cleanIt=True, force=True)


def _turning(mol: Chem.Mol) -> list[int]:
    """The nitrogens that turn over by themselves: they have a hydrogen, and no cage holds them."""
    amines = _amines(mol)
    # Any, because the types that come with RDKit have this list wrong.
    held: Any = []
    if amines:
        rdMolDescriptors.CalcNumBridgeheadAtoms(mol, held)
    return [index for index in amines if index not in held]


def _amines(mol: Chem.Mol) -> list[int]:
    return [
        atom.GetIdx()
        for atom in mol.GetAtoms()
        if atom.GetAtomicNum() == _NITROGEN and atom.GetTotalNumHs(includeNeighbors=True) > 0
    ]


def _ammonium(mol: Chem.Mol) -> list[int]:
    atoms = ((index, mol.GetAtomWithIdx(index)) for index in _turning(mol))
    return [
        index for index, atom in atoms
        if atom.GetTotalDegree() == _AMMONIUM_DEGREE and atom.GetNumExplicitHs() and atom.GetFormalCharge() > 0
    ]  # fmt: skip


def _without_ammonium(mol: Chem.Mol) -> Chem.Mol:
    """The molecule with its turning ammonium nitrogens as amines: no centre, nor what depends on them."""
    plain = Chem.Mol(mol)
    for index in _ammonium(mol):
        _add_protons(plain.GetAtomWithIdx(index), -1)
    return plain


def _smiles_with_charges(isomer: Chem.Mol, given: Chem.Mol, settled: set[int]) -> str:
    for index in _ammonium(given):
        _add_protons(isomer.GetAtomWithIdx(index), 1)
    # The nitrogen of quinuclidine does not turn, but it has no choice of its own either: the cage's carbons settle it.
    for index in settled:
        tag = given.GetAtomWithIdx(index).GetChiralTag()
        isomer.GetAtomWithIdx(index).SetChiralTag(tag)
    drop_proton_stereo(isomer)
    return str(Chem.MolToSmiles(isomer))


def _add_protons(atom: Chem.Atom, count: int) -> None:
    atom.SetFormalCharge(atom.GetFormalCharge() + count)
    atom.SetNumExplicitHs(atom.GetNumExplicitHs() + count)
    atom.UpdatePropertyCache()
