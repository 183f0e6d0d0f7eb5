"""Each row of the pKa tables is proven by molecules: the whole engine gives them the pKa that is published of them."""

import functools
import re

import pytest
from rdkit import Chem, RDLogger

from docking_world import DATA
from dockyard_science.ligand_neutral import neutral_form
from dockyard_science.ligand_protonation import protonate
from dockyard_science.pka_table import _rows, read_table, table_sites
from panels import one_in

TOLERANCE = 0.6 + 1e-9
PH = 7.4
PHS = (0, 3, 5, 7, 7.4, 8, 9, 11, 14)
CLASSES = {row.name: row.shift_class for row in _rows()}


@pytest.fixture(autouse=True, scope="module")
def quiet():
    RDLogger.DisableLog("rdApp.*")
    yield
    RDLogger.EnableLog("rdApp.*")


@functools.cache
def titrated(smiles):
    """The uncharged molecule, its sites by the tables, and the engine's sites."""
    neutral = neutral_form(Chem.MolFromSmiles(smiles))
    made = protonate(Chem.Mol(neutral), PH, [])
    return neutral, table_sites(neutral), [(each.site, each.pka) for each in made.sites.values()]


def _molecules(text):
    for entry in text.split(", "):
        smiles, *values = entry.split(" ")
        assert values, entry
        yield smiles, values


def _agrees(value, pkas):
    """A value is a pKa, a bound as `<4`, or `-` where there is none between 2 and 12."""
    if value == "-":
        return not any(2 < pka < 12 for pka in pkas)
    if value.startswith("<"):
        return any(pka < float(value[1:]) for pka in pkas)
    return any(abs(pka - float(value)) <= TOLERANCE for pka in pkas)


def _pkas_of_row(name, kind, smiles):
    """The pKa values that a row gives a molecule; of a row that only forbids, those of all its sites."""
    neutral, known, engine = titrated(smiles)
    if not any(site.group == name for site in known.values()):
        return None
    assert all(
        site.kind != "acid" or neutral.GetAtomWithIdx(site.atom).GetTotalNumHs() for site in known.values()
    ), (name, "is an acid without a proton")
    if kind == "none":
        return [pka for _, pka in engine]
    if kind == "carbon":
        return [site.pka for site in known.values() if site.group == name]
    return [pka for site, pka in engine if site.group == name]


def _pkas_of_shift(shift_class, pattern, smiles):
    neutral, known, engine = titrated(smiles)
    ends = {match[0] for match in neutral.GetSubstructMatches(pattern, uniquify=False)}
    shifted = {
        (site.group, site.pka)
        for site in known.values()
        if site.atom in ends and CLASSES[site.group] == shift_class
    }
    return [pka for site, pka in engine if (site.group, site.pka) in shifted] or None


def test_every_group_gives_its_molecules_their_published_pka():
    wrong = []
    for name, kind, _, _, _, molecules, source in read_table("pka_sites.tsv"):
        for smiles, values in _molecules(molecules):
            pkas = _pkas_of_row(name, kind.partition(":")[0], smiles)
            wrong += [
                (name, smiles, value, pkas) for value in values if pkas is None or not _agrees(value, pkas)
            ]
            wrong += [
                (name, value, source) for value in values if value != "-" and value.strip("<") not in source
            ]
    assert wrong == []


def test_every_shift_gives_its_molecules_their_published_pka():
    wrong = []
    for shift_class, amount, smarts, molecules, source in read_table("pka_shifts.tsv"):
        pattern = Chem.MolFromSmarts(smarts)
        for smiles, values in _molecules(molecules):
            pkas = _pkas_of_shift(shift_class, pattern, smiles)
            name = f"{shift_class} {amount} {smarts}"
            wrong += [
                (name, smiles, value, pkas) for value in values if pkas is None or not _agrees(value, pkas)
            ]
            wrong += [(name, value, source) for value in values if value not in source]
    assert wrong == []


def test_no_row_asks_for_a_hydrogen_that_is_not_drawn():
    rows = [row[4] for row in read_table("pka_sites.tsv")] + [row[2] for row in read_table("pka_shifts.tsv")]
    assert [smarts for smarts in rows if re.search(r"(?<!!)#1(?!\d)", smarts)] == []


def _charges():
    lines = (DATA / "charges.tsv").read_text().splitlines()
    return [line.split("\t")[:4] for line in lines if not line.startswith("#")][1:]


def _charge(smiles, ph):
    return Chem.GetFormalCharge(protonate(Chem.MolFromSmiles(smiles), ph, []).mol)


@pytest.mark.parametrize(("name", "smiles", "ph", "expected"), _charges(), ids=[row[0] for row in _charges()])
def test_acids_and_bases_have_the_charge_of_their_measured_pka(name, smiles, ph, expected):
    assert _charge(smiles, float(ph)) == int(expected), name


@pytest.mark.parametrize(
    ("name", "smiles"), one_in(6, [row[:2] for row in _charges()]), ids=[row[0] for row in _charges()]
)
def test_their_charge_never_rises_with_the_ph_and_does_not_depend_on_how_they_are_written(name, smiles):
    charges = [_charge(smiles, ph) for ph in PHS]
    assert charges == sorted(charges, reverse=True), name
    written = {smiles, *(_state(smiles, ph) for ph in (0, PH, 14))}
    shuffled = [Chem.MolToRandomSmilesVect(Chem.MolFromSmiles(each), 1, randomSeed=7)[0] for each in written]
    assert {_state(each, PH) for each in shuffled} == {_state(smiles, PH)}


def _state(smiles, ph):
    return Chem.MolToSmiles(protonate(Chem.MolFromSmiles(smiles), ph, []).mol)


def _uncertain(smiles):
    warnings = []
    protonate(Chem.MolFromSmiles(smiles), PH, warnings)
    return [each["message"] for each in warnings if each["code"] == "PROTONATION_UNCERTAIN"]


@pytest.mark.parametrize(
    ("smiles", "said"),
    [
        ("CP(C)C", "phosphine or arsine: neither the table nor dimorphite-dl has a pKa for it"),
        ("OB(O)c1ccccc1", "atom O 1, O 3 of OB(O)c1ccccc1"),
        ("C[Si](C)(C)O", "silanol"),
        ("C[As](=O)(O)O", "acid of phosphorus, arsenic or antimony"),
        ("N[C@@H](C[SeH])C(=O)O", "thiol, selenol or tellurol"),
        ("CCOC(=O)C[N+](=O)[O-]", "C-H between a nitro group and another acceptor"),
        ("CC(C)=NC", "imine, amidine or guanidine"),
        ("CS(C)(=N)=O", "N-H of a sulfonamide or sulfoximine"),
        ("c1cnc2ccnn2c1", "a class mean that spreads by 2.07; atom N 3 of c1cnc2ccnn2c1"),
    ],
)
def test_what_nothing_decides_is_said_with_its_atom_and_its_reason(smiles, said):
    assert any(said in message for message in _uncertain(smiles)), _uncertain(smiles)


def test_what_is_decided_is_not_said_to_be_uncertain():
    for smiles in (
        "CC(=O)O",
        "CCN",
        "c1ccncc1",
        "CC(=O)Nc1ccc(O)cc1",
        "OCC",
        "C[N+](C)(C)C",
        "CCCC",
        "CS(C)=O",
    ):
        assert _uncertain(smiles) == [], smiles
