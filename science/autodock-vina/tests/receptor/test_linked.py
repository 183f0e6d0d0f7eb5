"""Receptors with caps and modified residues: charges and hydrogens, atom by atom."""

import math

import numpy as np
import pytest

from dockyard_science.linked_states import PHOSPHATES, phosphate_template
from dockyard_session.errors import ScienceError
from linked_world import (
    box_around,
    capped,
    charge,
    grafted,
    names_of,
    number,
    piece,
    renamed,
    residue_lines,
    strand,
)
from receptor_world import beside, session
from structures_world import atom_line, position, write_with


@pytest.fixture
def prepare_lines(prepare_file, tmp_path):
    def run(lines, extra=(), name="out", **preparation):
        source = write_with(tmp_path / f"{name}.pdb", lines, extra)
        return prepare_file(source, session(box_around(lines[:150]), **preparation), name=name)

    return run


def place_of(files, residue, atom):
    (line,) = (each for each in residue_lines(files.pdb, residue) if each[12:16].strip() == atom)
    return position(line)


def bonded_hydrogens(files, residue):
    """How many hydrogens each heavy atom of a residue has, and their distances."""
    lines = residue_lines(files.pdb, residue)
    heavy = [line for line in lines if line[76:78].strip() != "H"]
    counts = {line[12:16].strip(): 0 for line in heavy}
    for line in lines:
        if line[76:78].strip() == "H":
            holder = min(heavy, key=lambda each: np.linalg.norm(position(each) - position(line)))
            assert 0.9 < np.linalg.norm(position(holder) - position(line)) < 1.35
            counts[holder[12:16].strip()] += 1
    return {name: count for name, count in counts.items() if count}


@pytest.mark.parametrize(
    ("end", "methyl", "hydrogens"),
    [("NME", "C", {"N": 1, "C": 3}), ("NMA", "CH3", {"N": 1, "CH3": 3}), ("NH2", None, {"N": 2})],
)
def test_neighbours_of_caps_are_no_charged_ends(prepare_lines, end, methyl, hydrogens):
    files = prepare_lines(capped(17, 40, end, methyl))
    # Valine behind the acetyl has the one hydrogen of an amide, in its plane; histidine ends in no carboxylate.
    assert "OXT" not in names_of(files, 40)
    assert not {"H1", "H2", "H3"} & names_of(files, 17)
    carbon, nitrogen, alpha = place_of(files, 16, "C"), place_of(files, 17, "N"), place_of(files, 17, "CA")
    hydrogen = place_of(files, 17, "H")
    for neighbour in (carbon, alpha):
        first, second = hydrogen - nitrogen, neighbour - nitrogen
        cosine = np.dot(first, second) / np.linalg.norm(first) / np.linalg.norm(second)
        assert 112 < math.degrees(math.acos(cosine)) < 125
    assert bonded_hydrogens(files, 16) == {"CH3": 3}
    assert bonded_hydrogens(files, 41) == hydrogens
    assert {residue: charge(files, residue) for residue in (16, 17, 41)} == {16: 0, 17: 0, 41: 0}
    assert charge(files, 40) == 0
    assert files.report["hydrogensSetByTemplate"] == []
    assert files.report["gaps"] == []
    assert {line[17:20] for line in residue_lines(files.pdbqt, 41)} == {"NH2" if end == "NH2" else "NME"}


def test_a_phosphate_has_its_second_proton_up_to_its_own_pka():
    states = {name: [phosphate_template(name, ph, name)[0] for ph in (5.9, 6.1, 6.4)] for name in PHOSPHATES}
    assert states == {
        "SEP": ["S1P", "SEP", "SEP"],
        "TPO": ["T1P", "T1P", "TPO"],
        "PTR": ["Y1P", "PTR", "PTR"],
    }


def test_a_capped_molecule_beside_another_one_under_one_id_leaves_that_its_ends(prepare_lines):
    away = [f"{line[:30]}{position(line)[0] + 60:8.3f}{line[38:]}" for line in piece(16, 30)]
    second = [renamed(line, place=number(line) + 300) for line in away]
    files = prepare_lines([*capped(17, 40), *second])
    assert {"H1", "H2", "H3"} <= names_of(files, 316)
    assert "H1" not in names_of(files, 17)
    assert charge(files, 316) == 1


@pytest.mark.parametrize(
    ("where", "ph", "net", "hydrogens"),
    [
        (("SEP", 32), 7.4, -2, {"N": 1, "CA": 1, "CB": 2}),
        (("SEP", 32), 4.0, -1, {"N": 1, "CA": 1, "CB": 2, "O1P": 1}),
        (("TPO", 26), 7.4, -2, {"N": 1, "CA": 1, "CB": 1, "CG2": 3}),
        (("PTR", 29), 7.4, -2, {"N": 1, "CA": 1, "CB": 2, "CD1": 1, "CD2": 1, "CE1": 1, "CE2": 1}),
        (("HYP", 28), 7.4, 0, {"CA": 1, "CB": 2, "CG": 1, "CD": 2, "OD1": 1}),
        (("CSO", 22), 7.4, 0, {"N": 1, "CA": 1, "CB": 2, "OD": 1}),
        (("CSD", 22), 7.4, -1, {"N": 1, "CA": 1, "CB": 2}),
        (("OCS", 22), 7.4, -1, {"N": 1, "CA": 1, "CB": 2}),
        (("CME", 22), 7.4, 0, {"N": 1, "CA": 1, "CB": 2, "CE": 2, "CZ": 2, "OH": 1}),
        (("KCX", 30), 7.4, -1, {"N": 1, "CA": 1, "CB": 2, "CG": 2, "CD": 2, "CE": 2, "NZ": 1}),
        (
            ("MLY", 30),
            7.4,
            1,
            {"N": 1, "CA": 1, "CB": 2, "CG": 2, "CD": 2, "CE": 2, "NZ": 1, "CH1": 3, "CH2": 3},
        ),
        (("MLY", 30), 12.5, 0, {"N": 1, "CA": 1, "CB": 2, "CG": 2, "CD": 2, "CE": 2, "CH1": 3, "CH2": 3}),
        (
            ("M3L", 30),
            7.4,
            1,
            {"N": 1, "CA": 1, "CB": 2, "CG": 2, "CD": 2, "CE": 2, "CM1": 3, "CM2": 3, "CM3": 3},
        ),
        (("TYS", 29), 7.4, -1, {"N": 1, "CA": 1, "CB": 2, "CD1": 1, "CD2": 1, "CE1": 1, "CE2": 1}),
    ],
)
def test_a_modified_residue_has_the_state_of_the_ph(prepare_lines, where, ph, net, hydrogens):
    component, place = where
    files = prepare_lines(grafted(piece(17, 40), place, component), protonationPh=ph)
    assert charge(files, place) == net
    found = bonded_hydrogens(files, place)
    if component == "SEP" and ph < 5:
        # Which oxygen of the phosphate holds the one proton is all the same.
        (held,) = found.keys() & {"O1P", "O2P", "O3P"}
        found = {("O1P" if name == held else name): count for name, count in found.items()}
    assert found == hydrogens
    # Those beside it go on as a chain: one hydrogen on the nitrogen, no carboxylate.
    assert bonded_hydrogens(files, place + 1).get("N", 0) <= 1
    assert "OXT" not in names_of(files, place - 1)
    assert files.report["hydrogensSetByTemplate"] == []


def test_a_modified_residue_that_begins_or_ends_a_chain_is_charged_there(prepare_lines):
    begins = prepare_lines(grafted(piece(32, 46), 32, "SEP"), name="begins")
    assert charge(begins, 32) == -1
    assert bonded_hydrogens(begins, 32)["N"] == 3
    lines = grafted(piece(17, 32), 32, "SEP")
    oxygen = next(line for line in lines if number(line) == 32 and line[12:16].strip() == "O")
    middle, alpha = (
        position(next(line for line in lines if number(line) == 32 and line[12:16].strip() == name))
        for name in ("C", "CA")
    )
    axis = (middle - alpha) / np.linalg.norm(middle - alpha)
    place = middle + 2 * np.dot(position(oxygen) - middle, axis) * axis - (position(oxygen) - middle)
    end = f"{oxygen[:12]} OXT{oxygen[16:30]}" + "".join(f"{value:8.3f}" for value in place) + oxygen[54:]
    ends = prepare_lines([*lines, end], name="ends")
    assert charge(ends, 32) == -3
    assert "OXT" not in names_of(ends, 31)


def test_a_start_whose_nitrogen_is_an_amide_is_not_charged(prepare_lines):
    files = prepare_lines(grafted(piece(30, 46), 30, "PCA"))
    assert charge(files, 30) == 0
    assert bonded_hydrogens(files, 30) == {"N": 1, "CA": 1, "CB": 2, "CG": 2}


def test_what_has_no_template_is_refused_by_name_and_reason(prepare_lines):
    lines = grafted(piece(17, 40), 32, "SEP")
    for component, reason in (("Z0Z", "Dictionary does not have it"), ("BAL", "backbone of an amino acid")):
        changed = [renamed(line, residue=component) if number(line) == 32 else line for line in lines]
        with pytest.raises(ScienceError) as error:
            prepare_lines(changed)
        assert error.value.code == "RECEPTOR_UNKNOWN_COMPONENT"
        assert f"A:{component} 32" in error.value.message
        assert reason in error.value.message
    with pytest.raises(ScienceError) as error:
        prepare_lines([line for line in lines if line[12:16].strip() != "O2P"])
    assert error.value.code == "RECEPTOR_MISSING_ATOMS"
    assert "A:SEP 32 lacks O2P" in error.value.message


def test_no_network_is_asked_for_a_modified_residue(prepare_lines, monkeypatch):
    def refuse(*_args, **_options):
        raise AssertionError("the network was asked")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    monkeypatch.setattr("socket.create_connection", refuse)
    assert charge(prepare_lines(grafted(piece(17, 40), 30, "ALY")), 30) == 0


@pytest.mark.parametrize(
    ("metal", "kind", "charged"),
    [("NA", "Ca", 1), ("K", "Ca", 1), ("NI", "Zn", 2), ("CO", "Zn", 2), ("CD", "Zn", 2), ("HG", "Zn", 2)],
)
def test_a_metal_without_a_type_has_a_similar_one_s(prepare_lines, metal, kind, charged):
    lines = piece(17, 40)
    files = prepare_lines(lines, beside(lines, metal), retainComponents=[metal])
    (line,) = residue_lines(files.pdbqt, 900)
    assert (line[17:20].strip(), line[77:79].strip(), float(line[68:76])) == (metal, kind, charged)
    (kept,) = residue_lines(files.pdb, 900)
    assert kept[76:78].strip() == metal
    (warning,) = (each for each in files.summary["warnings"] if each["code"] == "METAL_TYPE_SUBSTITUTED")
    assert f"A:{metal} 900 as {kind}" in warning["message"]


def test_a_metal_that_vina_does_not_know_at_all_is_refused(prepare_lines):
    lines = piece(17, 40)
    with pytest.raises(ScienceError) as error:
        prepare_lines(lines, [atom_line("W", "W", 900, position(lines[0]) + 20, "W")], retainComponents=["W"])
    assert error.value.code == "RECEPTOR_UNKNOWN_COMPONENT"


@pytest.mark.parametrize(("ends", "net"), [((), -1), (("OP3",), -2)], ids=["seen from P on", "whole"])
def test_a_strand_may_begin_with_its_phosphate(prepare_lines, ends, net):
    protein = piece(17, 40)
    made = [
        line
        for line in strand("DA", "DC", beside=protein)
        if line[12:16].strip() != "OP3" or line[12:16].strip() in ends
    ]
    files = prepare_lines([*protein, "TER", *made])
    assert {"P", "OP1", "OP2", *ends} <= names_of(files, 101)
    assert not {"H5T", "HO5'"} & names_of(files, 101)
    assert charge(files, 101) == net
