"""Histidines beside retained components: the form that these ask for, what the report says, what is warned of."""

import math

import numpy as np
import pytest

from dockyard_science import histidines
from dockyard_science.histidine_report import Deciders, ambiguous_warnings, histidine_rows
from dockyard_science.histidines import Form, choose_forms, clear_forms, form_of
from dockyard_structures.atoms import Atom, Residue
from receptor_world import beyond, open_site, session
from structures_world import FOLATE, atom_line, atom_of, position, records, write_with

NUMBER = 130
LINES = records(FOLATE)
NEUTRAL = {"delta": ("ND1",), "epsilon": ("NE2",), "both": ("ND1", "NE2")}
HYDROGEN = {"ND1": "HD1", "NE2": "HE2"}
ALONE = Deciders(frozenset(), frozenset(), {})


def _histidine(form):
    """The histidine of the file by itself, with the hydrogens of a form."""
    own = [line for line in LINES if int(line[22:26]) == NUMBER]
    atoms = [Atom(line[12:16].strip(), line[12:16].strip()[0], tuple(position(line))) for line in own]
    atoms += [Atom(HYDROGEN[name], "H", tuple(beyond(LINES, NUMBER, name, 1.01))) for name in NEUTRAL[form]]
    return Residue("A", NUMBER, "", "HIS", "HIS", False, atoms)


def _retained(name, distance, *, gives, number=900):
    """A retained component that takes a hydrogen in front of an atom of the ring, or gives one to it."""
    place = beyond(LINES, NUMBER, name, distance)
    if not gives:
        atoms = [Atom("O1", "O", tuple(place))]
    else:
        hydrogen = beyond(LINES, NUMBER, name, distance - 1.01)
        atoms = [Atom("N1", "N", tuple(place)), Atom("H1", "H", tuple(hydrogen))]
    return Residue("A", number, "", "LIG", "LIG", True, atoms)


def _chosen(form, retained, polymer=(), **options):
    residues = [_histidine(form), *polymer]
    found = choose_forms(residues, retained, frozenset(), **({"may_turn": True} | options))
    return found.get(("A", NUMBER, ""))


@pytest.mark.parametrize(
    ("now", "name", "gives", "wanted"),
    [
        ("epsilon", "ND1", False, "delta"),
        ("delta", "NE2", False, "epsilon"),
        ("epsilon", "NE2", True, "delta"),
        ("delta", "ND1", True, "epsilon"),
    ],
)
def test_a_nitrogen_has_its_hydrogen_before_an_acceptor_and_none_before_a_donor(now, name, gives, wanted):
    chosen = _chosen(now, [_retained(name, 2.8, gives=gives)], may_turn=False)
    assert (chosen.hydrogens, chosen.reason) == (wanted, "retained")


@pytest.mark.parametrize(
    ("now", "name", "gives"),
    [("delta", "ND1", False), ("epsilon", "NE2", False), ("delta", "NE2", True), ("both", "ND1", False)],
)
def test_what_fits_already_stays(now, name, gives):
    assert _chosen(now, [_retained(name, 2.8, gives=gives)]) is None


def test_the_ring_is_turned_where_only_that_brings_a_nitrogen_to_the_component():
    retained = [_retained("CE1", 2.9, gives=True)]
    chosen = _chosen("both", [_retained("CD2", 2.9, gives=False)])
    assert chosen.hydrogens == "both"
    moved = np.array(chosen.residue.atom("ND1").position)
    assert np.linalg.norm(moved - position(atom_of(LINES, NUMBER, "CD2"))) < 0.5
    assert math.isclose(
        math.dist(chosen.residue.atom("ND1").position, chosen.residue.atom("CE1").position),
        1.32,
        abs_tol=0.08,
    )
    turned = _chosen("epsilon", retained)
    assert (
        np.linalg.norm(
            np.array(turned.residue.atom("NE2").position) - position(atom_of(LINES, NUMBER, "CE1"))
        )
        < 0.5
    )
    assert turned.hydrogens == "delta"
    held = _chosen("epsilon", retained, may_turn=False)
    assert held is None


def test_the_charge_stays_as_propka_has_it_and_far_components_change_nothing():
    assert _chosen("both", [_retained("NE2", 2.8, gives=True)], may_turn=False) is None
    assert _chosen("epsilon", [_retained("ND1", 6.0, gives=False)]) is None


def test_an_acceptor_of_the_chain_outweighs_one_that_is_retained():
    near = _retained("ND1", 2.8, gives=False)
    chain = Residue(
        "A", 50, "", "GLY", "GLY", False, [Atom("O", "O", tuple(beyond(LINES, NUMBER, "NE2", 2.8)))]
    )
    assert _chosen("epsilon", [near], [chain], may_turn=False) is None


def test_where_nothing_decides_beside_a_component_the_hydrogen_goes_on_ne2():
    carbon = Residue(
        "A", 900, "", "LIG", "LIG", True, [Atom("C1", "C", tuple(beyond(LINES, NUMBER, "NE2", 3.6)))]
    )
    chosen = _chosen("delta", [carbon])
    assert (chosen.hydrogens, chosen.reason) == ("epsilon", "usual")
    assert _chosen("epsilon", [carbon]) is None


def _cleared(form, others=(), settled=frozenset()):
    found = clear_forms([_histidine(form), *others], [], settled)
    return {(form_of(each.residue).hydrogens, each.reason) for each in found.values()}


@pytest.mark.parametrize(
    ("form", "name", "other"), [("delta", "ND1", "epsilon"), ("epsilon", "NE2", "delta")]
)
def test_a_hydrogen_that_stands_before_a_donor_of_the_chain_goes_on_the_other_nitrogen(form, name, other):
    donor = _retained(name, 2.8, gives=True)
    assert _cleared(form, [donor]) == {(other, "bonds")}
    (moved,) = clear_forms([_histidine(form), donor], [], frozenset()).values()
    nitrogen = next(iter(NEUTRAL[other]))
    place = np.array(moved.residue.atom(HYDROGEN[nitrogen]).position)
    assert np.linalg.norm(place - beyond(LINES, NUMBER, nitrogen, 1.01)) < 0.05


def test_a_hydrogen_stays_where_nothing_is_against_it_or_the_other_nitrogen_has_no_room():
    donor = _retained("ND1", 2.8, gives=True)
    assert _cleared("delta") == _cleared("epsilon") == _cleared("both", [donor]) == set()
    assert _cleared("epsilon", [donor]) == _cleared("delta", [_retained("ND1", 2.8, gives=False)]) == set()
    assert _cleared("delta", [donor], frozenset({("A", NUMBER, "")})) == set()
    place = tuple(beyond(LINES, NUMBER, "NE2", 2.6))
    carbon = Residue("A", 50, "", "ALA", "ALA", False, [Atom("CB", "C", place)])
    assert _cleared("delta", [donor, carbon]) == set()


def test_a_carbon_at_a_metal_is_turned_away_for_a_nitrogen():
    zinc = Residue(
        "A", 900, "", "ZN", "ZN", True, [Atom("ZN", "ZN", tuple(beyond(LINES, NUMBER, "CE1", 2.1)))]
    )
    chosen = _chosen("epsilon", [zinc])
    assert chosen.hydrogens == "delta"
    assert math.dist(chosen.residue.atom("NE2").position, zinc.atoms[0].position) < 2.6


def _row(form, others, pka=(), deciders=ALONE):
    preparation = session({})["preparation"]
    (row,) = histidine_rows([_histidine(form), *others], pka, preparation, deciders)
    return row


def _warned(row):
    box = {"centerAngstrom": row["centerAngstrom"], "sizeAngstrom": [4.0, 4.0, 4.0], "derivation": {}}
    return ambiguous_warnings([row], box)


def test_a_histidine_with_two_plausible_forms_in_the_box_is_named():
    nothing = _row("delta", [])
    assert nothing["plausible"] == ["hydrogen on NE2"]
    (warning,) = _warned(nothing)
    assert warning["code"] == "PROTONATION_AMBIGUOUS"
    assert "A:HIS 130 (hydrogen on ND1; also hydrogen on NE2)" in warning["message"]
    elsewhere = {"centerAngstrom": [90.0, 90.0, 90.0], "sizeAngstrom": [20.0, 20.0, 20.0], "derivation": {}}
    assert ambiguous_warnings([nothing], elsewhere) == []


def test_a_histidine_that_its_hydrogen_bonds_decide_is_not_named():
    clear = _row("delta", [_retained("ND1", 2.8, gives=False), _retained("NE2", 2.8, gives=True, number=901)])
    assert clear["plausible"] == []
    assert [text.split(" (")[0] for text in clear["contacts"]] == [
        "ND1 gives to O1 of A:LIG 900",
        "NE2 takes from N1 of A:LIG 901",
    ]
    assert _warned(clear) == []


def test_a_pka_within_one_unit_of_the_ph_leaves_both_charges_plausible():
    place = {"chain": "A", "residue": NUMBER, "insertionCode": "", "group": "HIS", "buriedFraction": 0.5}
    decided = [_retained("ND1", 2.8, gives=False), _retained("NE2", 2.8, gives=True, number=901)]
    near = _row("delta", decided, [place | {"pKa": 6.6}])
    assert near["plausible"] == ["another charge"]
    assert "pKa 6.6" in _warned(near)[0]["message"]
    assert _row("delta", decided, [place | {"pKa": 6.3}])["plausible"] == []


def test_fixed_histidines_and_those_at_a_metal_are_not_doubtful():
    key = frozenset({("A", NUMBER, "")})
    for deciders, by in (
        (Deciders(key, frozenset(), {}), "fixed"),
        (Deciders(frozenset(), key, {}), "metal"),
    ):
        row = _row("delta", [], deciders=deciders)
        assert (row["decidedBy"], row["plausible"]) == (by, [])


def test_a_form_is_known_by_its_hydrogens():
    assert {form: form_of(_histidine(form)) for form in NEUTRAL} == {
        form: Form(False, form) for form in NEUTRAL
    }


def _acetate(place, away):
    """An acetate whose O has this place, the rest of it further away along a direction."""
    away = away / np.linalg.norm(away)
    side = np.cross(away, [0.0, 0.0, 1.0])
    side /= np.linalg.norm(side)
    carbon = place + 1.25 * (0.5 * away + math.sqrt(0.75) * side)
    methyl = carbon + 1.51 * (away * math.cos(math.radians(2)) + side * math.sin(math.radians(2)))
    other = carbon + 1.25 * (-0.5 * away + math.sqrt(0.75) * side)
    return [
        atom_line(name, "ACT", 900, each, name[0])
        for name, each in (("C", carbon), ("O", place), ("OXT", other), ("CH3", methyl))
    ]


def _state(files, number=NUMBER):
    row = next(row for row in files.report["histidines"] if row["residue"] == number)
    return row["form"], row["decidedBy"]


def _on_ring(files):
    typed = [
        line
        for line in files.pdbqt.splitlines()
        if line[22:26].strip() == str(NUMBER) and line[17:20] == "HIS"
    ]
    return [
        line[12:16].strip() for line in typed if line[77:79].strip() == "HD" and line[12:16].strip() != "H"
    ]


def test_what_hydrogen_bonds_ask_for_is_in_the_prepared_files(prepare_file, tmp_path, monkeypatch):
    lines = open_site()
    place = [float(value) for value in beyond(lines, NUMBER, "NE2", 0)]
    spec = session({"centerAngstrom": place, "sizeAngstrom": [24.0] * 3})
    source = write_with(tmp_path / "bare.pdb", lines)
    before, decided_by = _state(prepare_file(source, spec, name="before"))
    assert decided_by == "pdb2pqr-propka"
    # Every form is then as if the other one were clearly better.
    monkeypatch.setattr(histidines, "CLEARLY", -9.0)
    files = prepare_file(source, spec)
    name, wanted = ("NE2", "epsilon") if before == "delta" else ("ND1", "delta")
    assert _state(files) == (wanted, "bonds")
    assert _on_ring(files) == [HYDROGEN[name]]
    row = next(row for row in files.report["protonationStates"] if row["residue"] == NUMBER)
    assert row["state"] == f"neutral, hydrogen on {name}"


@pytest.mark.parametrize("method", ["pdb2pqr-propka", "meeko"])
def test_a_retained_acceptor_draws_the_hydrogen_of_a_prepared_receptor(prepare_file, tmp_path, method):
    """The nitrogen that has none without the component, whichever that is, gets it with it."""
    lines = open_site()
    box = {
        "centerAngstrom": [float(value) for value in beyond(lines, NUMBER, "NE2", 0)],
        "sizeAngstrom": [24.0] * 3,
    }
    bare = prepare_file(
        write_with(tmp_path / "bare.pdb", lines), session(box, protonationMethod=method), name="bare"
    )
    before, _ = _state(bare)
    name, wanted = ("NE2", "epsilon") if before == "delta" else ("ND1", "delta")
    place = beyond(lines, NUMBER, name, 2.8)
    source = write_with(
        tmp_path / "holo.pdb", lines, _acetate(place, place - position(atom_of(lines, NUMBER, name)))
    )
    spec = session(box, protonationMethod=method, retainComponents=["ACT"])
    files = prepare_file(source, spec, name="holo")
    assert before != wanted
    assert _state(files) == (wanted, "retained")
    row = next(row for row in files.report["histidines"] if row["residue"] == NUMBER)
    assert f"{name} gives to O of A:ACT 900 (2.8 Å)" in row["contacts"]
    assert _on_ring(files) == [HYDROGEN[name]]
    removed = prepare_file(source, session(box, protonationMethod=method), name="removed")
    assert removed.pdbqt == bare.pdbqt


@pytest.mark.parametrize("nitrogen", ["ND1", "NE2"])
@pytest.mark.parametrize("method", ["pdb2pqr-propka", "meeko"])
def test_a_nitrogen_at_a_retained_zinc_has_no_hydrogen_by_either_method(
    prepare_file, tmp_path, method, nitrogen
):
    lines = open_site()
    place = beyond(lines, NUMBER, nitrogen, 2.1)
    source = write_with(tmp_path / "zinc.pdb", lines, [atom_line("ZN", "ZN", 900, place, "ZN")])
    box = {"centerAngstrom": [float(value) for value in place], "sizeAngstrom": [24.0] * 3}
    files = prepare_file(source, session(box, protonationMethod=method, retainComponents=["ZN"]))
    assert _state(files) == ("epsilon" if nitrogen == "ND1" else "delta", "metal")
    near = [
        line
        for line in files.pdb.splitlines()
        if line.startswith("ATOM") and np.linalg.norm(position(line) - place) < 1.9
    ]
    assert near == []
