"""Catalytic histidines of deposited enzymes with their cofactors: where the hydrogens are, and that no ring moves."""

import json
import math

import numpy as np
import pytest

from dockyard_science.deposited_places import MOST_ANGSTROM
from dockyard_science.retained_anions import find_anions, pka_shift
from dockyard_structures.atoms import Atom, Residue
from receptor_world import prepare_in, session
from structures_world import HEME_SITE, LIGASE_SITE, REDUCTASE_SITE, atom_of, position, records

# Of a site: the file, its ligand, its cofactor.
SITES = {
    "ligase": (LIGASE_SITE, ("DCL", 1004), "ATP"),
    "reductase": (REDUCTASE_SITE, ("FFO", 501), "FAD"),
    "heme": (HEME_SITE, ("QDB", 501), "HEM"),
}


class Site:
    """A site as it is prepared: the rows of its histidines, what was moved, what was warned of."""

    def __init__(self, out, name, retained):
        source, (component, number), _ = SITES[name]
        box = {"ligand": {"componentId": component, "chain": "A", "residue": number}}
        self.summary = prepare_in(out, source, session(box, retainComponents=retained))
        self.report = json.loads((out / "receptor" / "preparation.json").read_text())
        self.pdbqt = (out / "receptor" / "prepared.pdbqt").read_text()

    def row(self, number):
        """The row of a histidine."""
        return next(row for row in self.report["histidines"] if row["residue"] == number)

    def form(self, number):
        """What a histidine is, and what decided that."""
        return self.row(number)["form"], self.row(number)["decidedBy"]

    def place(self, number, name):
        """Where an atom stands in the prepared receptor."""
        return position(atom_of(self.pdbqt.splitlines(), number, name))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Prepares a site with its cofactor, or without it, once."""
    made = {}

    def get(name, *, holo=True):
        if (name, holo) not in made:
            made[name, holo] = Site(tmp_path_factory.mktemp(name), name, [SITES[name][2]] if holo else [])
        return made[name, holo]

    return get


FLAVIN = [
    ("reductase", 77, "ND1 gives to O4 of A:FAD 500 (2.9 Å)"),
    ("reductase", 153, "NE2 gives to O2P of A:FAD 500 (2.8 Å)"),
]


def _deposited(name, number, atom):
    return position(atom_of(records(SITES[name][0]), number, atom))


@pytest.mark.parametrize(
    ("name", "number", "contact"),
    [
        pytest.param("ligase", 49, "NE2 gives to O1B of A:ATP 1002 (2.8 Å)", marks=pytest.mark.long),
        pytest.param("ligase", 52, "NE2 gives to O3A of A:ATP 1002 (3.0 Å)", marks=pytest.mark.long),
        pytest.param(*FLAVIN[0], marks=pytest.mark.long),
        pytest.param(*FLAVIN[1], marks=pytest.mark.long),
        ("heme", 105, "NE2 gives to O1D of A:HEM 502 (2.7 Å)"),
        ("heme", 356, "ND1 gives to O2D of A:HEM 502 (2.7 Å)"),
    ],
)
@pytest.mark.long
def test_the_hydrogen_is_between_the_histidine_and_the_cofactor_as_in_the_crystal(
    site, name, number, contact
):
    """The two histidines of HIGH hold the phosphates of ATP; those at a heme hold its propionates."""
    assert contact in site(name).row(number)["contacts"]
    nitrogen = contact.split()[0]
    assert math.dist(site(name).place(number, nitrogen), _deposited(name, number, nitrogen)) <= MOST_ANGSTROM


@pytest.mark.long
def test_the_cofactor_is_what_decides(site):
    assert site("heme").form(105) == ("epsilon", "retained")
    assert site("heme", holo=False).form(105) == ("delta", "pdb2pqr-propka")
    assert site("reductase").form(77) == ("delta", "retained")
    assert site("reductase", holo=False).form(77) == ("epsilon", "pdb2pqr-propka")


def test_a_ring_that_was_turned_without_the_cofactor_goes_back_to_its_measured_place(site):
    turned = site("heme", holo=False).place(356, "ND1")
    assert math.dist(turned, _deposited("heme", 356, "ND1")) > 2
    assert site("heme").form(356) == ("delta", "retained")
    assert math.dist(site("heme").place(356, "ND1"), _deposited("heme", 356, "ND1")) < 0.01


@pytest.mark.long
def test_a_histidine_between_an_acid_and_a_phosphate_is_charged_and_the_other_state_is_told(site):
    assert site("reductase").form(153) == ("both", "retained")
    row = site("reductase").row(153)
    assert "ND1 gives to OD2 of A:ASP 162 (2.8 Å)" in row["contacts"]
    assert row["pKa"] > 7.4
    assert row["plausible"] == ["another charge"]
    (warning,) = [
        each for each in site("reductase").summary["warnings"] if each["code"] == "PROTONATION_AMBIGUOUS"
    ]
    assert "A:HIS 153 (hydrogens on both; also another charge" in warning["message"]
    assert site("reductase", holo=False).form(153) == ("delta", "pdb2pqr-propka")


@pytest.mark.parametrize("holo", [True, pytest.param(False, marks=pytest.mark.long)])
def test_no_measured_side_chain_is_moved_for_the_sake_of_a_hydrogen(site, holo):
    """pdb2pqr by itself turns the second histidine of HIGH out of the pocket, by 6.8 Å."""
    moved = {
        row["residue"]: row["furthestAngstrom"] for row in site("ligase", holo=holo).report["residuesMoved"]
    }
    assert max(moved.values(), default=0.0) <= MOST_ANGSTROM
    assert site("ligase", holo=holo).form(52)[0] == "epsilon"


def _phosphate(*, hydrogen=False):
    """The end of a phosphate ester, and one oxygen with a hydrogen where that is asked for."""
    atoms = [
        Atom("P", "P", (0.0, 0.0, 0.0)),
        Atom("C", "C", (0.0, 2.6, 0.0)),
        Atom("O4", "O", (0.0, 1.6, 0.0)),
    ]
    ends = [(1.4, -0.5, 0.0), (-0.7, -0.5, 1.2), (-0.7, -0.5, -1.2)]
    atoms += [Atom(f"O{number}", "O", place) for number, place in enumerate(ends, start=1)]
    if hydrogen:
        atoms.append(Atom("H1", "H", (2.0, 0.2, 0.0)))
    return Residue("A", 900, "", "LIG", "LIG", True, atoms)


def test_negative_groups_are_told_by_their_bare_oxygens():
    assert [(len(each.oxygens), each.charge) for each in find_anions([_phosphate()])] == [(3, 2)]
    assert [(len(each.oxygens), each.charge) for each in find_anions([_phosphate(hydrogen=True)])] == [(2, 1)]
    water = Residue("A", 901, "", "HOH", "HOH", True, [Atom("O", "O", (0.0, 0.0, 0.0))])
    ketone = [
        Atom("C1", "C", (0.0, 0.0, 0.0)),
        Atom("O1", "O", (1.2, 0.0, 0.0)),
        Atom("C2", "C", (-0.8, 1.3, 0.0)),
    ]
    assert find_anions([water, Residue("A", 902, "", "ACN", "ACN", True, ketone)]) == []


def test_an_anion_raises_a_pka_the_more_the_nearer_it_is_and_the_deeper_inside():
    (anion,) = find_anions([_phosphate(hydrogen=True)])
    centre = np.array([-6.0, 0.0, 0.0])
    away = [(centre, np.array([-1.0, 0.0, 0.0]))]

    def shift(buried, distance=0.0):
        moved = np.array([-distance, 0.0, 0.0])
        return pka_shift([(away[0][0] + moved, away[0][1])], centre + moved, buried, [anion])

    assert 0 < shift(0.0) < shift(0.5) < shift(1.0) < 3
    assert shift(1.0, 2.0) < shift(1.0)
    assert shift(1.0, 6.0) == 0
    pointing = [(np.array([-3.5, -0.5, 1.2]), np.array([1.0, 0.0, 0.0]))]
    bonded = pka_shift(pointing, centre, 1.0, [anion])
    assert bonded == pytest.approx(shift(1.0) + 0.85)
