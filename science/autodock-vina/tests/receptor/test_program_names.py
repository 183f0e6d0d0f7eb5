"""Names of residues and atoms as simulation programs write them give the receptor that the standard names give."""

import gemmi
import numpy as np
import pytest

from dockyard_science.box import distance_to_box
from dockyard_session.errors import ScienceError
from dockyard_structures.program_names import standardise, with_short_names
from linked_world import box_around, capped, charge, grafted, names_of, number, piece, renamed
from receptor_world import prepare_in, session
from structures_world import PR, TRYPSIN, atom_of, moved, position, records, write_with

LAST = 45
LINES = piece(16, LAST)


@pytest.fixture
def prepare_lines(prepare_file, tmp_path):
    def run(lines, name="out", extra=(), **preparation):
        source = write_with(tmp_path / f"{name}.pdb", lines, extra)
        return prepare_file(source, session(box_around(LINES), **preparation), name=name)

    return run


def long_named(line, name):
    return f"{line[:17]}{name}{line[21:]}"


def with_end(lines, names):
    """The last residue with both oxygens of its carboxylate, under these names."""
    last = number(lines[-1])
    middle, alpha, oxygen = (position(atom_of(lines, last, name)) for name in ("C", "CA", "O"))
    axis = (middle - alpha) / np.linalg.norm(middle - alpha)
    place = middle + 2 * np.dot(oxygen - middle, axis) * axis - (oxygen - middle)
    line = atom_of(lines, last, "O")
    first, second = names
    named = [renamed(each, atom=first) if each is line else each for each in lines]
    return [*named, renamed(moved(line, place), atom=second)]


def charmm(line):
    name, atom = line[17:20], line[12:16].strip()
    if name == "HIS":
        return renamed(line, residue="HSD")
    return renamed(line, atom="CD") if (name, atom) == ("ILE", "CD1") else line


def gromacs(line):
    name = line[17:20]
    if number(line) == 16:
        return long_named(line, f"N{name}")
    if number(line) == LAST:
        return long_named(line, f"C{name}")
    return long_named(line, {"HIS": "HISB", "LYS": "LYSH", "CYS": "CYS2"}.get(name, f"{name} "))


def amber(line):
    return renamed(line, residue={"HIS": "HIE", "CYS": "CYX"}.get(line[17:20], line[17:20]))


def bare(line):
    """Without elements, and hydrogens whose names read like metals."""
    return line[:76]


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """The stretch under the standard names, prepared once."""
    folder = tmp_path_factory.mktemp("usual")
    source = write_with(folder / "usual.pdb", with_end(LINES, ("O", "OXT")))
    prepare_in(folder / "out", source, session(box_around(LINES)))
    return folder / "out" / "receptor"


@pytest.mark.parametrize(
    ("program", "ends"),
    [(charmm, ("OT1", "OT2")), (gromacs, ("O1", "O2")), (gromacs, ("OC1", "OC2")), (amber, ("O", "OXT"))],
)
def test_the_names_of_a_program_change_nothing(prepare_lines, usual, program, ends):
    named = prepare_lines([program(line) for line in with_end(LINES, ends)], "named")
    assert named.pdb == (usual / "prepared.pdb").read_text()
    assert named.pdbqt == (usual / "prepared.pdbqt").read_text()


def test_hydrogens_without_elements_are_known_by_their_names(prepare_lines):
    usual = prepare_lines(LINES, "usual")
    hydrogens = []
    for place, names in ((22, ("HG  ", "HG1 ", "1HB ")), (40, ("HD1 ", "HE2 ")), (20, ("HH  ", " HO "))):
        alpha = atom_of(LINES, place, "CA")
        hydrogens += [
            (place, moved(f"{alpha[:12]}{name}{alpha[16:]}", position(alpha) + np.array([0, 0.5 * i, 0.7])))
            for i, name in enumerate(names)
        ]
    lines = []
    for index, line in enumerate(LINES):
        lines.append(bare(line))
        if index + 1 == len(LINES) or number(LINES[index + 1]) != number(line):
            lines += [bare(each) for place, each in hydrogens if place == number(line)]
    assert prepare_lines(lines, "bare").pdb == usual.pdb


def test_mean_places_of_hydrogens_and_lone_pairs_are_no_atoms(prepare_lines):
    usual = prepare_lines(LINES, "usual")
    first = LINES[0]
    # As HADDOCK and CYANA write them, within 0.5 angstrom of an atom and without an element; MNZ1 reads like manganese.
    beside = []
    for index, name in enumerate((" MN1", "MNZ1", " QB ", " LP1")):
        line = moved(first, position(first) + np.array([0, 0.1 * index, 0.4]))
        beside.append(bare(f"{line[:12]}{name}{line[16:]}"))
    named = prepare_lines([*beside, *LINES], "nmr")
    assert named.pdb == usual.pdb
    assert any("MN1 of ILE as no atom, left out" in remark for remark in named.report["remarks"])


def test_caps_within_the_first_and_last_residue_are_caps(prepare_lines):
    usual = capped(17, 40)
    inside = {16: {"CH3": "CAY", "C": "CY", "O": "OY"}, 41: {"N": "NT", "C": "CAT"}}
    patched = []
    for line in usual:
        place, atom = number(line), line[12:16].strip()
        owner = ("VAL", 17) if place == 16 else ("HIS", 40)
        patched.append(renamed(line, inside[place][atom], *owner) if place in inside else line)
    files, other = prepare_lines(patched, "patched"), prepare_lines(usual, "usual")
    assert "H1" not in names_of(files, 17)
    assert "OXT" not in names_of(files, 40)
    assert [charge(files, place) for place in (16, 17, 40, 41)] == [0, 0, 0, 0]
    assert {line[12:54] for line in files.pdb.splitlines()} == {
        line[12:54] for line in other.pdb.splitlines()
    }


def test_columns_of_long_chain_ids_are_left_alone():
    text = "\n".join([f"{line[:20]}2A{line[22:]}" for line in LINES])
    assert with_short_names(text) == text
    assert with_short_names("\n".join(LINES)) == "\n".join(LINES)


def test_a_nucleic_acid_of_a_program_is_one():
    residue = gemmi.Residue()
    residue.name = "DG5"
    for name in ("C1*", "O3*", "P"):
        atom = gemmi.Atom()
        atom.name = name
        residue.add_atom(atom)
    chain = gemmi.Chain("A")
    chain.add_residue(residue)
    model = gemmi.Model(1)
    model.add_chain(chain)
    structure = gemmi.Structure()
    structure.add_model(model)
    (remark,) = standardise(structure)
    assert "DG5 as DG (1 times)" in remark
    made = structure[0][0][0]
    assert (made.name, [atom.name for atom in made]) == ("DG", ["C1'", "O3'", "P"])


def chains_erased(lines):
    return [line[:21] + " " + line[22:] for line in lines]


def oxt_inside(lines):
    middle = sorted({number(line) for line in lines})[10]
    oxygen = next(line for line in lines if number(line) == middle and line[12:16].strip() == "O")
    end = renamed(moved(oxygen, position(oxygen) + np.array([0.2, 2.1, 0.3])), atom="OXT")
    index = lines.index(oxygen)
    return [*lines[: index + 1], end, *lines[index + 1 :]]


def lone_residues(lines):
    return [line for line in lines if number(line) % 7 != 0 and (number(line) + 2) % 7 != 0]


def phosphoserine(lines):
    place = next(number(line) for line in lines[40:] if line[17:20] == "SER")
    return grafted(lines, place, "SEP")


def torn(lines):
    place = next(number(line) for line in lines if line[17:20] in {"LEU", "TYR"})
    end = atom_of(lines, place, "CD1", lines[0][21])
    away = position(end) - position(atom_of(lines, place, "CB", lines[0][21]))
    target = position(end) + 1.5 * away / np.linalg.norm(away)
    return [moved(line, target) if line is end else line for line in lines]


def without_side_chains(lines):
    return [line for line in lines if line[12:16].strip() in {"N", "CA", "C", "O"} or number(line) % 9]


def with_waters(lines):
    apart = np.array([0.0, 0.0, 60.0])
    waters = [
        renamed(moved(line, position(line) + apart), "O", "HOH", 900 + i)
        for i, line in enumerate(lines[::40])
    ]
    return [*lines, *(f"HETATM{line[6:76]} O" for line in waters)]


MUTATIONS = {
    "chains_erased": chains_erased,
    "oxt_inside": oxt_inside,
    "lone_residues": lone_residues,
    "phosphoserine": phosphoserine,
    "torn": torn,
    "without_side_chains": without_side_chains,
    "with_waters": with_waters,
}


@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize(
    ("source", "first"),
    [pytest.param(TRYPSIN, 16, marks=pytest.mark.long, id="1k1i"), pytest.param(PR, 700, id="1a28")],
)
def test_a_mutated_receptor_is_accepted_or_refused_by_name(prepare_file, tmp_path, mutation, source, first):
    # What is torn needs a box that is far from it, and what lacks side chains enough that are whole.
    count = 48 if mutation in {"torn", "without_side_chains"} else 30
    lines = [
        line
        for line in records(source)
        if line.startswith("ATOM")
        and line[21] in "A "
        and 0 <= number(line) - first < count
        and line[26] == " "
    ]
    file = write_with(tmp_path / "mutated.pdb", MUTATIONS[mutation](lines))
    mutated = [position(line) for line in lines if number(line) == {TRYPSIN: 20, PR: 700}[source]]
    # Around what lies furthest from the residue that is torn, more than 10 Å from it, and around that itself.
    furthest = sorted(lines, key=lambda line: np.linalg.norm(position(line) - mutated[1]))[-120:]
    sizes = (22.0, 20.0, 18.0, 17.0, 16.0, 15.0, 14.0, 13.0)
    boxes = [box_around(furthest, size) for size in sizes]
    boxes = [box for box in boxes if min(distance_to_box(place, box) for place in mutated) > 12.0][:1]
    if mutation != "torn":
        boxes = [box_around(lines, 24.0)]
    else:
        boxes.append(box_around([line for line in lines if number(line) == {TRYPSIN: 20, PR: 700}[source]]))
    refused = []
    for index, box in enumerate(boxes):
        try:
            prepare_file(file, session(box, retainComponents=["HOH"]), name=str(index))
        except ScienceError as error:
            refused.append(error)
    # Only what is torn near the box is refused; all else is a receptor as they come.
    assert [error.code for error in refused] == (
        ["RECEPTOR_TEMPLATE_UNMATCHED"] if mutation == "torn" else []
    )
    assert all(" is in the box" in error.message for error in refused)
