"""Chooses one stereoisomer where the customer left some stereo open, and checks that it is what was built.

The choice does not depend on how the molecule was written: isomers are ordered by their canonical SMILES, and the
first that has a three-dimensional structure is taken. What was given is never changed.
"""

from dataclasses import dataclass

from rdkit import Chem
from rdkit.Chem import rdMolTransforms
from rdkit.Chem.EnumerateStereoisomers import EnumerateStereoisomers, StereoEnumerationOptions

# Beyond this many isomers a sample of them is ordered; the sample is drawn from a fixed seed.
_MAX_ISOMERS = 64
_SAMPLE_SEED = 20817

_CIS = frozenset({Chem.BondStereo.STEREOZ, Chem.BondStereo.STEREOCIS})
_TRANS = frozenset({Chem.BondStereo.STEREOE, Chem.BondStereo.STEREOTRANS})
_TETRAHEDRAL = frozenset({Chem.ChiralType.CHI_TETRAHEDRAL_CW, Chem.ChiralType.CHI_TETRAHEDRAL_CCW})


@dataclass(frozen=True)
class OpenStereo:
    """How many stereocentres and double bonds of a molecule are not given."""

    centres: int
    double_bonds: int

    def __bool__(self) -> bool:
        """Whether anything is open."""
        return self.centres + self.double_bonds > 0


def open_stereo(mol: Chem.Mol) -> OpenStereo:
    """Count what is not given. A nitrogen that carries a hydrogen turns over by itself and does not count."""
    infos = [
        info for info in Chem.FindPotentialStereo(mol, cleanIt=False)
        if info.specified == Chem.StereoSpecified.Unspecified
    ]  # fmt: skip
    centres = [
        mol.GetAtomWithIdx(info.centeredOn) for info in infos if info.type == Chem.StereoType.Atom_Tetrahedral
    ]
    return OpenStereo(
        centres=sum(not _turns_over(atom) for atom in centres),
        double_bonds=sum(info.type == Chem.StereoType.Bond_Double for info in infos),
    )


def isomers(mol: Chem.Mol) -> list[Chem.Mol]:
    """The isomers of a molecule in the fixed order of their canonical SMILES; itself where all stereo is given."""
    if not open_stereo(mol):
        return [mol]
    options = StereoEnumerationOptions(
        tryEmbedding=False, onlyUnassigned=True, unique=True, maxIsomers=_MAX_ISOMERS, rand=_SAMPLE_SEED
    )
    smiles = {_stable_smiles(isomer) for isomer in EnumerateStereoisomers(mol, options=options)}
    found = (Chem.MolFromSmiles(text) for text in sorted(smiles))
    return [isomer for isomer in found if isomer is not None]


def label_from_coordinates(mol: Chem.Mol) -> None:
    """Give a molecule, in place, the stereo labels that its conformer has."""
    Chem.AssignStereochemistryFrom3D(mol, replaceExistingTags=True)
    _unlabel_turning(mol)


def _stable_smiles(isomer: Chem.Mol) -> str:
    _unlabel_turning(isomer)
    return str(Chem.MolToSmiles(isomer))


def _unlabel_turning(mol: Chem.Mol) -> None:
    for atom in mol.GetAtoms():
        if _turns_over(atom):
            atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)


def _turns_over(atom: Chem.Atom) -> bool:
    return atom.GetAtomicNum() == 7 and atom.GetTotalNumHs() > 0


def stereo_agrees(mol: Chem.Mol, conformer: int = -1) -> bool:
    """Whether the coordinates of a conformer have the stereo that the molecule's own labels ask for."""
    measured = Chem.Mol(mol, confId=conformer)
    Chem.AssignStereochemistryFrom3D(measured, replaceExistingTags=True)
    for atom, twin in zip(mol.GetAtoms(), measured.GetAtoms(), strict=True):
        if atom.GetChiralTag() in _TETRAHEDRAL and atom.GetChiralTag() != twin.GetChiralTag():
            return False
    return all(_bond_agrees(bond, measured) for bond in mol.GetBonds())


def _bond_agrees(bond: Chem.Bond, measured: Chem.Mol) -> bool:
    stereo = bond.GetStereo()
    if stereo not in _CIS | _TRANS:
        return True
    first, last = bond.GetStereoAtoms()
    atoms = (first, bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), last)
    angle = abs(rdMolTransforms.GetDihedralDeg(measured.GetConformer(), *atoms))
    return (angle < 90) == (stereo in _CIS)
