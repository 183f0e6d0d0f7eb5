"""Residues that cannot be as they stand: mended far from the box, refused near it, with and without a cache."""

import numpy as np
import pytest

from dockyard_science.contacts import refuse_clashes
from dockyard_science.spec import CachedReceptor
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Atom, Residue
from linked_world import box_around, grafted, names_of, number, piece, renamed, residue_lines
from receptor_world import session
from structures_world import atom_of, moved, position, write_with

LINES = piece(16, 66)
FAR = box_around([line for line in LINES if 16 <= number(line) <= 30], size=13.0)


def near(place, size=12.0):
    return box_around([line for line in LINES if number(line) == place], size)


def torn(place=60, atom="NZ"):
    """A side chain whose end hangs on nothing."""
    line = atom_of(LINES, place, atom)
    others = np.array([position(each) for each in LINES if each is not line])
    around = [position(line) + 3.0 * step for step in (*np.eye(3), *-np.eye(3))]
    target = max(around, key=lambda each: np.linalg.norm(others - each, axis=1).min())
    return [moved(each, target) if each is line else each for each in LINES]


def upon(place=59, other=57, atom="OH", onto="O"):
    """The end of a side chain upon the backbone of another residue."""
    target = position(atom_of(LINES, other, onto)) + np.array([0.3, 0.2, 0.1])
    line = atom_of(LINES, place, atom)
    return [moved(each, target) if each is line else each for each in LINES]


def doubled(place=60, atom="CE"):
    """An atom of a side chain in two places, as files have it whose alternative places have no letter."""
    line = atom_of(LINES, place, atom)
    index = LINES.index(line)
    return [*LINES[: index + 1], moved(line, position(line) + np.array([0.9, 0.4, 0.2])), *LINES[index + 1 :]]


@pytest.fixture
def prepare_lines(prepare_file, tmp_path):
    def run(lines, box, name="out", cached=None, **preparation):
        source = write_with(tmp_path / f"{name}.pdb", lines)
        return prepare_file(source, session(box, **preparation), cached, name)

    return run


def refused(run, *arguments, **options):
    with pytest.raises(ScienceError) as error:
        run(*arguments, **options)
    return error.value


@pytest.mark.parametrize(
    ("lines", "code", "place", "named"),
    [
        (torn(), "RECEPTOR_TEMPLATE_UNMATCHED", 60, "CE and NZ of A:LYS 60"),
        (upon(), "RECEPTOR_CLASH", 59, "OH of A:TYR 59"),
        (doubled(), "RECEPTOR_UNREADABLE", 60, "two atoms called CE"),
    ],
    ids=["torn", "upon another", "doubled"],
)
def test_an_impossible_side_chain_is_mended_far_from_the_box_and_refused_near_it(
    prepare_lines, lines, code, place, named
):
    files = prepare_lines(lines, FAR)
    (row,) = files.report["repairs"]
    assert (row["residue"], row["action"], row["code"]) == (place, "rebuilt", code)
    assert named in row["reason"]
    (warning,) = (each for each in files.summary["warnings"] if each["code"] == "RECEPTOR_REPAIRED")
    assert f"{place} built anew" in warning["message"]
    deposited = {line[12:16].strip() for line in LINES if number(line) == place}
    assert deposited <= names_of(files, place)
    # What was not to blame stays where it was.
    for other in (
        line for line in LINES if number(line) == place and line[12:16].strip() in {"N", "CA", "C", "O", "CB"}
    ):
        assert other[30:54] in {line[30:54] for line in residue_lines(files.pdb, place)}
    # The rows say what moved, and only what was to blame did.
    moved_atoms = set(row["atomsMoved"])
    assert moved_atoms
    assert not moved_atoms & {"N", "CA", "C", "O", "CB"}
    assert row["mostMovedAngstrom"] > 0.05
    assert row["atomsGone"] == []
    without = refused(prepare_lines, lines, FAR, "none", repair="none")
    assert without.code == code
    close = refused(prepare_lines, lines, near(place), "near")
    assert close.code == code
    assert named in close.message
    assert f" {place} is in the box" in close.message
    folder = files.out / "receptor"
    cached = CachedReceptor(folder / "prepared.pdb", folder / "prepared.pdbqt", folder / "preparation.json")
    again = refused(prepare_lines, lines, near(place), "cached", cached)
    assert (again.code, again.message) == (close.code, close.message)
    assert "repaired only beyond 4 Å, nearer by repair: box" in close.message
    # What is asked for in the box is done there, from the cache as well, and said once more.
    asked = prepare_lines(lines, near(place, size=18.0), "asked", cached, repair="box")
    assert asked.report["repairs"] == files.report["repairs"]
    (loud,) = (each for each in asked.summary["warnings"] if each["code"] == "POCKET_REPAIRED")
    assert f"{place} built anew ({', '.join(row['atomsMoved'])} moved by up to" in loud["message"]
    assert all(each["code"] != "POCKET_REPAIRED" for each in files.summary["warnings"])
    hit = prepare_lines(lines, FAR, "hit", cached)
    assert hit.summary["receptor"]["cacheHit"]
    assert hit.summary["warnings"] == files.summary["warnings"]


def test_four_angstrom_count_from_the_box_s_surface_to_the_nearest_heavy_atom(prepare_lines):
    lines = torn()
    places = np.array([position(line) for line in lines if number(line) == 60])
    middle = (places.max(axis=0) + places.min(axis=0)) / 2
    # A box in the chain's direction whose face is that far from the residue.
    centre = np.array(FAR["centerAngstrom"])
    axis = int(np.argmax(np.abs(centre - middle)))
    for distance, accepted in ((3.8, False), (4.2, True)):
        half = 20.0
        face = (
            places[:, axis].min() - distance
            if centre[axis] < middle[axis]
            else places[:, axis].max() + distance
        )
        box_centre = middle.copy()
        box_centre[axis] = face - half if centre[axis] < middle[axis] else face + half
        box = {
            "centerAngstrom": [round(float(value), 3) for value in box_centre],
            "sizeAngstrom": [2 * half] * 3,
        }
        if accepted:
            assert prepare_lines(lines, box, f"at{distance}").report["repairs"]
        else:
            assert f"is {distance:.1f} Å from the box" in refused(prepare_lines, lines, box, "at").message


def test_what_cannot_be_built_is_cut_to_alanine(prepare_lines):
    files = prepare_lines(torn(), FAR, protonationMethod="meeko")
    (row,) = files.report["repairs"]
    assert (row["residue"], row["residueName"], row["action"]) == (60, "LYS", "cut")
    lines = residue_lines(files.pdb, 60)
    assert {line[17:20] for line in lines} == {"ALA"}
    assert {line[12:16].strip() for line in lines if line[76:78].strip() != "H"} == {
        "N",
        "CA",
        "C",
        "O",
        "CB",
    }
    assert "LYS 60 cut to alanine (CG, CD, CE, NZ gone)" in files.summary["warnings"][0]["message"]
    assert files.report["atomsDropped"][0]["atoms"] == ["CG", "CD", "CE", "NZ"]


def lacking(place, *atoms):
    """A residue without some atoms, as refinements leave those that no density shows."""
    return [line for line in LINES if not (number(line) == place and line[12:16].strip() in atoms)]


@pytest.mark.parametrize(
    ("lines", "code", "place", "named"),
    [
        (lacking(60, "C", "O"), "RECEPTOR_MISSING_ATOMS", 60, "A:LYS 60 lacks C"),
        (
            [line for line in lacking(62, "C", "O") if number(line) <= 62],
            "RECEPTOR_MISSING_ATOMS",
            62,
            "62 lacks C",
        ),
        (torn(atom="O"), "RECEPTOR_TEMPLATE_UNMATCHED", 60, "C and O of A:LYS 60"),
    ],
    ids=["within", "at the end", "torn"],
)
def test_a_residue_without_a_whole_backbone_leaves_a_gap_far_from_the_box(
    prepare_lines, lines, code, place, named
):
    files = prepare_lines(lines, FAR)
    (row,) = files.report["repairs"]
    assert (row["residue"], row["action"], row["code"]) == (place, "leftOut", code)
    assert named in row["reason"]
    (warning,) = (each for each in files.summary["warnings"] if each["code"] == "RECEPTOR_REPAIRED")
    assert f"{place} left out" in warning["message"]
    assert {number(line) for line in files.pdb.splitlines() if line.startswith("ATOM")} == {
        number(line) for line in lines
    } - {place}
    if place == 60:
        # The chain goes on unseen, so the ends at the gap have no charge.
        assert "OXT" not in names_of(files, 59)
        assert len({"H", "H1", "H2", "H3"} & names_of(files, 61)) == 1
    assert refused(prepare_lines, lines, FAR, "none", repair="none").code == code
    close = refused(prepare_lines, lines, near(place), "near")
    assert close.code == code
    assert named in close.message
    assert f" {place} is in the box" in close.message
    # Nothing is left out of a box, whatever is asked for.
    assert refused(prepare_lines, lines, near(place), "asked", repair="box").code == code
    assert "repair: box" not in close.message


def test_a_residue_that_lacks_its_backbone_is_left_out_up_to_the_box_and_a_torn_one_is_not(prepare_lines):
    places = np.array([position(line) for line in LINES if number(line) == 60])
    centre = np.array(FAR["centerAngstrom"])
    axis = int(np.argmax(np.abs(centre - places.mean(axis=0))))
    half = 20.0
    middle = places.mean(axis=0)
    is_before = centre[axis] < middle[axis]
    edge = places[:, axis].min() - 2.0 if is_before else places[:, axis].max() + 2.0
    middle[axis] = edge - half if is_before else edge + half
    box = {
        "centerAngstrom": [round(float(value), 3) for value in middle],
        "sizeAngstrom": [2 * half] * 3,
    }
    (row,) = prepare_lines(lacking(60, "C", "O"), box).report["repairs"]
    assert row["action"] == "leftOut"
    error = refused(prepare_lines, torn(atom="O"), box, "torn")
    assert error.code == "RECEPTOR_TEMPLATE_UNMATCHED"
    assert "beyond 4 Å" in error.message


def unknown(component, *atoms):
    """A modified residue without some atoms, under the id of a component."""
    return [
        renamed(line, residue=component) if number(line) == 60 else line
        for line in grafted(LINES, 60, "SEP")
        if number(line) != 60 or line[12:16].strip() not in atoms
    ]


@pytest.mark.parametrize(
    ("lines", "code", "named", "action"),
    [
        (unknown("Z0Z"), "RECEPTOR_UNKNOWN_COMPONENT", "Dictionary does not have it", "cut"),
        (unknown("SEP", "O2P"), "RECEPTOR_MISSING_ATOMS", "A:SEP 60 lacks O2P", "cut"),
        (unknown("Z0Z", "CA"), "RECEPTOR_UNKNOWN_COMPONENT", "Dictionary does not have it", "leftOut"),
    ],
    ids=["unknown", "incomplete", "without a backbone"],
)
def test_a_modified_residue_that_has_no_template_is_no_reason_to_refuse_far_from_the_box(
    prepare_lines, lines, code, named, action
):
    files = prepare_lines(lines, FAR)
    (row,) = files.report["repairs"]
    assert (row["residue"], row["action"], row["code"]) == (60, action, code)
    assert named in row["reason"]
    heavy = {line[12:16].strip() for line in residue_lines(files.pdb, 60) if line[76:78].strip() != "H"}
    assert heavy == ({"N", "CA", "C", "O", "CB"} if action == "cut" else set())
    close = refused(prepare_lines, lines, near(60), "near")
    assert close.code == code
    assert named in close.message


def test_clashes_of_backbones_and_models_full_of_faults_are_refused_wherever_they_are(prepare_lines):
    target = position(atom_of(LINES, 58, "CA")) + np.array([0.5, 0.4, 0.3])
    oxygen = atom_of(LINES, 64, "O")
    upon_another = [moved(line, target) if line is oxygen else line for line in LINES]
    assert refused(prepare_lines, upon_another, FAR).code == "RECEPTOR_CLASH"
    headless = [line for line in LINES if number(line) % 5 or line[12:16].strip() not in {"N", "CA"}]
    assert refused(prepare_lines, headless, FAR).code == "RECEPTOR_MISSING_ATOMS"
    ends = {"LYS": "NZ", "ARG": "CZ", "LEU": "CD1", "VAL": "CG1", "ILE": "CD1", "GLU": "CD", "ASN": "CG"}
    many = [
        moved(line, position(line) + np.array([0, 0, 45.0]))
        if ends.get(line[17:20]) == line[12:16].strip()
        else line
        for line in LINES
    ]
    assert refused(prepare_lines, many, FAR).code == "RECEPTOR_TEMPLATE_UNMATCHED"


def test_a_receptor_without_faults_is_prepared_as_ever(prepare_lines):
    files = prepare_lines(LINES, FAR)
    assert files.report["repairs"] == []
    assert all(each["code"] != "RECEPTOR_REPAIRED" for each in files.summary["warnings"])
    kept = prepare_lines(LINES, FAR, "none", repair="none")
    assert (kept.pdb, kept.pdbqt) == (files.pdb, files.pdbqt)


@pytest.mark.parametrize("length", [1.51, 1.64])
def test_a_disulfide_that_was_refined_too_short_is_one(prepare_lines, length):
    first, second = (atom_of(LINES, place, "SG") for place in (42, 58))
    along = position(second) - position(first)
    place = position(second) - length * along / np.linalg.norm(along)
    files = prepare_lines([moved(line, place) if line is first else line for line in LINES], near(58))
    assert files.report["repairs"] == []
    (bond,) = files.report["disulfides"]
    assert {each["residue"] for each in bond} == {42, 58}
    assert "HG" not in names_of(files, 42) | names_of(files, 58)


def test_an_isopeptide_bond_is_called_that():
    nitrogen = Atom("NZ", "N", (0.0, 0.0, 0.0))
    lysine = Residue("A", 1, "", "LYS", "LYS", False, [nitrogen])
    for name, atom, distance, is_bond in (
        ("ASN", "CG", 1.33, True),
        ("GLU", "CD", 1.35, True),
        ("GLY", "C", 1.33, True),
        ("ASN", "CG", 0.9, False),
        ("LEU", "CG", 1.33, False),
    ):
        other = Residue("A", 9, "", name, name, False, [Atom(atom, "C", (distance, 0.0, 0.0))])
        with pytest.raises(ScienceError) as error:
            refuse_clashes([lysine, other])
        assert ("an isopeptide bond" in error.value.message) == is_bond


def test_atoms_that_were_built_in_or_near_the_box_are_named(prepare_lines):
    cut = {"CG", "CD", "CE", "NZ"}
    lines = [line for line in LINES if number(line) != 60 or line[12:16].strip() not in cut]

    def told(files):
        return [each["message"] for each in files.summary["warnings"] if each["code"] == "POCKET_ATOMS_BUILT"]

    files = prepare_lines(lines, near(60, size=18.0))
    (message,) = told(files)
    assert "LYS 60" in message
    assert all(name in message for name in cut)
    folder = files.out / "receptor"
    cached = CachedReceptor(folder / "prepared.pdb", folder / "prepared.pdbqt", folder / "preparation.json")
    assert told(prepare_lines(lines, near(60, size=18.0), "hit", cached)) == [message]
    assert not any("LYS 60" in each for each in told(prepare_lines(lines, FAR, "far", cached)))
