"""The charge of molecules that nobody chose for the tables, and of the classes that measured values mended."""

import re

import pytest
from rdkit import Chem, RDLogger

from docking_world import DATA
from dockyard_science.ligand_protonation import NEAR_PKA_UNITS, protonate
from dockyard_science.pka_table import read_table

PH = 7.4


@pytest.fixture(autouse=True)
def quiet():
    RDLogger.DisableLog("rdApp.*")
    yield
    RDLogger.EnableLog("rdApp.*")


def titrate(smiles, ph=PH):
    warnings = []
    made = protonate(Chem.MolFromSmiles(smiles), ph, warnings)
    return Chem.GetFormalCharge(made.mol), {warning["code"] for warning in warnings}


def _panel():
    lines = (DATA / "drugs-measured.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return {
        name: (smiles, int(charge), [float(value) for value in pkas.split()])
        for name, smiles, charge, pkas, _ in rows
    }


PANEL = _panel()
NEAR = {name for name, (_, _, pkas) in PANEL.items() if any(abs(pka - PH) <= NEAR_PKA_UNITS for pka in pkas)}


def test_drugs_that_no_row_was_made_for_have_the_charge_of_their_measured_pkas():
    far = PANEL.keys() - NEAR
    wrong = {name for name in far if titrate(PANEL[name][0])[0] != PANEL[name][1]}
    assert len(PANEL) == 40
    assert len(wrong) <= 0.05 * len(far), sorted(wrong)
    assert all(any(code.startswith("PROTONATION") for code in titrate(PANEL[name][0])[1]) for name in wrong)


@pytest.mark.parametrize("name", sorted(NEAR))
def test_a_drug_near_its_measured_pka_is_right_or_warned_about(name):
    smiles, charge, _ = PANEL[name]
    found, codes = titrate(smiles)
    assert found == charge or "PROTONATION_NEAR_PKA" in codes


@pytest.mark.parametrize(
    ("smiles", "pka", "ph", "expected"),
    [
        # Acids.
        ("COc1ccc(cc1)C1=C(O)c2ccccc2C1=O", 4.1, 7.4, -1),  # anisindione
        ("CCCCC1=C(O)N(c2ccccc2)N(c2ccccc2)C1=O", 4.5, 7.4, -1),  # enol of phenylbutazone
        ("CS(=O)(=O)Nn1c(=O)[nH]c2cc(C(F)(F)F)ccc2c1=O", 8.4, 7.4, 0),
        ("O=C(Nc1cccc(Cl)c1)c1ccccc1O", 7.2, 7.4, -1),
        ("CSC1=NC(=O)C(=O)NN1C", 4.1, 7.4, -1),  # side chain of ceftriaxone
        ("O=C1C=C(O)C(=O)c2ccccc12", 3.2, 7.4, -1),  # lawsone
        ("O=c1cccc(O)cc1", 5.6, 7.4, -1),
        ("O=c1ccc2nc3ccc(O)cc3oc-2c1", 5.8, 7.4, -1),  # resorufin
        ("Oc1cc(-c2ccccc2)no1", 4.0, 7.4, -1),
        ("Cc1c(-c2ccccc2)nn(-c2ccccc2)c1O", 7.8, 8.0, -1),
        ("N#Cc1c(-c2ccccc2)nc(SCc2ccccc2)[nH]c1=O", 4.5, 7.4, -1),
        ("Cn1cnc2c(=O)[nH]c(=O)[nH]c21", 6.15, 7.4, -1),  # 9-methylxanthine
        ("COc1nc([N+](=O)[O-])n[nH]1", 5.35, 7.4, -1),
        ("O=C(Nc1nnc(-c2cccs2)o1)c1cccc(C(F)(F)F)c1", 5.7, 7.4, -1),
        ("O=C(Nc1nnc(-c2ccccc2)s1)c1ccccc1", 6.8, 7.4, -1),
        ("CCN(CC)C(=S)NC(=O)c1ccccc1", 8.45, 9.0, -1),
        ("NS(=O)(=O)C(F)(F)Cl", 6.5, 7.4, -1),
        ("CC1=NS(=O)(=O)c2ncccc2N1", 7.6, 8.0, -1),
        ("ON1C(=O)CCC1=O", 6.0, 7.4, -1),
        ("CC(=O)NOC(C)=O", 6.8, 7.4, -1),
        ("O=C1CCON1", 6.7, 7.4, -1),
        ("Oc1ccc(cc1)[N+](=O)[O-]", 7.15, 6.9, 0),  # its nitro group is no ammonium
        ("Oc1ccc(cc1)[N+](=O)[O-]", 7.15, 7.4, -1),
        ("CCOC(=O)C(=NO)C(=O)OCC", 5.5, 7.4, -1),
        ("COC(=O)C(=NO)c1ccccc1", 8.9, 9.4, -1),
        ("CNC(=O)CS", 8.05, 8.5, -1),
        ("O[n+]1ccccc1", 0.8, 4.0, 0),
        ("NCCSS(=O)(=O)O", 0.5, 7.4, 0),
        ("Cn1nc(O)c(=O)nc1SC", 4.1, 7.4, -1),  # the ring of ceftriaxone
        ("Cc1nc(-n2ccc(O)cc2=O)sc1C(=O)NCc1ccccc1", 5.2, 7.4, -1),
        ("O=c1cc(CSc2cccc(F)c2F)nc2cc[nH]n12", 7.35, 8.0, -1),
        ("O=c1cc(CSc2cccc(F)c2F)[nH]c2ccnn12", 7.35, 8.0, -1),
        ("Cn1c(=O)n(NS(C)(=O)=O)c(=O)c2ccc(Cl)cc21", 6.8, 7.4, -1),
        # Bases.
        ("C1=C(c2ccccc2)C2CCN1CC2", 9.1, 7.4, 1),
        ("Cn1ccc(=N)c2ccccc21", 12.4, 7.4, 1),
        ("N=c1[nH]ccs1", 5.4, 7.4, 0),  # the other tautomer of 2-aminothiazole
        ("Cn1ccsc1=N", 10.0, 7.4, 1),
        ("C1=CN2CC(c3ccccc3)N=C2S1", 8.7, 7.4, 1),
        ("CC(C)Oc1ccc(Cc2ccc(NC3=NCCN3)cc2)cc1", 10.5, 9.0, 1),
        ("CCN(CC)N(CC)CC", 7.3, 6.0, 1),
        ("CNc1ccncn1", 6.1, 5.0, 1),
        ("COC(=N)N", 9.7, 9.0, 1),
        ("CCN(Cl)CC", 1.0, 7.4, 0),
        ("C1CSC(N1)c1ccccc1", 5.3, 7.4, 0),
        ("Nc1nc(N)c2[nH]cnc2n1", 5.05, 6.0, 0),
        ("Nc1nc(N)c2cn[nH]c2n1", 5.6, 6.0, 0),
        ("C=CC(=O)Nc1cccc(Nc2nc(Nc3ccc(OCCOC)cc3)ncc2F)c1", 4.8, 6.0, 0),
        ("CC(N)=NN(C)C", 10.0, 11.0, 0),
        ("NC1=Nc2ccccc2CC1", 9.55, 7.4, 1),
        ("N=C1CCc2ccccc2N1", 9.55, 7.4, 1),
        # Two bases, of which the weaker one has an acceptor beside it.
        ("N=C(N)c1ccc([C@H]2[C@H]3C(=O)N(Cc4ccc(F)cc4)[C@H](CF)[C@H]3[C@@H]3CCCN32)cc1", 6.0, 7.4, 1),
    ],
)
def test_classes_have_the_state_that_was_measured(smiles, pka, ph, expected):
    assert abs(pka - ph) > 0.19
    assert titrate(smiles, ph)[0] == expected


@pytest.mark.parametrize(
    ("smiles", "expected"),
    [
        ("Clc1cccc(Cl)c1N=C1NCCN1", 1),  # clonidine 8.05
        ("Clc1ccc2nsnc2c1NC1=NCCN1", 0),  # tizanidine 7.35
        ("Brc1c(NC2=NCCN2)ccc2nccnc12", 0),  # brimonidine 7.4
        ("Oc1ccc2ccc(=O)oc2c1", 0),  # umbelliferone 7.8
        ("NNC(=O)c1ccncc1", 0),  # isoniazid
        ("CON", 0),  # methoxyamine 4.6
        ("CNC1=Nc2ccc(Cl)cc2C(c2ccccc2)=[N+]([O-])C1", 0),  # chlordiazepoxide 4.8
        ("CN1CCN(CC1)C1=Nc2cc(Cl)ccc2Oc2ccccc12", 1),  # loxapine, its piperazine alone
        ("CC(=O)Nc1nnc(s1)S(N)(=O)=O", -1),  # acetazolamide 7.2, its amide 8.9
        ("Nc1ncnc2n(cnc12)C1OC(CO)C(O)C1O", 0),  # adenosine 3.6
    ],
)
def test_neighbours_of_the_mended_classes_stay_as_they_were(smiles, expected):
    assert titrate(smiles)[0] == expected


@pytest.mark.parametrize("table", ["pka_sites.tsv", "pka_shifts.tsv"])
def test_every_figure_says_whether_it_was_looked_up(table):
    papers = r"Baltruschat & Czodrowski 2020|Genzling 2024|Sanchez 2024|Floris 2024|Jensen 2017|Pan 2021"
    read = r"DataWarrior|iBonD|IUPAC digitized 2026|doi:10\.\d+/|https?://|dimorphite-dl 2\.1\.0"
    said = re.compile(rf"{papers}|{read}|not looked up")
    silent = [row[0] for row in read_table(table) if re.search(r" -?\d+(\.\d+)?\b.*:", row[-1])]
    assert [row[-1] for row in read_table(table) if row[0] in silent and not said.search(row[-1])] == []


@pytest.mark.parametrize(
    ("table", "most"),
    [("pka_sites.tsv", 6), ("pka_shifts.tsv", 0), ("tautomer_pairs.tsv", 0), ("tautomers.tsv", 0)],
)
def test_no_row_is_added_whose_figure_was_not_looked_up(table, most):
    from_memory = [row[0] for row in read_table(table) if "not looked up" in row[-1]]
    assert len(from_memory) <= most, from_memory
