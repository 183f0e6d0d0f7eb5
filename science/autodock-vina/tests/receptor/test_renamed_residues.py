"""Amino acids under names of programs are known by their atoms, bonds and hand; what differs is not taken for one."""

import numpy as np
import pytest

from dockyard_science.ccd import default_ccd
from dockyard_science.renamed_residues import read_receptor
from linked_world import box_around, grafted, names_of, number, piece, renamed, residue_lines
from program_panel import PROGRAMS, maestro
from receptor_world import beyond, prepare_in, session
from structures_world import atom_line, atom_of, moved, position, write_with

LINES = piece(16, 66)
# A histidine with both hydrogens, a disulfide, an acid, isoleucine: what programs give names to.
SHORT = piece(37, 75)
BOX = box_around(SHORT)
# One that writes its own names for states, and one that writes its own for ends.
QUICK = {"amber", "charmm"}


@pytest.fixture(scope="module")
def standard(tmp_path_factory):
    """The stretch with its hydrogens under the standard names, as text and as lines."""
    folder = tmp_path_factory.mktemp("standard")
    prepare_in(folder / "out", write_with(folder / "in.pdb", SHORT), session(BOX))
    text = (folder / "out" / "receptor" / "prepared.pdb").read_text()
    return text, [line for line in text.splitlines() if line.startswith("ATOM")]


@pytest.fixture
def read(tmp_path):
    def run(lines):
        return read_receptor(write_with(tmp_path / "read.pdb", lines), default_ccd())

    return run


def under(lines, place, residue):
    return [renamed(line, residue=residue) if number(line) == place else line for line in lines]


def without(lines, place, *atoms):
    return [line for line in lines if number(line) != place or line[12:16].strip() not in atoms]


def atoms_of(text):
    return {
        (line[22:27], line[17:20], line[12:16].strip()): position(line)
        for line in text.splitlines()
        if line.startswith("ATOM")
    }


@pytest.mark.parametrize(
    "program", [each if each in QUICK else pytest.param(each, marks=pytest.mark.long) for each in PROGRAMS]
)
def test_one_structure_under_the_names_of_each_program_is_one_receptor(
    prepare_file, tmp_path, standard, program
):
    text, lines = standard
    files = prepare_file(write_with(tmp_path / "in.pdb", PROGRAMS[program](lines)), session(BOX))
    made, usual = atoms_of(files.pdb), atoms_of(text)
    assert made.keys() == usual.keys()
    # A side chain that was turned and is turned back may differ by a thousandth.
    assert max(np.linalg.norm(made[each] - usual[each]) for each in made) < 0.01
    codes = [each["code"] for each in files.summary["warnings"]]
    assert ("RESIDUE_RENAMED" in codes) == (program in {"dock", "rosetta"})


def test_the_report_says_what_was_renamed(prepare_file, tmp_path):
    lines = under(under(SHORT, 46, "LEV"), 57, "HIZ")
    files = prepare_file(write_with(tmp_path / "in.pdb", lines), session(BOX))
    (warning,) = (each for each in files.summary["warnings"] if each["code"] == "RESIDUE_RENAMED")
    assert "A:LEV 46 as LEU" in warning["message"]
    told = {(row["residueName"], row["residue"]): row["to"] for row in files.report["renames"]}
    assert told == {("LEV", 46): "LEU", ("HIZ", 57): "HIS"}
    # Without hydrogens the name says nothing of the state, so it is that of the usual name.
    usual = prepare_file(write_with(tmp_path / "usual.pdb", SHORT), session(BOX), name="usual")
    assert files.pdbqt == usual.pdbqt


def with_hydrogen(lines, place, name, where):
    """The lines with a hydrogen of a residue."""
    index = next(index for index, line in enumerate(lines) if number(line) > place)
    line = moved(renamed(lines[index - 1], atom=name), where)
    return [*lines[:index], f"{line[:76]} H", *lines[index:]]


def test_hydrogens_of_a_renamed_residue_tell_its_state(prepare_file, tmp_path):
    lines = under(under(SHORT, 57, "HIZ"), 70, "GLX")
    oxygen, carbon = (position(atom_of(lines, 70, name)) for name in ("OE2", "CD"))
    lines = with_hydrogen(lines, 70, "HE2", oxygen + (oxygen - carbon) / np.linalg.norm(oxygen - carbon))
    one, other = (
        with_hydrogen(lines, 57, f"H{name[1:]}", beyond(lines, 57, name, 1.0)) for name in ("ND1", "NE2")
    )
    both = with_hydrogen(one, 57, "HE2", beyond(lines, 57, "NE2", 1.0))
    for form, hydrogens in ((one, {"HD1"}), (other, {"HE2"}), (both, {"HD1", "HE2"})):
        name = "-".join(sorted(hydrogens))
        files = prepare_file(write_with(tmp_path / f"{name}.pdb", form), session(BOX), name=name)
        assert names_of(files, 57) & {"HD1", "HE2"} == hydrogens
        assert names_of(files, 70) & {"HE1", "HE2"}
    # What is asked for outweighs what the file tells, and only that is called fixed.
    fixed = {"chain": "A", "residue": 57, "residueName": "HIS", "state": "both", "insertionCode": ""}
    asked = session(BOX, fixedProtonationStates=[fixed | {"reason": None}])
    files = prepare_file(write_with(tmp_path / "asked.pdb", one), asked, name="asked")
    assert {"HD1", "HE2"} <= names_of(files, 57)
    assert [row["residue"] for row in files.report["protonationStates"] if row["isFixed"]] == [57]


def test_an_unusual_state_that_name_and_hydrogens_say_is_kept_and_told(prepare_file, tmp_path):
    lines = under(under(SHORT, 57, "HIP"), 70, "GLH")
    # A name alone is no proof: the state is assigned anew.
    alone = prepare_file(write_with(tmp_path / "alone.pdb", lines), session(BOX), name="alone")
    usual = prepare_file(write_with(tmp_path / "usual.pdb", SHORT), session(BOX), name="usual")
    assert alone.pdbqt == usual.pdbqt
    oxygen, carbon = (position(atom_of(lines, 70, name)) for name in ("OE2", "CD"))
    lines = with_hydrogen(lines, 70, "HE2", oxygen + (oxygen - carbon) / np.linalg.norm(oxygen - carbon))
    for atom, name in (("ND1", "HD1"), ("NE2", "HE2")):
        lines = with_hydrogen(lines, 57, name, beyond(lines, 57, atom, 1.0))
    files = prepare_file(write_with(tmp_path / "in.pdb", lines), session(BOX))
    assert {"HD1", "HE2"} <= names_of(files, 57)
    assert names_of(files, 70) & {"HE1", "HE2"}
    (warning,) = (each for each in files.summary["warnings"] if each["code"] == "RESIDUE_RENAMED")
    assert "A:HIP 57 as HIS (both), A:GLH 70 as GLU (neutral)" in warning["message"]


def test_a_thiolate_is_kept_where_its_name_and_its_other_hydrogens_say_it(standard, read):
    _, lines = standard
    assert [(each.deposited_name, each.state) for each in read(under(lines, 42, "CYM")).renamed] == [
        ("CYM", "anionic")
    ]
    assert read(under(SHORT, 42, "CYM")).renamed == []
    assert read(lines).renamed == []


def mirrored(lines, place):
    """The side chain of a residue on the other side of its backbone, as a D-amino acid has it."""
    nitrogen, alpha, carbon = (position(atom_of(lines, place, name)) for name in ("N", "CA", "C"))
    normal = np.cross(nitrogen - alpha, carbon - alpha)
    normal /= np.linalg.norm(normal)
    return [
        moved(line, position(line) - 2 * np.dot(position(line) - alpha, normal) * normal)
        if number(line) == place and line[12:16].strip() not in {"N", "CA", "C", "O"}
        else line
        for line in lines
    ]


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (under(LINES, 46, "LEV"), "LEU"),
        # The dictionary's own residue of this name, which is a glycine wherever a chain goes on behind it.
        (under(LINES, 19, "GLZ"), "GLY"),
        # Other residues of the dictionary have this name, but not these atoms.
        (under(LINES, 46, "MEU"), "LEU"),
        (under(LINES, 57, "NMA"), "HIS"),
        # What is left of a phosphoserine without its phosphate is a serine.
        (without(grafted(LINES, 32, "SEP"), 32, "P", "O1P", "O2P", "O3P"), "SER"),
    ],
)
def test_a_standard_amino_acid_is_one_under_any_name(read, lines, name):
    (renamed_residue,) = read(lines).renamed
    assert renamed_residue.name == name


@pytest.mark.parametrize(
    "lines",
    [
        # Residues of the dictionary that have the atoms of an amino acid: a D-amino acid, an aldehyde at the end.
        under(LINES, 46, "DLE"),
        [*under(piece(16, 46), 46, "LCZ")],
        # A hand or a bond that the amino acid does not have.
        mirrored(under(LINES, 46, "LEV"), 46),
        [moved(line, position(line) + 3.0) if line is atom_of(LINES, 46, "CD1") else line for line in LINES],
        # A modified residue of which only the start is there.
        without(grafted(LINES, 32, "SEP"), 32, "OG", "P", "O1P", "O2P", "O3P"),
        # An atom fewer than the amino acid has.
        without(under(LINES, 46, "LEV"), 46, "CD2"),
        [
            *LINES,
            *(
                atom_line(name, "GOL", 900, (0.0, 0.0, float(n)), name[0])
                for n, name in enumerate(("C1", "O1"))
            ),
        ],
    ],
)
def test_what_differs_from_an_amino_acid_is_none(read, lines):
    assert read(lines).renamed == []


def test_caps_that_count_as_their_neighbours_are_caps(prepare_file, tmp_path, standard):
    _, lines = standard
    files = prepare_file(write_with(tmp_path / "in.pdb", maestro(lines, gap=48)), session(BOX))
    caps = {line[17:27] for line in files.pdb.splitlines() if line[17:20] in {"ACE", "NME"}}
    assert caps == {"NME A  48 ", "ACE A  49 "}
    assert "OXT" not in names_of(files, 47)
    assert len({"H", "H1", "H2", "H3"} & names_of(files, 50)) == 1
    assert len(residue_lines(files.pdb, 47)) == len(residue_lines("\n".join(lines), 47))
