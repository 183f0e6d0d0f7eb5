"""Waters that stay: which of them, where their hydrogens point, and what is warned of."""

import math

import numpy as np
import pytest

from dockyard_science.box import make_box
from dockyard_science.components import split_components
from dockyard_science.waters import named_as_water, named_ligand, turn_waters, water_warnings, waters_within
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Atom, Residue
from dockyard_structures.selection import select
from dockyard_structures.structure import read_structure
from receptor_world import STEROID_BOX, beyond, open_site, session, small_site
from structures_world import PR, atom_line, write_with

ANGLE = math.radians(104.52)


def _residue(name, *atoms, number=1, hetero=True):
    return Residue("A", number, "", name, name, hetero, [Atom(*atom) for atom in atoms])


def _water(place=(0.0, 0.0, 0.0), number=900):
    return named_as_water(_residue("HOH", ("O", "O", place), number=number))


def _hydrogens(water):
    return [np.array(atom.position) for atom in water.atoms if atom.is_hydrogen]


def _angle(water, place):
    """The smallest angle, in degrees, between a hydrogen's bond and the way to a place."""
    oxygen = np.array(water.atoms[0].position)
    way = np.array(place) - oxygen
    cosines = [
        float((each - oxygen) @ way / np.linalg.norm(each - oxygen) / np.linalg.norm(way))
        for each in _hydrogens(water)
    ]
    return math.degrees(math.acos(max(cosines)))


def test_both_hydrogens_point_at_acceptors_and_keep_water_s_own_shape():
    places = [(2.8, 0.0, 0.0), (2.8 * math.cos(ANGLE), 2.8 * math.sin(ANGLE), 0.0)]
    chain = [_residue("GLY", ("O", "O", place), number=i, hetero=False) for i, place in enumerate(places)]
    (water,) = turn_waters([_water()], chain)
    assert [atom.name for atom in water.atoms] == ["O", "H1", "H2"]
    assert max(_angle(water, place) for place in places) < 8
    first, second = _hydrogens(water)
    assert math.isclose(np.linalg.norm(first), 0.957, abs_tol=0.002)
    assert math.isclose(np.linalg.norm(first - second), 1.514, abs_tol=0.005)


def test_no_hydrogen_points_at_a_donor_or_a_metal():
    donor = _residue("LIG", ("N1", "N", (0.0, 0.0, 2.9)), ("H1", "H", (0.0, 0.0, 1.9)))
    metal = _residue("ZN", ("ZN", "ZN", (2.1, 0.0, 0.0)), number=2)
    (water,) = turn_waters([_water()], [donor, metal])
    for hydrogen in _hydrogens(water):
        assert np.linalg.norm(hydrogen - np.array([0.0, 0.0, 1.9])) >= 1.95
        assert np.linalg.norm(hydrogen - np.array([2.1, 0.0, 0.0])) >= 2.5


def test_waters_give_to_each_other_in_one_direction():
    waters = turn_waters([_water(), _water((2.8, 0.0, 0.0), 901)], [])
    angles = [_angle(waters[0], (2.8, 0.0, 0.0)), _angle(waters[1], (0.0, 0.0, 0.0))]
    assert min(angles) < 10
    assert max(angles) > 40


def test_other_components_come_back_as_they_were_and_the_same_twice():
    ion = _residue("ZN", ("ZN", "ZN", (9.0, 0.0, 0.0)))
    chain = [_residue("GLY", ("O", "O", (2.7, 0.4, 0.1)), number=5, hetero=False)]
    first, second = (turn_waters([ion, _water(), _water((0.0, 2.9, 0.0), 901)], chain) for _ in range(2))
    assert first == second
    assert first[0] is ion


def test_a_water_of_any_name_is_prepared_as_water():
    named = named_as_water(_residue("WAT", ("OW", "O", (0.0, 0.0, 0.0)), hetero=False))
    assert (named.name, named.atoms[0].name, named.hetero, named.label) == ("HOH", "O", True, "A:WAT 1")


def _selected(box, native=None, **preparation):
    spec = session(box, native, {"chains": ["A"]}, **preparation)
    model = select(read_structure(PR).structure, spec["receptor"]).model
    return spec, model, make_box(model, spec["box"]), named_ligand(model, spec)


def _within(box, native=None, **rule):
    spec, model, made, ligand = _selected(box, native, retainWatersWithin=rule)
    return waters_within(model, spec["preparation"], made, ligand)


NATIVE = {"componentId": "STR", "chain": "A", "residue": 1, "insertionCode": ""}
EXPLICIT = {"centerAngstrom": [22.853, 10.139, 60.282], "sizeAngstrom": [18.0, 18.0, 22.46]}


def test_waters_are_kept_by_their_distance_from_box_or_ligand():
    at_ligand = _within(STEROID_BOX, angstrom=3.5, of="ligand")
    assert 0 < len(at_ligand) < 6
    assert _within(EXPLICIT, NATIVE, angstrom=3.5, of="ligand") == at_ligand
    in_box = _within(STEROID_BOX, angstrom=0, of="box")
    assert at_ligand < in_box < _within(STEROID_BOX, angstrom=6, of="box")
    assert _within(STEROID_BOX, angstrom=0, of="ligand") == frozenset()


def test_waters_at_a_ligand_that_nobody_names_are_refused():
    with pytest.raises(ScienceError) as error:
        _within(EXPLICIT, angstrom=3.0, of="ligand")
    assert error.value.code == "POCKET_LIGAND_NOT_FOUND"


def test_a_water_upon_the_chain_or_upon_another_stays_out(tmp_path):
    lines = open_site()
    place = beyond(lines, 130, "NE2", 2.8)
    extra = [
        atom_line("O", "HOH", number, place + np.array(shift), "O")
        for number, shift in ((901, (0, 0, 0)), (902, (0.9, 0, 0)))
    ]
    upon = beyond(lines, 130, "NE2", 1.0)
    source = write_with(tmp_path / "w.pdb", lines, [*extra, atom_line("O", "HOH", 903, upon, "O")])
    box = {"centerAngstrom": [float(value) for value in place], "sizeAngstrom": [20.0] * 3}
    spec = session(box, retainWatersWithin={"angstrom": 0.0, "of": "box"})
    model = select(read_structure(source).structure, spec["receptor"]).model
    kept = waters_within(model, spec["preparation"], make_box(model, spec["box"]), None)
    assert kept == {("A", 901, "")}


def test_waters_that_held_the_ligand_and_those_that_stay_in_the_box_are_named():
    spec, model, box, ligand = _selected(STEROID_BOX)
    removed = split_components(model, spec["preparation"])
    (warning,) = water_warnings(removed, box, ligand)
    assert (warning["code"], "A:STR 1" in warning["message"]) == ("WATER_IN_BOX", True)
    kept = waters_within(
        model, {**spec["preparation"], "retainWatersWithin": {"angstrom": 4.0, "of": "ligand"}}, box, ligand
    )
    staying = split_components(model, spec["preparation"], kept)
    (warning,) = water_warnings(staying, box, ligand)
    assert "Retained waters" in warning["message"]
    assert water_warnings(removed, box, None) == []


def test_retained_waters_of_a_prepared_receptor_point_at_what_takes_their_hydrogens(prepare_file, tmp_path):
    lines = small_site()
    oxygen = next(line for line in lines if int(line[22:26]) == 134 and line[12:16].strip() == "O")
    acceptor = np.array([float(oxygen[a : a + 8]) for a in (30, 38, 46)])
    places = np.array([[float(line[a : a + 8]) for a in (30, 38, 46)] for line in lines])
    directions = [np.array(each) for each in np.random.default_rng(1).normal(size=(400, 3))]
    spots = [acceptor + 2.8 * each / np.linalg.norm(each) for each in directions]
    place = max(spots, key=lambda spot: np.sort(np.linalg.norm(places - spot, axis=1))[1])
    source = write_with(tmp_path / "water.pdb", lines, [atom_line("OW", "WAT", 900, place, "O")])
    box = {"centerAngstrom": [float(value) for value in place], "sizeAngstrom": [26.0] * 3}
    for method in ("meeko", "pdb2pqr-propka"):
        spec = session(
            box,
            protonationMethod=method,
            retainResidues=[{"chain": "A", "residue": 900, "insertionCode": ""}],
        )
        files = prepare_file(source, spec, name=method)
        water = [line for line in files.pdbqt.splitlines() if line[17:20] == "HOH"]
        assert [line[77:79].strip() for line in water] == ["OA", "HD", "HD"]
        hydrogens = [np.array([float(line[a : a + 8]) for a in (30, 38, 46)]) for line in water[1:]]
        assert min(np.linalg.norm(each - acceptor) for each in hydrogens) < 1.95
        assert "A:WAT 900" in next(
            each["message"] for each in files.summary["warnings"] if each["code"] == "WATER_IN_BOX"
        )
