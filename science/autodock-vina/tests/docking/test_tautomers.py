"""An unlikely tautomer is told with its likely form, and the table that says so is proven by pairs with sources."""

import pytest
from rdkit import Chem

from docking_world import DATA
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_neutral import neutral_form
from dockyard_science.ligand_preview import preview
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.pka_table import read_table
from dockyard_science.tautomers import likely_tautomer

PH = 7.4
WRITINGS = 3
TABLE = [
    (name, *pair.split(">"), source)
    for name, _, pairs, source in read_table("tautomers.tsv")
    for pair in pairs.split(", ")
]
# Each is what there is in water, or the two forms are close.
AS_THEY_ARE = {
    "paracetamol": "CC(=O)Nc1ccc(O)cc1",
    "3-hydroxypyridine": "Oc1cccnc1",
    "8-hydroxyquinoline": "Oc1cccc2cccnc12",
    "5-hydroxyquinoline": "Oc1cccc2ncccc12",
    "3-hydroxyisoquinoline": "Oc1cc2ccccc2cn1",
    "6-chloro-2-hydroxypyridine": "Oc1cccc(Cl)n1",
    "2-chloro-4-hydroxypyridine": "Oc1ccnc(Cl)c1",
    "muscimol, a 3-hydroxyisoxazole": "NCc1cc(O)no1",
    "edaravone": "CC1=NN(c2ccccc2)C(=O)C1",
    "warfarin": "CC(=O)CC(c1ccccc1)c1c(O)c2ccccc2oc1=O",
    "piroxicam": "CN1C(C(=O)Nc2ccccn2)=C(O)c2ccccc2S1(=O)=O",
    "ascorbic acid": "OC[C@H](O)[C@H]1OC(=O)C(O)=C1O",
    "acetylacetone": "CC(=O)CC(C)=O",
    "ethyl acetoacetate": "CCOC(=O)CC(C)=O",
    "Meldrum's acid": "CC1(C)OC(=O)CC(=O)O1",
    "phenobarbital": "CCC1(c2ccccc2)C(=O)NC(=O)NC1=O",
    "anthrone": "O=C1c2ccccc2Cc2ccccc21",
    "doxycycline": "C[C@@H]1c2cccc(O)c2C(=O)C2=C(O)[C@]3(O)C(=O)C(C(N)=O)=C(O)[C@@H](N(C)C)[C@@H]3[C@@H](O)[C@@H]21",
    "mycophenolic acid": r"COc1c(C)c2COC(=O)c2c(O)c1C\C=C(/C)CCC(O)=O",
    "quercetin": "O=c1c(O)c(-c2ccc(O)c(O)c2)oc2cc(O)cc(O)c12",
    "clonidine": "Clc1cccc(Cl)c1N=C1NCCN1",
    "minoxidil": "Nc1cc(N2CCCCC2)nc(N)[n+]1[O-]",
    "famotidine": "NC(N)=Nc1nc(CSCCC(N)=NS(N)(=O)=O)cs1",
    "captopril": "C[C@H](CS)C(=O)N1CCC[C@H]1C(O)=O",
    "4-mercaptophenol": "Oc1ccc(S)cc1",
    "deferasirox": "OC(=O)c1ccc(cc1)-n1nc(nc1-c1ccccc1O)-c1ccccc1O",
}


def _pairs():
    lines = (DATA / "tautomers.tsv").read_text().splitlines()
    return [tuple(line.split("\t")) for line in lines if not line.startswith("#")][1:]


PANEL = _pairs()


def _uncharged(smiles):
    return Chem.MolToSmiles(neutral_form(Chem.MolFromSmiles(smiles)))


def _likely(smiles):
    found = likely_tautomer(Chem.MolFromSmiles(smiles))
    return None if found is None else (Chem.MolToSmiles(found.mol), found.kinds)


def _warnings(ligand, code):
    return [each["message"] for each in ligand.warnings if each["code"] == code]


def _prepare(smiles, tautomer="as_sent", protonation="model"):
    return prepare_ligand(RawLigand("smiles", smiles), PH, protonation, tautomer)


@pytest.mark.parametrize(("name", "unlikely", "likely", "source"), TABLE)
def test_every_row_makes_the_likely_form_of_its_pairs_by_itself(name, unlikely, likely, source):
    assert _likely(unlikely) == (_uncharged(likely), {name: source})


def test_at_least_120_pairs_with_sources_become_their_likely_form_and_keep_it():
    assert len({_uncharged(pair[1]) for pair in [*TABLE, *PANEL]}) >= 120
    wrong = []
    for name, unlikely, likely, source in [*TABLE, *PANEL]:
        assert source, name
        found = _likely(unlikely)
        if found is None or found[0] != _uncharged(likely) or _likely(likely) is not None:
            wrong.append((name, unlikely, likely, found, _likely(likely)))
    assert wrong == []


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.long)])
def test_the_outcome_does_not_depend_on_how_the_molecule_is_written(step):
    for name, unlikely, *_ in [*TABLE, *PANEL][::step]:
        written = Chem.MolToRandomSmilesVect(Chem.MolFromSmiles(unlikely), WRITINGS, randomSeed=7)
        assert {_likely(each)[0] for each in written} == {_likely(unlikely)[0]}, name


@pytest.mark.parametrize("name", AS_THEY_ARE)
def test_what_is_likely_or_close_is_left_alone(name):
    assert _likely(AS_THEY_ARE[name]) is None


def test_a_ligand_is_docked_as_it_was_sent_and_its_likely_form_is_told_with_the_source():
    ligand = _prepare("Oc1ccccn1")
    assert ligand.smiles_docked == "Oc1ccccn1"
    assert "tautomer" not in ligand.record()
    (message,) = _warnings(ligand, "TAUTOMER_UNLIKELY")
    assert "there it is O=c1cccc[nH]1: 2-hydroxyazine (Tautobase row" in message


@pytest.mark.parametrize(("ph", "told"), [(7.4, 0), (2.0, 1)])
def test_a_thiol_is_not_called_unlikely_where_it_is_docked_as_the_ion_that_its_thione_gives(ph, told):
    ligand = prepare_ligand(RawLigand("smiles", "Cn1nnnc1S"), ph)
    assert len(_warnings(ligand, "TAUTOMER_UNLIKELY")) == told
    assert ligand.formal_charge == told - 1


def test_the_likely_form_is_docked_where_it_is_asked_for_and_that_is_told():
    ligand = _prepare("Oc1ccccn1", "likely")
    plain = _prepare("O=c1cccc[nH]1")
    assert (ligand.pdbqt, ligand.smiles_docked) == (plain.pdbqt, "O=c1cccc[nH]1")
    assert (ligand.record()["tautomer"], ligand.smiles_input) == ("likely", "Oc1ccccn1")
    assert _warnings(ligand, "TAUTOMER_UNLIKELY") == []
    assert len(_warnings(ligand, "TAUTOMER_CHANGED")) == 1
    assert plain.warnings == []


@pytest.mark.parametrize(
    ("smiles", "charge"),
    [
        ("CC(=O)CC(c1ccccc1)C1C(=O)Oc2ccccc2C1=O", -1),  # warfarin
        ("CN1C(C(=O)Nc2ccccn2)C(=O)c2ccccc2S1(=O)=O", -1),  # piroxicam
        ("N=c1cc[nH]c(=O)[nH]1", 0),  # cytosine
        ("Oc1ccnc(O)n1", 0),  # uracil
    ],
)
def test_the_likely_form_has_the_charge_of_the_molecule(smiles, charge):
    ligand = _prepare(smiles, "likely")
    assert ligand.formal_charge == charge
    assert not _warnings(ligand, "PROTONATION_DOUBTFUL")


def test_a_centre_that_stays_keeps_its_label_and_an_enolate_is_no_unlikely_form():
    given = "C[C@H](N)C(=O)Nc1ccc(O)nc1"
    assert _likely(given)[0] == "C[C@H](N)C(=O)Nc1ccc(=O)[nH]c1"
    assert _likely("CC(=O)CC(c1ccccc1)c1c([O-])c2ccccc2oc1=O") is None


def test_a_state_that_was_sent_as_given_is_left_alone():
    ligand = _prepare("Oc1ccccn1", protonation="as_given")
    assert ligand.warnings == []


def test_a_preview_tells_it_too():
    found = preview({"kind": "smiles", "smiles": "Sc1ccccn1"}, PH, None)
    assert [each["code"] for each in found["warnings"]].count("TAUTOMER_UNLIKELY") == 1
