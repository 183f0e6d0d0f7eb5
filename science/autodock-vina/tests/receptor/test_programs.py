"""Receptors as modelling programs write them: without chains, in pieces, with ends where none should be."""

import numpy as np
import pytest

from dockyard_science.contacts import hydrogen_contacts
from dockyard_science.crowding import without_touching
from dockyard_science.stretches import letter_stretches
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Atom, Residue
from linked_world import box_around
from receptor_world import session
from structures_world import PROTEASE, REDUCTASE, TRYPSIN, atom_of, moved, position, records, write_with

BOX = {"centerAngstrom": [0.3, 13.7, 19.5], "sizeAngstrom": [20.0, 20.0, 20.0]}
AWAY = np.array([60.0, 0.0, 0.0])


def number(line):
    return int(line[22:26])


def trypsin(*missing, first=16, last=245, chain="A"):
    """The lines of a stretch of trypsin without some residues, under another chain id; all of it takes seconds."""
    return [
        line[:21] + chain + line[22:]
        for line in records(TRYPSIN)
        if first <= number(line) <= last and number(line) not in missing
    ]


def end_of(lines, residue):
    """A terminal oxygen of a residue, in the plane of its carboxylate."""
    chain = lines[0][21]
    middle, alpha, oxygen = (position(atom_of(lines, residue, name, chain)) for name in ("C", "CA", "O"))
    axis = (middle - alpha) / np.linalg.norm(middle - alpha)
    place = middle + 2 * np.dot(oxygen - middle, axis) * axis - (oxygen - middle)
    line = atom_of(lines, residue, "O", chain)
    return moved(line[:12] + " OXT" + line[16:], place)


def another_molecule(lines, last=60, plus=300):
    """The first residues again, elsewhere, with numbers of their own."""
    return [
        moved(f"{line[:22]}{number(line) + plus:4d}{line[26:]}", position(line) + AWAY)
        for line in lines
        if number(line) <= last
    ]


def atom_names(files, residue, chain="A"):
    return {
        line[12:16].strip()
        for line in files.pdb.splitlines()
        if line.startswith("ATOM") and line[21] == chain and number(line) == residue
    }


@pytest.fixture
def prepare_lines(prepare_file, tmp_path):
    def run(lines, box=BOX, **preparation):
        return prepare_file(write_with(tmp_path / "lines.pdb", lines), session(box, **preparation))

    return run


@pytest.mark.parametrize(
    ("separator", "chain"),
    [
        (["OXT"], "A"),
        (["TER"], " "),
        *(
            pytest.param(separator, chain, marks=pytest.mark.long)
            for separator, chain in (
                (["OXT"], " "),
                (["TER"], "A"),
                (["OXT", "TER"], "A"),
                (["OXT", "TER"], " "),
            )
        ),
    ],
)
def test_two_molecules_under_one_chain_id_are_two(prepare_lines, separator, chain):
    lines = trypsin(last=34, chain=chain)
    between = [end_of(lines, 34) if part == "OXT" else part for part in separator]
    files = prepare_lines([*lines, *between, *another_molecule(lines, last=34)], box_around(lines))
    # Both ends of both molecules are charged, under the names that the file gave them.
    assert {"H1", "H2", "H3"} <= atom_names(files, 16, chain) & atom_names(files, 316, chain)
    assert "OXT" in atom_names(files, 34, chain) & atom_names(files, 334, chain)
    named = {chain.replace(" ", "_")}
    report = files.report
    assert {row["chain"] for row in [*report["pka"], *report["protonationStates"]]} == named
    assert report["receptor"]["chains"] == sorted(named)
    assert [row["before"]["residue"] for row in report["gaps"]] == [316]
    assert {line[21] for line in files.pdb.splitlines() if line.startswith("ATOM")} == {chain}


def test_the_second_molecule_is_addressed_by_its_own_numbers(prepare_lines):
    lines = trypsin(first=54, last=75)
    second = another_molecule(lines, last=75)
    asp = next(number(line) for line in second if line[17:20] == "ASP" and line[12:16].strip() == "CG")
    fixed = {"chain": "A", "residue": asp, "residueName": "ASP", "state": "neutral", "insertionCode": ""}
    fixed["reason"] = "a test"
    files = prepare_lines(
        [*lines, end_of(lines, 75), *second], box_around(lines), fixedProtonationStates=[fixed]
    )
    states = [row for row in files.report["protonationStates"] if row["isFixed"]]
    assert [(row["residue"], row["state"]) for row in states] == [(asp, "neutral")]


def test_two_molecules_are_prepared_as_each_alone(prepare_lines):
    lines, box = trypsin(last=34), box_around(trypsin(last=34))
    alone = prepare_lines(lines, box).pdb
    second = another_molecule(lines, last=34)
    together = prepare_lines([*lines, end_of(lines, 34), *second], box).pdb
    places = [line[12:54] for line in alone.splitlines() if line.startswith("ATOM") and "OXT" not in line]
    kept = [
        line[12:54]
        for line in together.splitlines()
        if line.startswith("ATOM") and number(line) < 300 and "OXT" not in line
    ]
    assert kept == places


def test_an_end_in_the_middle_of_a_bonded_chain_is_dropped_and_reported(prepare_lines):
    lines = trypsin(first=85, last=120)
    index = next(i for i, line in enumerate(lines) if number(line) == 101)
    files = prepare_lines([*lines[:index], end_of(lines, 100), *lines[index:]], box_around(lines))
    dropped = files.report["atomsDropped"]
    assert [(row["residue"], row["atoms"]) for row in dropped] == [(100, ["OXT"])]
    assert files.report["gaps"] == []


def test_a_residue_that_a_program_wrote_behind_its_chain_is_prepared_in_its_place(prepare_lines):
    lines, box = trypsin(last=34), box_around(trypsin(last=34))
    whole = prepare_lines(lines, box).pdb
    last = [line for line in lines if number(line) == 27]
    files = prepare_lines([*(line for line in lines if line not in last), *last], box)
    assert files.pdb == whole
    assert files.report["gaps"] == []
    assert any("order of their bonds" in remark for remark in files.report["remarks"])


def test_molecules_with_the_same_numbers_are_refused_by_name(prepare_lines):
    alike = [line[:21] + " " + line[22:] for line in records(PROTEASE) if line.startswith("ATOM")]
    lines = trypsin(chain=" ")
    # The second molecule begins at 16 again, with another residue there.
    other = [line for line in another_molecule(lines, last=26, plus=-10) if number(line) == 16]
    for file, named in ((alike, "_:PRO 1"), ([*lines, *other], "_:ILE 16 and _:")):
        with pytest.raises(ScienceError) as error:
            prepare_lines(file)
        assert error.value.code == "RECEPTOR_UNREADABLE"
        assert named in error.value.message
        assert "chain ids of their own" in error.value.message


def test_more_stretches_than_letters_are_refused_by_name():
    residues = [
        Residue(
            "A",
            n,
            "",
            "GLY",
            "GLY",
            hetero=False,
            atoms=[Atom("CA", "C", (n * 9.0, 0.0, 0.0))],
            ends_molecule=True,
        )
        for n in range(63)
    ]
    assert len(set(letter_stretches(residues[:62]).letters.values())) == 62
    with pytest.raises(ScienceError) as error:
        letter_stretches(residues)
    assert error.value.code == "RECEPTOR_UNREADABLE"


def charge(files, residue):
    """The sum of the partial charges of a residue in the PDBQT."""
    lines = (line for line in files.pdbqt.splitlines() if line.startswith("ATOM"))
    return round(sum(float(line[68:76]) for line in lines if number(line) == residue))


@pytest.mark.parametrize(
    ("first", "missing", "residue", "ends"),
    [
        (224, (243, 244), 245, "charged at C"),
        pytest.param(224, (244,), 245, "charged at C", marks=pytest.mark.long),
        (16, (17, 18), 16, "charged at N"),
        (91, (100, 101, 103, 104), 102, "without a charged end"),
    ],
)
def test_a_lone_residue_behind_a_gap_is_accepted_and_reported(prepare_lines, first, missing, residue, ends):
    lines = trypsin(*missing, first=first, last=first + 22)
    files = prepare_lines(lines, box_around(lines))
    alone = [remark for remark in files.report["remarks"] if f" {residue} has no neighbour" in remark]
    assert len(alone) == 1
    assert ends in alone[0]
    # The 102nd is an aspartate, whose side chain is charged.
    assert charge(files, residue) == (1 if residue == 16 else -1)
    assert files.report["hydrogensSetByTemplate"] == []


@pytest.mark.parametrize("residue", [57, 28, 19])
def test_an_amino_acid_by_itself_is_charged_at_both_ends(prepare_lines, residue):
    lines = trypsin(last=34)
    alone = [line for line in another_molecule(trypsin(last=60), plus=400) if number(line) == residue + 400]
    files = prepare_lines([*lines, "TER", *alone], box_around(lines))
    assert any("charged at N and C" in remark for remark in files.report["remarks"])
    assert charge(files, residue + 400) == 0
    assert {"OXT", "H2", "H3"} <= atom_names(files, residue + 400)
    assert files.report["hydrogensSetByTemplate"] == []


def swung(lines, residue, atom, onto, distance):
    """A side chain turned about its CA so that its atom is that far from another one."""
    pivot, mine, other = (
        position(atom_of(lines, *each)) for each in ((residue, "CA"), (residue, atom), onto)
    )
    axis = np.cross(mine - pivot, other - pivot)
    axis /= np.linalg.norm(axis)

    def turned(place, angle):
        arm = place - pivot
        along = axis * np.dot(axis, arm) * (1 - np.cos(angle))
        return pivot + arm * np.cos(angle) + np.cross(axis, arm) * np.sin(angle) + along

    angles = np.arange(0, 0.6, 0.002)
    best = min(angles, key=lambda angle: abs(np.linalg.norm(turned(mine, angle) - other) - distance))
    return [
        moved(line, turned(position(line), best))
        if number(line) == residue and line[12:16].strip() not in {"N", "CA", "C", "O"}
        else line
        for line in lines
    ]


def test_our_own_hydrogens_on_a_short_hydrogen_bond_refuse_no_receptor(prepare_lines):
    lines = [line[:16] + " " + line[17:] for line in records(REDUCTASE) if line[16] in " A"]
    lines = [line for line in lines if 15 <= number(line) <= 125]
    files = prepare_lines(swung(lines, 48, "OH", (110, "NE2"), 2.29), box_around(lines))
    (remark,) = [remark for remark in files.report["remarks"] if "apart" in remark]
    assert "HH of A:TYR 48 and NE2 of A:HIS 110 are 1.20 Å apart" in remark
    assert "as they stand in the file" in remark
    chain = [line for line in files.pdb.splitlines() if line.startswith("ATOM")]
    hydrogen, nitrogen = (position(atom_of(chain, *atom)) for atom in ((48, "HH"), (110, "NE2")))
    assert np.linalg.norm(hydrogen - nitrogen) > 1.22
    assert all(row["residue"] not in {48, 110} for row in files.report["residuesMoved"])


def test_a_clash_of_heavy_atoms_is_refused_with_its_atoms_and_distance(prepare_lines):
    with pytest.raises(ScienceError) as error:
        prepare_lines(swung(trypsin(first=50, last=106), 94, "OH", (57, "ND1"), 2.29))
    assert error.value.code == "RECEPTOR_CLASH"
    assert "OH of A:TYR 94 and OD1 of A:ASP 102 are 1.68 Å apart" in error.value.message


def test_hydrogens_that_touch_leave_for_the_template_but_for_those_that_make_a_state():
    def residue(name, number, **places):
        atoms = [Atom(atom, atom[0], (x, 0.0, 0.0)) for atom, x in places.items()]
        return Residue("A", number, "", name, name, hetero=False, atoms=atoms)

    tyrosine, histidine = residue("TYR", 1, OH=0.0, HH=1.0), residue("HIS", 2, HE2=1.5, NE2=2.5, HE1=4.7)
    touching = hydrogen_contacts([tyrosine, histidine])
    assert [contact.label for contact in touching] == ["HH of A:TYR 1 and HE2 of A:HIS 2 are 0.50 Å apart"]
    kept = [[atom.name for atom in without_touching(each, touching).atoms] for each in (tyrosine, histidine)]
    assert kept == [["OH"], ["HE2", "NE2", "HE1"]]
