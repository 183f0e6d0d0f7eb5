"""Groups that only the places of their protons tell apart make no stereocentre and no double bond with two sides."""

import functools

import pytest
from rdkit import Chem

from dockyard_science.ccd import default_ccd
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_preview import preview
from dockyard_science.ligand_protonation import protonate
from dockyard_science.ligand_sources import RawLigand

# At these pH values the model takes the protons of one of two equal groups only.
ONE_SIDED = {
    "alendronic acid": ("NCCCC(O)(P(O)(O)=O)P(O)(O)=O", 7.4),
    "pamidronic acid": ("NCCC(O)(P(O)(O)=O)P(O)(O)=O", 7.4),
    "neridronic acid": ("NCCCCCC(O)(P(O)(O)=O)P(O)(O)=O", 7.4),
    "ibandronic acid": ("CCCCCN(C)CCC(O)(P(O)(O)=O)P(O)(O)=O", 7.4),
    "etidronic acid": ("CC(O)(P(O)(O)=O)P(O)(O)=O", 7.4),
    "zoledronic acid": ("OC(Cn1ccnc1)(P(O)(O)=O)P(O)(O)=O", 7.4),
    "risedronic acid": ("OC(Cc1cccnc1)(P(O)(O)=O)P(O)(O)=O", 7.4),
    "minodronic acid": ("OC(Cc1cnc2ccccn12)(P(O)(O)=O)P(O)(O)=O", 7.4),
    "incadronic acid": ("OP(O)(=O)C(NC1CCCCCC1)P(O)(O)=O", 7.4),
    "tiludronic acid": ("OP(O)(=O)C(Sc1ccc(Cl)cc1)P(O)(O)=O", 7.4),
    "etidronic acid, once": ("CC(O)(P(O)(O)=O)P(O)(O)=O", 2.0),
    "etidronic acid, whole but for one": ("CC(O)(P(O)(O)=O)P(O)(O)=O", 9.0),
}
# Drawn with the proton on one of two equal groups, once with a label and once without.
DRAWN = {
    "dihydrogen citrate": ("OC(=O)C[C@](O)(CC([O-])=O)C(O)=O", "OC(CC(O)=O)(CC([O-])=O)C(O)=O"),
    "hydrogen methylmalonate": ("C[C@H](C(O)=O)C([O-])=O", "CC(C([O-])=O)C(O)=O"),
    "hydrogen phenylmalonate": ("OC(=O)[C@@H](C([O-])=O)c1ccccc1", "OC(=O)C(C([O-])=O)c1ccccc1"),
    "hydrogen 3-methylglutarate": ("C[C@H](CC(O)=O)CC([O-])=O", "CC(CC(O)=O)CC([O-])=O"),
    "2-methylpropane-1,3-diamine, once": ("C[C@H](CN)C[NH3+]", "CC(CN)C[NH3+]"),
    "medronate of an alcohol": ("C[C@](O)(P(O)(O)=O)P(O)([O-])=O", "CC(O)(P(O)([O-])=O)P(O)(O)=O"),
    "glycerol 1,3-bisphosphate": ("O[C@@H](COP(O)(O)=O)COP([O-])(O)=O", "OC(COP(O)(O)=O)COP([O-])(O)=O"),
    "dimethyl phosphate of butanol": ("CCCCO[P@]([O-])(=O)OC", "CCCCOP([O-])(=O)OC"),
    "a dithiophosphate": ("CCO[P@]([S-])(=S)OC", "CCOP([S-])(=S)OC"),
    "a sulfinate": ("CC[S@](=O)[O-]", "CCS(=O)[O-]"),
    "a vinylidene bisphosphonate": ("F/C=C(/P(O)([O-])=O)P(O)(O)=O", "FC=C(P(O)([O-])=O)P(O)(O)=O"),
    "its other drawing": (r"F/C=C(\P(O)([O-])=O)P(O)(O)=O", "FC=C(P(O)(O)=O)P(O)([O-])=O"),
    "an alkylidene malonate": (r"C/C=C(/C([O-])=O)C(O)=O", "CC=C(C([O-])=O)C(O)=O"),
}
# Acids of phosphorus and sulfur without any centre in whatever state.
WITHOUT = {
    "clodronic acid": "OP(O)(=O)C(Cl)(Cl)P(O)(O)=O",
    "medronic acid": "OP(O)(=O)CP(O)(O)=O",
    "foscarnet": "OC(=O)P(O)(O)=O",
    "fosmidomycin": "O=CN(O)CCCP(O)(O)=O",
    "taurine": "NCCS(O)(=O)=O",
    "acamprosate": "CC(=O)NCCCS(O)(=O)=O",
    "citric acid": "OC(=O)CC(O)(CC(O)=O)C(O)=O",
    "phytic acid without its ring's labels": "OP(O)(=O)OCCOP(O)(O)=O",
}
# Centres that are real, with how many of them are left open.
REAL = {
    "Sp-cAMPS": ("Nc1ncnc2n(cnc12)[C@@H]1O[C@@H]2CO[P@](O)(=S)O[C@H]2[C@H]1O", 0, 5),
    "a thiophosphate": ("CCOP(O)(=S)OC", 1, 1),
    "sofosbuvir's phosphorus": ("COC(=O)CNP(=O)(OCC)Oc1ccccc1", 1, 1),
    "fosfomycin": ("C[C@@H]1O[C@@H]1P(O)(O)=O", 0, 2),
    "a chiral ester of phosphoric acid": ("FC(Cl)COP(O)(=O)OCC", 1, 1),
    "a sulfinic ester": ("CCS(=O)OC", 1, 1),
    "hydrogen tartrate": ("O[C@H]([C@@H](O)C([O-])=O)C(O)=O", 0, 2),
    "meso-hydrogen tartrate": ("O[C@@H]([C@@H](O)C([O-])=O)C(O)=O", 0, 2),
    "two phosphonates of which one is an ester": ("CC(O)(P(O)(=O)OC)P(O)(O)=O", 1, 1),
    "hydrogen fumarate": (r"OC(=O)/C=C/C([O-])=O", 0, 0),
    "a hydrogen 1,3-cyclopentanedicarboxylate": ("OC(=O)[C@H]1CC[C@@H](C1)C([O-])=O", 0, 2),
}
# One drawing of each of these has labels that mean nothing, as the dictionary's of NAD and ATP have.
LABELLED_PHOSPHATES = {
    "an ester of pyrophosphate": (
        "CO[P@](O)(=O)O[P@@](O)(=O)OC[C@H](F)Cl",
        "COP(O)(=O)OP(O)(=O)OC[C@H](F)Cl",
    ),
    "a cyclic phosphate": ("C[C@H]1CO[P@](O)(=O)O1", "C[C@H]1COP(O)(=O)O1"),
}


# Adenosine, whose last atom is the carbon with the 5' oxygen.
ADENOSINE = "Nc1ncnc2n(cnc12)[C@@H]1O[C@@H]([C@@H](O)[C@H]1O)C"


@functools.cache
def prepare(smiles, ph=7.4, protonation="model"):
    return prepare_ligand(RawLigand("smiles", smiles), ph, protonation)


def labels(smiles):
    mol = Chem.MolFromSmiles(smiles)
    return sum(atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED for atom in mol.GetAtoms())


def stereo_warnings(ligand):
    return [warning for warning in ligand.warnings if warning["code"] == "STEREO_UNSPECIFIED"]


def charges_of(smiles, element):
    """The charge of the end oxygens of each atom of an element."""
    mol = Chem.MolFromSmiles(smiles)
    return sorted(
        sum(near.GetFormalCharge() for near in atom.GetNeighbors())
        for atom in mol.GetAtoms()
        if atom.GetSymbol() == element
    )


@pytest.mark.parametrize("name", ONE_SIDED)
def test_a_group_that_lost_its_proton_first_makes_no_centre(name):
    smiles, ph = ONE_SIDED[name]
    ligand = prepare(smiles, ph)
    first, second = charges_of(ligand.smiles_docked, "P")
    assert second - first == 1
    assert "@" not in ligand.smiles_docked
    assert (ligand.open_stereo.centres, stereo_warnings(ligand)) == (0, [])
    assert "@" not in preview({"kind": "smiles", "smiles": smiles}, ph, default_ccd())["smiles"]


@pytest.mark.parametrize("name", DRAWN)
def test_a_label_that_only_a_proton_makes_is_dropped(name):
    labelled, plain = (prepare(smiles, protonation="as_given") for smiles in DRAWN[name])
    assert not set("@/\\") & set(labelled.smiles_docked)
    assert labelled.pdbqt == plain.pdbqt
    for ligand in (labelled, plain):
        assert (bool(ligand.open_stereo), stereo_warnings(ligand)) == (False, [])


@pytest.mark.parametrize("name", LABELLED_PHOSPHATES)
def test_a_label_of_a_phosphate_means_nothing_at_any_ph(name):
    labelled, plain = LABELLED_PHOSPHATES[name]
    for ph in (1.0, 7.4):
        assert prepare(labelled, ph).pdbqt == prepare(plain, ph).pdbqt
        assert prepare(labelled, ph).smiles_docked == prepare(plain, ph).smiles_docked
        assert labels(prepare(plain, ph).smiles_docked) == 1
        assert preview({"kind": "smiles", "smiles": labelled}, ph, default_ccd()) == preview(
            {"kind": "smiles", "smiles": plain}, ph, default_ccd()
        )


@pytest.mark.parametrize("name", WITHOUT)
@pytest.mark.parametrize("ph", [3.0, 5.0, 7.4, 9.0])
def test_no_state_of_an_acid_without_a_centre_has_one(name, ph):
    ligand = prepare(WITHOUT[name], ph)
    assert "@" not in ligand.smiles_docked
    assert (bool(ligand.open_stereo), stereo_warnings(ligand)) == (False, [])


@pytest.mark.parametrize("name", REAL)
def test_a_centre_that_other_atoms_make_stays(name):
    smiles, unknown, labelled = REAL[name]
    ligand = prepare(smiles, protonation="as_given")
    assert ligand.open_stereo.centres == unknown
    assert len(stereo_warnings(ligand)) == (unknown > 0)
    assert labels(ligand.smiles_docked) == labelled
    assert ("/" in smiles) == ("/" in ligand.smiles_docked)


@pytest.mark.parametrize(
    ("smiles", "is_open"),
    [
        ("CNC(=N)NCCC[C@H](N)C(=O)O", False), ("CN=C(N)NCCC[C@H](N)C(=O)O", False), ("CC(N)=NC", False),
        ("CC(C)N=C(N)N=C(N)Nc1ccc(Cl)cc1", False), ("CC(C)NC(=N)NC(=N)Nc1ccc(Cl)cc1", False),
        # An oxime keeps its side, and an imine without a second nitrogen has one.
        ("NC(=NO)c1ccccc1", True), ("CC(=NC)c1ccccc1", True),
    ],
)  # fmt: skip
def test_the_cation_of_an_amidine_has_no_double_bond_that_is_open(smiles, is_open):
    codes = [each["code"] for each in prepare_ligand(RawLigand("smiles", smiles), 7.4).warnings]
    assert ("STEREO_UNSPECIFIED" in codes) == is_open


def test_the_phosphonates_of_a_bisphosphonate_lose_their_first_protons_in_turn():
    etidronic = Chem.MolFromSmiles("CC(O)(P(O)(O)=O)P(O)(O)=O")
    states = [
        charges_of(Chem.MolToSmiles(protonate(etidronic, ph, []).mol), "P")
        for ph in (0.0, 2.0, 4.5, 8.0, 12.0)
    ]
    assert states == [[0, 0], [-1, 0], [-1, -1], [-2, -1], [-2, -2]]


@pytest.mark.parametrize(
    ("smiles", "charge"),
    [
        ("Nc1ncnc2n(cnc12)[C@@H]1O[C@@H]2CO[P@](O)(=S)O[C@H]2[C@H]1O", -1),  # Sp-cAMPS
        ("CCOP(=S)(OCC)O", -1),
        ("CCOP(=O)(OCC)S", -1),
        ("CCOP(=S)(OCC)S", -1),
        ("CCOP(=S)(OCC)OCC", 0),
        ("CCOP(=S)(OC)SCC(=O)NC", 0),  # dimethoate's kind, an ester
        ("NCCCNCCSP(O)(O)=O", 0),  # amifostine: two ammonium groups and a thiophosphate
        ("CN(CC(O)=O)C(=N)NP(O)(O)=O", -2),  # phosphocreatine
        (f"{ADENOSINE}OP(O)(=O)OP(O)(=O)OP(O)(O)=O", -4),  # ATP
        (f"{ADENOSINE}OP(O)(=O)OP(O)(=O)NP(O)(O)=O", -4),  # AMP-PNP
        (f"{ADENOSINE}OP(O)(=O)OP(O)(=O)CP(O)(O)=O", -4),  # AMP-PCP
        (f"{ADENOSINE}OP(O)(=O)OP(O)(=O)OP(O)(O)=S", -4),  # ATP gamma S
        (f"{ADENOSINE}OP(O)(=O)NCC", -1),
        ("CC(Cn1cnc2c(N)ncnc12)OCP(O)(=O)OP(O)(=O)OP(O)(O)=O", -4),  # tenofovir diphosphate
        ("CC1OC(OP(O)(=O)NC(CC(C)C)C(=O)NC)C(O)C(O)C1O", -1),  # phosphoramidon's kind
        ("CCO[PH](O)=O", -1),
        ("CP(O)(F)=O", -1),
    ],
)
def test_an_acid_of_phosphorus_has_lost_its_protons(smiles, charge):
    assert prepare(smiles).formal_charge == charge
