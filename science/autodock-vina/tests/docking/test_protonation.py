"""The charge of a ligand is that which its measured pKa values ask for, and what is close to call is said."""

import json
from pathlib import Path

import pytest
from rdkit import Chem, RDLogger

from docking_world import DATA
from dockyard_science import ligand_protonation, pka_table
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_neutral import canonical_order, neutral_form
from dockyard_science.ligand_protonation import protonate
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.pka_table import _rows, _shifts, read_table, table_sites
from dockyard_session.errors import ScienceError
from panels import one_in

TQD = Path(__file__).parents[4] / "test" / "fixtures" / "structures" / "1s3v_ligand.sdf"
SAID = {"PROTONATION_NEAR_PKA", "PROTONATION_DOUBTFUL"}
PHS = (0, 2, 4, 6, 7, 7.4, 8, 9, 10, 11, 12, 14)

#: What nobody would take a service for serious that got it wrong.
CERTAIN = {
    "paracetamol": 0, "dopamine": 1, "imatinib": 1, "clozapine": 1, "metformin": 1, "ciprofloxacin": 0,
    "sulfamethoxazole": -1, "phenytoin": 0, "isoniazid": 0, "methotrexate": -2, "chloroquine": 2, "ATP": -4,
}  # fmt: skip


def _drugs():
    lines = (DATA / "drugs-pka.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return [(name, smiles, int(charge)) for name, smiles, charge, _, source in rows if source]


DRUGS = _drugs()


@pytest.fixture(autouse=True)
def quiet():
    RDLogger.DisableLog("rdApp.*")
    yield
    RDLogger.EnableLog("rdApp.*")


def titrate(smiles, ph=7.4):
    warnings = []
    made = protonate(Chem.MolFromSmiles(smiles), ph, warnings)
    codes = [warning["code"] for warning in warnings]
    return Chem.MolToSmiles(made.mol), Chem.GetFormalCharge(made.mol), codes


def charge(smiles, ph=7.4):
    return titrate(smiles, ph)[1]


@pytest.fixture(scope="module")
def titrated():
    """Every drug of the panel at the pH of the body."""
    return {name: titrate(smiles) for name, smiles, _ in DRUGS}


def test_ninety_five_of_a_hundred_drugs_have_the_charge_of_their_measured_pkas(titrated):
    found = titrated
    wrong = {name for name, _, expected in DRUGS if found[name][1] != expected}
    assert len(DRUGS) >= 60
    assert len(wrong) <= 0.05 * len(DRUGS), sorted(wrong)
    assert [name for name in sorted(wrong) if not SAID & set(found[name][2])] == []
    assert {name: found[name][1] for name in CERTAIN} == CERTAIN


def test_few_of_the_drugs_that_are_not_near_their_pka_are_warned_about(titrated):
    warned = [name for name in titrated if "PROTONATION_DOUBTFUL" in titrated[name][2]]
    assert len(warned) <= 0.05 * len(DRUGS), warned
    uncertain = [name for name in titrated if "PROTONATION_UNCERTAIN" in titrated[name][2]]
    assert len(uncertain) <= 0.05 * len(DRUGS), uncertain


@pytest.mark.parametrize(
    ("name", "smiles"), one_in(6, [drug[:2] for drug in DRUGS]), ids=[drug[0] for drug in DRUGS]
)
def test_the_charge_never_rises_with_the_ph_and_does_not_depend_on_how_it_was_written(name, smiles):
    states = [titrate(smiles, ph) for ph in PHS]
    charges = [state[1] for state in states]
    assert charges == sorted(charges, reverse=True)
    assert all("PROTONATION_NOT_APPLIED" not in state[2] for state in states)
    # Every state that occurs is a form in which the molecule may be given: neutral, ion, zwitterion.
    mol = Chem.MolFromSmiles(smiles)
    given = {state[0] for state in states} | {Chem.MolToSmiles(mol, doRandom=True)}
    expected = states[PHS.index(7.4)][0]
    for each in given:
        shuffled = Chem.MolToRandomSmilesVect(Chem.MolFromSmiles(each), 1, randomSeed=7)
        assert {titrate(text)[0] for text in shuffled} == {expected}


@pytest.mark.parametrize(
    "writings",
    [
        ("NCC(=O)O", "[NH3+]CC(=O)[O-]", "[NH3+]CC(=O)O", "NCC(=O)[O-]", "OC(=O)C[NH3+]"),
        ("CN(C)C(=N)NC(N)=N", "C[N+](C)=C(N)NC(N)=N", "CN(C)C(=[NH2+])NC(N)=N"),
        ("Cn1ccnc1", "C[n+]1cc[nH]c1", "Cn1cc[nH+]c1"),
        ("CC(=O)Nc1ccc(O)cc1", "CC(=O)Nc1ccc([O-])cc1"),
        ("O=C1NC(=O)C(N1)(c1ccccc1)c1ccccc1", "O=C1[N-]C(=O)C(N1)(c1ccccc1)c1ccccc1"),
        ("c1ccccc1-c1nnn[nH]1", "c1ccccc1-c1nnn[n-]1"),
        ("Cc1onc(NS(=O)(=O)c2ccc(N)cc2)c1", "Cc1onc([N-]S(=O)(=O)c2ccc(N)cc2)c1"),
        ("NC(=N)c1ccccc1", "NC(=[NH2+])c1ccccc1", "[NH2+]=C(N)c1ccccc1"),
        ("CS(=O)C", "C[S+]([O-])C"),
    ],
)
def test_all_forms_of_one_molecule_are_docked_as_one(writings):
    assert len({titrate(smiles)[0] for smiles in writings}) == 1


@pytest.mark.parametrize(
    ("smiles", "expected"),
    [
        ("C1CNCCN1", 1),  # 3 bonds apart: the second proton at 5.3
        ("CN1CCN(CC1)Cc1ccccc1", 1),
        ("NCCN", 1),
        ("NCCCCCN", 2),
        ("NC(N)=NCCCN", 2),
        ("NC(=N)NC(=N)N", 1),  # the amidinium counts from any of its nitrogens
        ("NCC(=N)N", 1),
        ("NC(=N)c1ccc(cc1)C(N)=N", 2),  # far apart though conjugated
        ("C[N+](C)(C)CCN(C)C", 1),  # a quaternary nitrogen holds back, too
        ("C[N+](C)(C)CCCCCCN(C)C", 2),
        ("Nc1ncnc2[nH]cnc12", 0),
    ],
)
def test_cations_hold_each_other_back(smiles, expected):
    assert charge(smiles) == expected


def test_the_ligand_of_1s3v_has_one_charge_and_not_three():
    ligand = prepare_ligand(RawLigand("sdf", TQD.read_text()), 7.4)
    assert ligand.formal_charge == 1
    assert "C(N)=[NH+]" in ligand.smiles_docked


@pytest.mark.parametrize(
    ("smiles", "expected"),
    [
        ("CC1=C(C(=O)OC)C(C)C(C(=O)OC)=C(C)N1", 0),  # dihydropyridine
        ("C=CN(C)C", 0),  # enamine
        ("CN(C)C(=O)N(C)C", 0),  # urea
        ("CN(C)CC#N", 0),  # alpha-aminonitrile
        ("CN(C)P(=O)(OC)OC", 0),
        ("CNC(=NC#N)NC", 0),
        ("C=CC(=O)NN", 0),
        ("Oc1ccc(cc1)[N+](=O)[O-]", -1),
        ("Oc1c(Cl)c(Cl)c(Cl)c(Cl)c1Cl", -1),
        ("Oc1ccccc1O", 0),
        ("O=C1CSC(=O)N1", -1),
        ("O=C1CCC(=O)N1", 0),
        ("CC(=O)NS(=O)(=O)c1ccccc1", -1),
        ("CNS(=O)(=O)c1ccccc1", 0),
        ("Nc1ccncc1", 1),
        ("Nc1ccnc2ccccc12", 1),
        ("Nc1ccccn1", 0),
        ("Cc1ccccn1", 0),
        ("O=C(c1ccccc1)N1CCNCC1", 1),
        ("CC(=O)N1CCN(C)CC1", 0),
        ("C1COCCN1", 1),
        ("CN1CCOCC1", 1),
        ("Oc1ccnc2ccccc12", 0),
        ("OP(O)(=O)C(O)P(O)(O)=O", -3),
        ("O=S(=O)([O-])[O-]", -2),
        ("C[n+]1cccc(O)c1", 0),
        ("CCCCC1=NC2(CCCC2)C(=O)N1Cc1ccccc1", 0),  # the imidazolinone of irbesartan
        ("CC1=NC(=Cc2ccc(O)cc2)C(=O)N1C", 0),  # the chromophore of green fluorescent protein
        ("CC1=NCCN1", 1),
        (
            "CCOc1ncc(C)c2c1C(c1ccccc1)C(C(N)=O)=C(C)N2",
            0,
        ),  # the naphthyridine of finerenone, a vinylogous amide
        ("CCCN=C1SC(=Cc2ccccc2)C(=O)N1c1ccccc1C", 0),  # the acylated isothiourea of ponesimod
        ("N=C1NC(=O)CS1", 0),  # the tautomer of 2-amino-1,3-thiazol-4-one
        ("CN=C1OC(c2ccccc2)C(=O)N1C", 0),
    ],
)
def test_groups_by_what_stands_beside_them(smiles, expected):
    assert charge(smiles) == expected


def test_catechol_loses_one_proton_where_phenol_loses_none():
    assert [charge("Oc1ccccc1O", ph) for ph in (9.2, 9.5, 12.5)] == [0, -1, -1]


def test_what_the_table_does_not_know_comes_from_dimorphite():
    ligand = prepare_ligand(RawLigand("smiles", "OS(=O)c1ccccc1"), 7.4)
    (site,) = ligand.sites
    assert site["source"] == "dimorphite-dl 2.1.0, mean of the class Sulfinic acid"
    assert (site["kind"], site["state"]) == ("acid", "deprotonated")


def test_a_class_mean_that_spreads_over_the_ph_is_doubted():
    # A class that mixes hydroperoxides of very different acidity.
    assert titrate("CC(=O)OO")[2] == []
    smiles, expected, codes = titrate("c1cnc2ccnn2c1", 6.0)
    assert (smiles, expected, codes) == ("c1cnc2ccnn2c1", 0, ["PROTONATION_DOUBTFUL"])


def test_the_result_tells_each_site_with_its_pka_source_and_state():
    ligand = prepare_ligand(RawLigand("smiles", "NCC(=O)O"), 7.4)
    record = ligand.record()
    assert record["protonation"] == "model"
    assert ligand.smiles_docked == "[NH3+]CC(=O)[O-]"
    amine, acid = record["protonationSites"]
    assert (amine["atom"], amine["kind"], amine["pKa"], amine["state"]) == (0, "base", 9.7, "protonated")
    assert (acid["atom"], acid["kind"], acid["pKa"], acid["state"]) == (4, "acid", 2.3, "deprotonated")
    assert amine["source"] == "ethylamine 10.6: DataWarrior; -1.0 for substituents"
    assert amine["effectivePKa"] == 9.7


def test_the_places_of_the_sites_are_those_of_the_smiles_that_was_docked():
    for _, smiles, _ in DRUGS[:8]:
        ligand = prepare_ligand(RawLigand("smiles", smiles), 7.4)
        docked = Chem.MolFromSmiles(ligand.smiles_docked)
        for site in ligand.sites:
            atom = docked.GetAtomWithIdx(site["atom"])
            is_charged = (site["kind"] == "base") == (site["state"] == "protonated")
            assert bool(atom.GetFormalCharge()) == is_charged, (smiles, site)


def test_within_one_unit_of_the_ph_the_other_state_is_named():
    smiles = "CC(C)NCc1ccccc1"
    assert titrate(smiles, 7.4)[2] == []
    warnings = []
    made = protonate(Chem.MolFromSmiles(smiles), 9.5, warnings)
    (warning,) = warnings
    assert warning["code"] == "PROTONATION_NEAR_PKA"
    assert Chem.MolToSmiles(made.mol) == "CC(C)[NH2+]Cc1ccccc1"
    assert warning["message"].endswith("the other state: CC(C)NCc1ccccc1")


def test_as_given_changes_nothing_and_says_so_in_the_result():
    for smiles in ("CC(=O)O", "CC(=O)[O-]", "C[NH3+]", "CN", "[NH3+]CC(=O)O", "CC(=O)[N-]C"):
        ligand = prepare_ligand(RawLigand("smiles", smiles), 7.4, "as_given")
        assert ligand.smiles_docked == Chem.CanonSmiles(smiles)
        assert (ligand.record()["protonation"], ligand.sites, ligand.warnings) == ("as_given", [], [])


def test_a_task_that_asks_for_it_docks_the_state_given(dock):
    given = dock("given", "CCC(=O)O", protonation="as_given")[1]
    model = dock("model", "CCC(=O)O")[1]
    assert (given["smilesDocked"], model["smilesDocked"]) == ("CCC(=O)O", "CCC(=O)[O-]")
    assert "docked CCC(=O)O in the state given" in (dock.out / "ligands/given/dock.log").read_text()
    result = json.loads((dock.out / "ligands/given/result.json").read_text())["result"]
    assert (result["ligand"]["protonation"], result["ligand"]["protonationSites"]) == ("as_given", [])


def test_as_given_still_takes_salts_away():
    ligand = prepare_ligand(RawLigand("smiles", "CCCC[NH3+].[Cl-]"), 7.4, "as_given")
    assert ligand.smiles_docked == "CCCC[NH3+]"
    assert ligand.removed_fragments == ["[Cl-]"]


@pytest.mark.parametrize(
    ("smiles", "code", "word"),
    [
        ("C[N](C)(C)C", "LIGAND_PARSE_FAILED", "valence"),
        ("CC(=O)(=O)=O", "LIGAND_PARSE_FAILED", "valence"),
        ("C[NH4+]", "LIGAND_PARSE_FAILED", "valence"),
        ("C[NH]", "LIGAND_UNSUPPORTED_ATOM", "radical"),
    ],
)
def test_as_given_with_an_impossible_valence_is_refused_by_name(smiles, code, word):
    with pytest.raises(ScienceError) as caught:
        prepare_ligand(RawLigand("smiles", smiles), 7.4, "as_given")
    assert caught.value.code == code
    assert word in caught.value.message


def test_a_molecule_that_the_library_cannot_treat_is_docked_as_given(monkeypatch):
    def fail(*_):
        raise RuntimeError("any")

    monkeypatch.setattr(ligand_protonation, "class_sites", fail)
    ligand = prepare_ligand(RawLigand("smiles", "CC(C)(CS(=O)O)C(=O)O"), 7.4)
    assert ligand.smiles_docked == "CC(C)(CS(=O)O)C(=O)O"
    assert "PROTONATION_NOT_APPLIED" in [warning["code"] for warning in ligand.warnings]


def test_the_same_ligand_gives_the_same_bytes_in_any_order():
    chosen = [smiles for _, smiles, _ in DRUGS[:8]]
    forth = [prepare_ligand(RawLigand("smiles", smiles), 7.4).record() for smiles in chosen]
    back = [prepare_ligand(RawLigand("smiles", smiles), 7.4).record() for smiles in reversed(chosen)]
    assert forth == back[::-1]


def test_rows_that_are_not_tried_would_have_matched_nothing(monkeypatch):
    mols = [neutral_form(Chem.MolFromSmiles(smiles)) for _, smiles, _ in DRUGS]
    found = [table_sites(mol) for mol in mols]
    with monkeypatch.context() as patched:
        patched.setattr(pka_table, "_site_atoms", dict)
        assert [table_sites(mol) for mol in mols] == found


def test_the_order_of_a_molecule_stays_when_it_is_ordered_again():
    for _, smiles, _ in DRUGS:
        mol, _ = canonical_order(Chem.MolFromSmiles(smiles))
        again, order = canonical_order(Chem.Mol(mol))
        assert [atom.GetSymbol() for atom in again.GetAtoms()] == [
            mol.GetAtomWithIdx(index).GetSymbol() for index in order
        ]
        assert Chem.MolToSmiles(again) == Chem.MolToSmiles(mol)


def test_every_row_of_the_tables_has_a_source_and_a_meaning():
    rows = _rows()
    assert all(row.name and row.source.strip("-") for row in rows)
    assert all(len(row.atoms) == len(row.pkas) for row in rows)
    assert all(-4 < pka < 17 for row in rows for pka in row.pkas)
    assert {row.shift_class for row in rows if row.shift_class} == set(_shifts())
    assert all(source for *_, source in read_table("pka_shifts.tsv"))
    assert len({row.name for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("name", "smiles", "charge"),
    [
        ("niclosamide", "C1=CC(=C(C=C1[N+](=O)[O-])Cl)NC(=O)C2=C(C=CC(=C2)Cl)O", -1),
        ("cimetidine, the cyano group on an amine", "CC1=C(N=CN1)CSCCNC(=NC)NC#N", 0),
        ("dofetilide", "CN(CCC1=CC=C(C=C1)NS(=O)(=O)C)CCOC2=CC=C(C=C2)NS(=O)(=O)C", 0),
        ("dabrafenib", "CC(C)(C)C1=NC(=C(S1)C2=NC(=NC=C2)N)C3=C(C(=CC=C3)NS(=O)(=O)C4=C(C=CC=C4F)F)F", -1),
        ("proton sponge", "CN(C)C1=CC=CC2=C1C(=CC=C2)N(C)C", 1),
        (
            "doxycycline",
            "CC1C2C(C3C(C(=O)C(=C(C3(C(=O)C2=C(C4=C1C=CC=C4O)O)O)O)C(=O)N)N(C)C)O",
            0,
        ),
        (
            "ceftriaxone",
            "CN1C(=NC(=O)C(=O)N1)SCC2=C(N3C(C(C3=O)NC(=O)C(=NOC)C4=CSC(=N4)N)SC2)C(=O)O",
            -2,
        ),
    ],
)
def test_drugs_as_public_collections_draw_them_have_their_charge(name, smiles, charge):
    assert Chem.GetFormalCharge(protonate(Chem.MolFromSmiles(smiles), 7.4, []).mol) == charge, name


@pytest.mark.parametrize(
    "smiles",
    [
        "CCCCC1C(=O)N(N(C1=O)C2=CC=CC=C2)C3=CC=CC=C3",
        "C1CC(=O)C(C(=O)C1)C(=O)C2=C(C=C(C=C2)C(F)(F)F)[N+](=O)[O-]",
        "CC1(C)CC(=O)CC(=O)C1",
        "O=C1C(c2ccccc2)C(=O)c2ccccc21",
        "CC1(C)OC(=O)CC(=O)O1",
    ],
)
def test_an_acid_whose_proton_is_on_a_carbon_keeps_it_and_its_charged_enol_is_told(smiles):
    warnings = []
    made = protonate(Chem.MolFromSmiles(smiles), 7.4, warnings)
    assert Chem.GetFormalCharge(made.mol) == 0
    (warning,) = [each for each in warnings if each["code"] == "PROTONATION_DOUBTFUL"]
    enol = Chem.MolFromSmiles(warning["message"].split(": ")[-1])
    assert Chem.GetFormalCharge(protonate(enol, 7.4, []).mol) == -1
    acid = []
    protonate(Chem.MolFromSmiles(smiles), 2.0, acid)
    assert acid == []


def test_ketones_that_are_no_carbon_acids_are_not_warned_of():
    for smiles in ("O=C1CCC(=O)CC1", "CCC1(CC)C(=O)NC(=O)NC1=O", "CC(=O)CC(C)=O"):
        warnings = []
        protonate(Chem.MolFromSmiles(smiles), 7.4, warnings)
        assert not any("carbon" in each["message"] for each in warnings)


@pytest.mark.parametrize(
    ("name", "smiles", "expected"),
    [
        ("squaric acid", "OC1=C(O)C(=O)C1=O", -2),
        ("squaric acid, drawn aromatic", "Oc1c(O)c(=O)c1=O", -2),
        ("a squaric monoester", "CCOC1=C(O)C(=O)C1=O", -1),
        ("a squaramic acid", "CNC1=C(O)C(=O)C1=O", -1),
        ("a squaramide", "CNC1=C(NC)C(=O)C1=O", 0),
        ("a squaramide of an aniline", "CNC1=C(Nc2ccccc2)C(=O)C1=O", 0),
        ("diethyl squarate", "CCOC1=C(OCC)C(=O)C1=O", 0),
        ("croconic acid", "OC1=C(O)C(=O)C(=O)C1=O", -2),
        ("rhodizonic acid", "OC1=C(O)C(=O)C(=O)C(=O)C1=O", -2),
        ("cyclobutenol", "OC1=CCC1", 0),
        ("N-cyanobenzamide", "N#CNC(=O)c1ccccc1", -1),
        ("its other drawing", "N#C[N-]C(=O)c1ccccc1", -1),
        ("N-cyanobenzenesulfonamide", "N#CNS(=O)(=O)c1ccccc1", -1),
        ("dicyanamide", "N#CNC#N", -1),
        ("N-methyl-N-cyanobenzamide", "N#CN(C)C(=O)c1ccccc1", 0),
        ("N-benzylcyanamide", "N#CNCc1ccccc1", 0),
        ("a cyanoguanidine", "CNC(=NC#N)NC", 0),
        ("benzamide", "NC(=O)c1ccccc1", 0),
        ("benzenethiosulfonic acid", "SS(=O)(=O)c1ccccc1", -1),
        ("its other tautomer", "OS(=O)(=S)c1ccccc1", -1),
        ("an ester of it", "CSS(=O)(=O)c1ccccc1", 0),
        ("a Bunte salt", "CCSS(O)(=O)=O", -1),
        ("benzenesulfonic acid", "OS(=O)(=O)c1ccccc1", -1),
        ("thiophenol's disulfide", "SSc1ccccc1", 0),
        ("ascorbic acid", "OC[C@H](O)[C@H]1OC(=O)C(O)=C1O", -1),
        ("tetronic acid", "OC1=CC(=O)OC1", -1),
        ("saccharin", "O=C1NS(=O)(=O)c2ccccc12", -1),
        ("acesulfame", "CC1=CC(=O)NS(=O)(=O)O1", -1),
        ("cyclamic acid", "OS(=O)(=O)NC1CCCCC1", -1),
        ("glimepiride's sulfonylurea", "CC1CCC(CC1)NC(=O)NS(=O)(=O)c1ccccc1", -1),
        ("favipiravir", "NC(=O)c1nc(F)cnc1O", -1),
        ("its other tautomer", "NC(=O)c1nc(F)c[nH]c1=O", -1),
        ("2-hydroxypyrazine", "Oc1cnccn1", 0),
        ("pyrazinamide", "NC(=O)c1cnccn1", 0),
        ("levosimendan", "CC1CC(=O)NN=C1c1ccc(cc1)NN=C(C#N)C#N", -1),
        ("FCCP", "FC(F)(F)Oc1ccc(cc1)NN=C(C#N)C#N", -1),
        ("the phenylhydrazone of acetone", "CC(C)=NNc1ccccc1", 0),
        ("a sulfonylthiourea", "CCNC(=S)NS(=O)(=O)c1ccccc1", -1),
        ("methyl sulfonylcarbamate, asulam", "COC(=O)NS(=O)(=O)c1ccc(N)cc1", -1),
    ],
)
def test_acids_of_few_atoms_and_their_neighbours_have_their_charge(name, smiles, expected):
    assert charge(smiles) == expected, name


MYO = "[C@@H]1([C@@H](OP(O)(O)=O)[C@H](OP(O)(O)=O)[C@@H](OP(O)(O)=O)[C@H](OP(O)(O)=O)[C@H]1OP(O)(O)=O)OP(O)(O)=O"


@pytest.mark.parametrize(
    ("name", "smiles", "expected"),
    [
        ("phytic acid", MYO, -8),
        ("phytic acid without labels", MYO.replace("@", ""), -8),
        ("inositol 1,4,5-trisphosphate", "OC1C(O)C(OP(O)(O)=O)C(O)C(OP(O)(O)=O)C1OP(O)(O)=O", -5),
        ("2,3-bisphosphoglyceric acid", "OC(=O)C(OP(O)(O)=O)COP(O)(O)=O", -4),
        ("fructose 1,6-bisphosphate", "OC1C(O)C(COP(O)(O)=O)OC1(O)COP(O)(O)=O", -4),
        ("glucose 6-phosphate", "OC1OC(COP(O)(O)=O)C(O)C(O)C1O", -2),
        ("AMP", "Nc1ncnc2n(cnc12)C1OC(COP(O)(O)=O)C(O)C1O", -2),
        ("NADP's 2'-phosphate", "OC1C(OP(O)(O)=O)C(n2cnc3c(N)ncnc23)OC1COP(O)(=O)OC", -3),
        ("phenyl phosphate", "OP(O)(=O)Oc1ccccc1", -2),
        ("dibenzyl phosphate", "OP(=O)(OCc1ccccc1)OCc1ccccc1", -1),
    ],
)  # fmt: skip
def test_phosphates_hold_each_others_second_protons(name, smiles, expected):
    assert charge(smiles) == expected, name


def test_the_last_six_protons_of_phytic_acid_go_as_they_were_measured():
    measured = [5.7, 6.85, 7.6, 10.0, 10.0, 12.0]
    ligand = prepare_ligand(RawLigand("smiles", MYO), 7.4)
    found = sorted(site["effectivePKa"] for site in ligand.sites)[-6:]
    distances = [abs(one - other) for one, other in zip(found, measured, strict=True)]
    assert sum(distances) / len(distances) <= 0.5, found
    assert max(distances) <= 1.5, found
    charges = [charge(MYO, ph) for ph in PHS]
    assert charges == sorted(charges, reverse=True)
