"""Residues that are kept or removed by place."""

import pytest

from dockyard_science.components import split_components
from dockyard_session.errors import ScienceError
from dockyard_structures.selection import select
from dockyard_structures.structure import read_structure
from receptor_world import beyond, session, small_site
from structures_world import CALCIUM, MODIFIED, PR, write_with


def _place(chain, residue, code=""):
    return {"chain": chain, "residue": residue, "insertionCode": code}


def _split(path, **preparation):
    spec = session({}, **preparation)
    model = select(read_structure(path).structure, spec["receptor"]).model
    return split_components(model, spec["preparation"])


def _labels(residues):
    return [residue.label for residue in residues]


def test_one_water_and_one_ligand_are_kept_by_place_and_no_other():
    before = _split(PR)
    water = before.removed_waters[3]
    parts = _split(PR, retainResidues=[_place(*water.key), _place("A", 1)])
    assert sorted(_labels(parts.retained)) == sorted(["A:STR 1", water.label])
    assert len(parts.removed_waters) == len(before.removed_waters) - 1
    assert parts.warnings == []


def test_a_place_outweighs_a_component():
    waters = _labels(_split(PR).removed_waters)
    first = _split(PR).removed_waters[0]
    parts = _split(PR, retainComponents=["HOH"], removeResidues=[_place(*first.key)])
    assert _labels(parts.retained) == waters[1:]
    parts = _split(PR, removeComponents=["STR"], retainResidues=[_place("A", 1)])
    assert _labels(parts.retained) == ["A:STR 1"]


def test_a_residue_to_retain_that_is_not_there_is_refused_by_its_name():
    with pytest.raises(ScienceError, match="no residue A:4711B") as error:
        _split(PR, retainResidues=[_place("A", 1), _place("A", 4711, "B")])
    assert error.value.code == "RECEPTOR_RESIDUE_NOT_FOUND"


def test_what_is_named_for_nothing_is_warned_of():
    parts = _split(PR, retainResidues=[_place("A", 700)], removeResidues=[_place("A", 4711)])
    assert [(each["code"], each["message"].split(":")[1].split(" ")[0]) for each in parts.warnings] == [
        ("COMPONENT_NOT_FOUND", "700"),
        ("COMPONENT_NOT_FOUND", "4711"),
    ]


def test_a_residue_of_a_chain_that_is_removed_leaves_a_gap_and_no_other_warning(prepare_file, tmp_path):
    lines = small_site()
    box = {
        "centerAngstrom": [float(value) for value in beyond(lines, 130, "NE2", 0)],
        "sizeAngstrom": [30.0] * 3,
    }
    files = prepare_file(
        write_with(tmp_path / "site.pdb", lines), session(box, removeResidues=[_place("A", 125)])
    )
    gaps = [(row["after"]["residue"], row["before"]["residue"]) for row in files.report["gaps"]]
    assert gaps == [(10, 118), (124, 126)]
    assert [row["residue"] for row in files.report["components"]["residuesRemoved"]] == [125]
    assert not any(line[22:26].strip() == "125" for line in files.pdb.splitlines())
    assert files.report["warnings"] == []


def test_a_modified_residue_that_is_removed_does_not_refuse_the_receptor():
    parts = _split(MODIFIED, removeResidues=[_place("A", 67), _place("B", 67)])
    assert _labels(parts.cut) == ["A:CSO 67", "B:CSO 67"]


def test_of_two_residues_with_one_number_the_component_is_meant(tmp_path):
    lines = list(small_site())
    water = "HETATM 9999  O   HOH A 125      90.000  90.000  90.000  1.00 20.00           O"
    parts = _split(write_with(tmp_path / "old.pdb", lines, [water]), removeResidues=[_place("A", 125)])
    assert (len(parts.removed_waters), parts.cut) == (1, [])
    assert any(residue.number == 125 for residue in parts.polymer)


def test_removing_everything_leaves_an_empty_receptor():
    places = [_place(*residue.key) for residue in _split(CALCIUM).polymer]
    with pytest.raises(ScienceError) as error:
        _split(CALCIUM, removeResidues=places)
    assert error.value.code == "RECEPTOR_EMPTY"
