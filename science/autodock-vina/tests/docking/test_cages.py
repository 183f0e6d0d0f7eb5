"""What a cage settles is not open, and what is open beside it still is."""

import pytest
from rdkit import Chem

from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.stereo import stereo_choices
from panels import one_in

_SUBSTITUENTS = ["C", "O", "F", "OC(=O)", "C=C", "CC(=O)N", "N#C"]
# A symmetric cage with a place for a substituent, none of whose atoms is a stereocentre that could be otherwise.
_FRAMES = [
    "{}C12CC3CC(CC(C3)C1)C2",
    "{}C12CC3(C)CC(C)(CC(C3)C1)C2",
    "{}C12CC(C1)C2",
    "{}C12CC(C1)(C2)C(=O)OC",
    "{}C12CCC(CC1)CC2",
    "{}C12CCC(CC1)(CC2)C",
    "{}C12CCN(CC1)CC2",
    "{}C12CCC(C1)CC2",
    "{}C12C3C4C1C5C2C3C45",
    "{}C12CCC(CC1)OC2",
    "{}C12COC(OC1)OC2",
    "{}C1C2CC3CC(C2)CC1C3",
    "{}N1CC2CC1C2",
]
_NAMED = """
C1CC2CCC1C2
C1CC2CCC1CC2
C1C2CC1C2
C1C2CC3CC1CC(C2)C3
C1N2CN3CN1CN(C2)C3
C1CN2CCN1CC2
C1CN2CCC1CC2
C1CCC2OC2C1
C1CC2OC2C1
C1CC2CC2C1
C1CC2NC2C1
C1CC2CCC(C1)N2
CN1C2CCCC1CC2
O=C1C2CCC1CC2
O=C1CC2CCC(C1)N2C
FC1(F)C2CCC1CC2
CC12CCC(CC1)C(C)(C)O2
C12C3C4C1C5C2C3C45
NC12CC3CC(C1)CC2C3
C1C2CC3C4CC5CC(C14)C(C2)C3C5
NC12CC3C4CC5CC(C14)C(C3C5)C2
"""


def _choices(smiles):
    return stereo_choices(Chem.MolFromSmiles(smiles))


@pytest.mark.parametrize(
    "smiles",
    [*_NAMED.split(), *one_in(8, [frame.format(each) for frame in _FRAMES for each in _SUBSTITUENTS])],
)
def test_nothing_of_a_symmetric_cage_is_open(smiles):
    (only,), unknown = _choices(smiles)
    assert not unknown
    assert "@" not in Chem.MolToSmiles(only)


@pytest.mark.parametrize(
    ("smiles", "isomers"),
    [
        ("CN1C2CCC1CC(O)C2", 2), ("OC1CN2CCC1CC2", 2), ("CC1(C)C2CCC1(C)C(=O)C2", 2), ("OC1CC2CCC1C2", 4),
        ("CC1CCCC2OC12", 4), ("CC1=CCC2CC1C2(C)C", 2), ("O=C1NC2CCC1C2", 2), ("C1CC2CC1C1OC21", 2),
        ("N#CC1CCCN1C(=O)CNC12CC3CC(CC(O)(C3)C1)C2", 2), ("CC(N)C12CC3CC(CC(C3)C1)C2", 2),
        ("CN1C2CCC1CC(C2)OC(=O)C(CO)c1ccccc1", 4), ("COC(=O)C1C(OC(=O)c2ccccc2)CC2CCC1N2C", 8),
        ("CC12CC3(F)CC(Cl)(C1)CC(Br)(C3)C2", 2), ("C=CC1CN2CCC1CC2", 2),
        ("CC(C)CC(N)C(O)=O", 2), ("CC(C)Cc1ccc(cc1)C(C)C(O)=O", 2), ("OC1CCCCC1O", 3), ("CC1CCC(O)CC1", 2),
        ("C1CCC2CCCCC2C1", 2), ("CC(O)C(O)C", 3), ("CC(F)C(Cl)C", 4), ("CC1CC1C", 3), ("CC1OC1C", 3),
        ("CC(Br)CC(Br)C", 3), ("OC(=O)C(O)C(O)C(O)=O", 3), ("CC=CC", 2), ("CC(C)=NO", 1), ("CCC(C)=NO", 2),
        ("CS(=O)CC", 2), ("CC1CCNCC1C", 4), ("C1CC2CCCC2C1", 2), ("OC1CC(O)C1", 2), ("CC1CCCC(C)C1", 3),
        ("CN1CCCC1c1cccnc1", 2), ("OCC1OC(O)C(O)C(O)C1O", 32), ("CC(=O)C1CCC2C1CCC1C2CC=C2CC(O)CCC12", 64),
        ("CC1CC2CCC1C2", 4), ("NC1C2CCC1CC2", 1), ("CC1(N)C2CCC1CC2", 1), ("ClC1C2CC3CC(C2)CC1(Cl)C3", 2),
    ],
)  # fmt: skip
def test_what_leads_to_another_molecule_is_open(smiles, isomers):
    found, unknown = _choices(smiles)
    assert len(found) == isomers
    assert bool(unknown) == (isomers > 1)


@pytest.mark.long
def test_the_choice_does_not_depend_on_the_writing_and_can_be_built():
    mol = Chem.MolFromSmiles("CN1C2CCC1CC(C2)OC(=O)c1ccccc1")
    ligands = [
        prepare_ligand(RawLigand("smiles", Chem.MolToSmiles(mol, rootedAtAtom=atom)), 7.4)
        for atom in range(0, 18, 3)
    ]
    assert len({ligand.pdbqt for ligand in ligands}) == 1
    assert "1 stereocentre open" in ligands[0].warnings[0]["message"]


@pytest.mark.parametrize(
    ("smiles", "told"),
    [
        ("C[C@H](O)CN |&1:1|", "a racemate"), ("C[C@H](O)CN |o1:1|", "one of two mirror images"),
        ("C[C@H](O)CN |a:1|", None), ("C[C@H](O)CN |what|", None), ("C[C@H](O)CN", None),
    ],
)  # fmt: skip
def test_enhanced_stereo_is_told(smiles, told):
    warnings = [
        each
        for each in prepare_ligand(RawLigand("smiles", smiles), 7.4).warnings
        if each["code"] == "STEREO_RELATIVE"
    ]
    assert [told in each["message"] for each in warnings] == ([] if told is None else [True])


@pytest.mark.parametrize(
    ("smiles", "is_chiral"),
    [
        ("CC=C=CC", True), ("C=C=CC", False), ("CC(C)=C=CC", False),
        ("Oc1ccc2ccccc2c1-c1c(O)ccc2ccccc12", True), ("Cc1cccc(OC)c1-c1c(C)cccc1", True),
        ("Cc1cccc(C)c1-c1c(C)cccc1O", False), ("Cc1ccccc1-c1ccccc1C", False), ("c1ccccc1-c1ccccc1", False),
        ("Fc1ccccc1-c1c(O)cccc1F", False), ("Cc1cccc(C)c1-c1c(F)cccc1O", False), ("Cc1cccc(Cl)c1-c1c(C)cccc1Br", True),
        ("O=C1CCCC12CCCC2=O", True), ("O=C1CCCC12CCCC2", False), ("O=C1NC(=O)CC12CCCCC2", False),
    ],
)  # fmt: skip
def test_a_chiral_axis_is_told(smiles, is_chiral):
    codes = [each["code"] for each in prepare_ligand(RawLigand("smiles", smiles), 7.4).warnings]
    assert ("STEREO_AXIS_OPEN" in codes) == is_chiral
