"""Side chains that turn: they leave the rigid receptor whole, by Meeko; what cannot turn is refused by name."""

import json

import pytest

from dockyard_science.pdbqt import atom_lines, coordinates
from dockyard_science.spec import CachedReceptor
from dockyard_session.errors import ScienceError
from receptor_world import FOLATE_BOX, STEROID_BOX, digests, prepare_in, session, small_site
from structures_world import CALCIUM, PR, TRYPSIN, position, write_with

# Both ends of the stretch and what stands between them; the serine's hydroxyl turns too.
TURNING = {138: ("ILE", 2), 140: ("GLN", 3), 146: ("THR", 2), 1: ("VAL", 1)}
WIDE_BOX = FOLATE_BOX | {"sizeAngstrom": [60.0, 60.0, 60.0]}


def flexible(*residues):
    return {"flexibleResidues": [{"chain": "A", "insertionCode": ""} | residue for residue in residues]}


def at(*numbers):
    return flexible(*({"residue": number} for number in numbers))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    return write_with(folder / "site.pdb", small_site())


@pytest.fixture(scope="module")
def rigid(site, tmp_path_factory):
    out = tmp_path_factory.mktemp("rigid")
    prepare_in(out, site, session(WIDE_BOX))
    return out


@pytest.fixture(scope="module")
def turning(site, tmp_path_factory):
    out = tmp_path_factory.mktemp("turning")
    prepare_in(out, site, session(WIDE_BOX, **at(*TURNING)))
    return out


def read(out, name):
    return (out / "receptor" / name).read_text()


def report_of(out):
    return json.loads(read(out, "preparation.json"))


def refusal(tmp_path, source, box, preparation):
    with pytest.raises(ScienceError) as error:
        prepare_in(tmp_path / "refused", source, session(box, **preparation))
    assert not (tmp_path / "refused" / "receptor").exists()
    return error.value


def test_a_receptor_without_them_has_neither_file_nor_word_of_them(rigid):
    assert not (rigid / "receptor" / "flexible.pdbqt").exists()
    assert "lexible" not in read(rigid, "preparation.json")


def test_rigid_and_flexible_part_have_each_atom_of_the_receptor_once(rigid, turning):
    parts = [*atom_lines(read(turning, "prepared.pdbqt")), *atom_lines(read(turning, "flexible.pdbqt"))]
    whole = atom_lines(read(rigid, "prepared.pdbqt"))
    # All but the number of the atom.
    assert sorted(line[11:] for line in parts) == sorted(line[11:] for line in whole)
    assert read(turning, "prepared.pdb") == read(rigid, "prepared.pdb")


def test_only_the_side_chains_turn_and_their_root_is_the_first_carbon(turning):
    blocks = read(turning, "flexible.pdbqt").split("BEGIN_RES")[1:]
    assert len(blocks) == len(TURNING)
    for block in blocks:
        names = [line[12:16].strip() for line in atom_lines(block)]
        assert names[:2] == ["CA", "CB"]
        # At the end of a chain, too, neither the backbone nor its charged group turns.
        assert not {"N", "C", "O", "OXT", "H1", "H2", "H3"} & set(names)
        assert block.split("ENDROOT")[0].count("ATOM") == 1


def test_the_report_names_residues_bonds_and_atoms_in_the_order_of_the_file(turning):
    report = report_of(turning)
    rows = report["flexibleResidues"]
    assert [row["residue"] for row in rows] == sorted(TURNING)
    for row in rows:
        assert (row["residueName"], row["torsions"]) == TURNING[row["residue"]]
        assert row["atoms"][0] == "CB"
    assert rows[0]["atoms"] == ["CB", "CG1", "CG2"]
    files = {each["path"]: each["sha256"] for each in report["files"]}
    assert files["receptor/flexible.pdbqt"] == digests(turning)["receptor/flexible.pdbqt"]
    assert [each["residue"] for each in report["preparation"]["flexibleResidues"]] == [*TURNING]


def test_the_same_residues_in_another_order_and_with_names_give_the_same_files(turning, site, tmp_path):
    named = [{"residue": number, "residueName": name} for number, (name, _) in reversed(TURNING.items())]
    prepare_in(tmp_path, site, session(WIDE_BOX, **flexible(*named)))
    for name in ("prepared.pdb", "prepared.pdbqt", "flexible.pdbqt"):
        assert read(tmp_path, name) == read(turning, name)


def test_a_prepared_receptor_is_used_again_and_checked_against_the_new_box(turning, site, tmp_path):
    folder = turning / "receptor"
    files = [
        folder / name for name in ("prepared.pdb", "prepared.pdbqt", "preparation.json", "flexible.pdbqt")
    ]
    again = tmp_path / "again"
    summary = prepare_in(again, site, session(WIDE_BOX, **at(*TURNING)), CachedReceptor(*files))
    assert summary["receptor"]["cacheHit"]
    assert read(again, "flexible.pdbqt") == read(turning, "flexible.pdbqt")

    partial = prepare_in(
        tmp_path / "new", site, session(WIDE_BOX, **at(*TURNING)), CachedReceptor(*files[:3])
    )
    assert not partial["receptor"]["cacheHit"]
    assert partial["warnings"][0]["code"] == "PREPARED_RECEPTOR_STALE"

    # The box of a job moves, the prepared files stay: what was inside may reach out.
    with pytest.raises(ScienceError, match=r"A:\w{3} \d+ reaches out of the box") as error:
        prepare_in(again, site, session(FOLATE_BOX, **at(*TURNING)), CachedReceptor(*files))
    assert error.value.code == "RECEPTOR_RESIDUE_NOT_FLEXIBLE"


def test_an_atom_that_the_preparation_built_outside_the_box_is_found(tmp_path):
    bare = [
        line
        for line in small_site()
        if int(line[22:26]) != 140 or line[12:16].strip() in {"N", "CA", "C", "O"}
    ]
    source = write_with(tmp_path / "bare.pdb", bare)
    centre = next(position(line) for line in bare if int(line[22:26]) == 140 and line[12:16].strip() == "CA")
    # Just large enough for the receptor that a box needs, with CA near a corner.
    box = {"centerAngstrom": (centre + 8.5).tolist(), "sizeAngstrom": [18.0] * 3}
    with pytest.raises(ScienceError, match="A:GLN 140 reaches out of the box") as error:
        prepare_in(tmp_path, source, session(box, **at(140)))
    assert error.value.code == "RECEPTOR_RESIDUE_NOT_FLEXIBLE"


@pytest.mark.parametrize(
    ("residue", "code", "says"),
    [
        ({"residue": 4711}, "RECEPTOR_RESIDUE_NOT_FOUND", r"chains \(A\) have no residue A:4711"),
        ({"residue": 6, "insertionCode": "B"}, "RECEPTOR_RESIDUE_NOT_FOUND", "A:6B"),
        ({"chain": "Q", "residue": 6}, "RECEPTOR_RESIDUE_NOT_FOUND", "Q:6"),
        ({"residue": 129}, "RECEPTOR_RESIDUE_NOT_FLEXIBLE", "A:GLY 129 has no side chain"),
        ({"residue": 9}, "RECEPTOR_RESIDUE_NOT_FLEXIBLE", "A:ALA 9 has no bond"),
        ({"residue": 128}, "RECEPTOR_RESIDUE_NOT_FLEXIBLE", "A:PRO 128 has its side chain in a ring"),
        (
            {"residue": 130, "residueName": "PHE"},
            "RECEPTOR_RESIDUE_NOT_FLEXIBLE",
            "A:HIS 130 is not the PHE that flexibleResidues names",
        ),
    ],
)
def test_what_has_no_side_chain_to_turn_is_refused_by_name(residue, code, says, site, tmp_path):
    error = refusal(tmp_path, site, WIDE_BOX, flexible({"residue": 138}, residue))
    assert error.code == code
    with pytest.raises(ScienceError, match=says):
        raise error


def test_a_residue_outside_the_box_is_refused_with_atom_and_distance(tmp_path):
    error = refusal(tmp_path, PR, STEROID_BOX, at(725, 697) | {"removeComponents": []})
    assert error.code == "RECEPTOR_RESIDUE_NOT_FLEXIBLE"
    assert "A:ASP 697 reaches out of the box: " in error.message
    assert "Å outside" in error.message
    assert "725" not in error.message


def test_a_ligand_and_a_water_are_no_residues_of_a_chain(tmp_path):
    error = refusal(tmp_path, PR, STEROID_BOX, at(1, 1004))
    assert error.code == "RECEPTOR_RESIDUE_NOT_FLEXIBLE"
    assert "A:STR 1 is no residue of a chain" in error.message
    assert "A:HOH 1004" in error.message


def test_a_disulfide_holds_its_cysteines(tmp_path):
    box = {"centerAngstrom": [0.0, 0.0, 20.0], "sizeAngstrom": [100.0] * 3}
    error = refusal(tmp_path, TRYPSIN, box, at(22))
    assert error.code == "RECEPTOR_RESIDUE_NOT_FLEXIBLE"
    assert "A:CYS 22 is bound to A:CYS 157 by its side chain" in error.message


def test_a_retained_metal_holds_what_binds_it(tmp_path):
    box = {"centerAngstrom": [15.4, 6.2, 0.6], "sizeAngstrom": [30.0] * 3}
    bound = next(
        int(line[22:26])
        for line in CALCIUM.read_text().splitlines()
        if line.startswith("ATOM")
        and line[17:20] == "ASP"
        and line[12:16].strip() in {"OD1", "OD2"}
        and sum((position(line) - [15.392, 6.217, 0.598]) ** 2) < 2.8**2
    )
    error = refusal(tmp_path, CALCIUM, box, at(bound) | {"retainComponents": ["CA"]})
    assert error.code == "RECEPTOR_RESIDUE_NOT_FLEXIBLE"
    assert f"A:ASP {bound} binds a retained metal with its side chain" in error.message
    # Without the metal nothing holds it.
    prepare_in(tmp_path / "bare", CALCIUM, session(box, **at(bound)))
    assert report_of(tmp_path / "bare")["flexibleResidues"][0]["residue"] == bound


def test_the_places_are_those_of_the_prepared_receptor(turning):
    lines = atom_lines(read(turning, "prepared.pdb"))
    known = {tuple(position(line)) for line in lines}
    assert {tuple(place) for place in coordinates(read(turning, "flexible.pdbqt"))} <= known
