"""What files of docking and modelling programs have: cofactors in chains, poor caps, short contacts, open rings."""

import numpy as np
import pytest

from dockyard_science.ccd import default_ccd
from dockyard_science.components import split_components
from dockyard_science.renamed_residues import read_receptor
from dockyard_structures.selection import select
from linked_world import box_around, capped, number, piece
from receptor_world import beside, session
from structures_world import PROTEASE, atom_of, moved, position, records, write_with

SHORT_ANGSTROM = 1.9


@pytest.fixture
def prepare_lines(prepare_file, tmp_path):
    def run(lines, box=None, **preparation):
        source = write_with(tmp_path / "lines.pdb", lines)
        return prepare_file(source, session(box or box_around(lines[:150]), **preparation))

    return run


@pytest.mark.parametrize("component", ["FAD", "FMN"])
def test_a_cofactor_that_is_written_as_an_atom_of_the_chain_is_no_modified_residue(tmp_path, component):
    lines = piece(16, 40)
    cofactor = [f"ATOM  {line[6:]}" for line in beside(lines, component)]
    source = write_with(tmp_path / "lines.pdb", [*lines, *cofactor])
    spec = session({})
    model = select(read_receptor(source, default_ccd()).source.structure, spec["receptor"]).model
    parts = split_components(model, spec["preparation"])
    assert [residue.name for residue in parts.removed] == [component]
    retained = split_components(model, spec["preparation"] | {"retainComponents": [component]})
    assert [residue.name for residue in retained.retained] == [component]


def test_a_proline_that_begins_a_chain_may_lack_its_ring(prepare_lines):
    lines = [line for line in records(PROTEASE) if line[21] == "A" and number(line) <= 30]
    files = prepare_lines([line for line in lines if line not in (atom_of(lines, 1, "CD"),)])
    first = {
        line[12:16].strip() for line in files.pdb.splitlines() if line[17:26].split() == ["PRO", "A", "1"]
    }
    assert {"CD", "CG", "H2", "H3"} <= first
    assert [(row["residue"], row["atoms"]) for row in files.report["atomsBuilt"]] == [
        (1, ["CD"]),
        (30, ["OXT"]),
    ]


def test_a_cap_that_has_no_room_is_left_out(prepare_lines):
    lines = capped(17, 60)
    oxygen = atom_of(lines, 16, "O")
    upon = position(atom_of(lines, 20, "CB")) + 1.0
    torn = [moved(line, upon) if line == oxygen else line for line in lines]
    away = {"centerAngstrom": position(atom_of(lines, 60, "CA")).tolist(), "sizeAngstrom": [16.0] * 3}
    files = prepare_lines(torn, away)
    assert [(row["residueName"], row["action"]) for row in files.report["repairs"]] == [("ACE", "leftOut")]
    assert " ACE " not in files.pdb


def _turned(lines, pivot, seed):
    axes, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    axes *= np.sign(np.linalg.det(axes))
    return [moved(line, (position(line) - pivot) @ axes + pivot) for line in lines]


def _salt_bridge(lines, acid):
    """The lines, and a peptide around an acid whose oxygen is nearer to a lysine than hydrogen bonds are."""
    amine = atom_of(lines, 60, "NZ")
    direction = position(amine) - position(atom_of(lines, 60, "CE"))
    target = position(amine) + SHORT_ANGSTROM * direction / np.linalg.norm(direction)
    others = np.array([position(line) for line in lines if line != amine])
    peptide = piece(acid - 1, acid + 1)
    oxygen = position(atom_of(peptide, acid, "OD1"))
    shifted = [
        moved(f"{line[:22]}{number(line) + 300:4d}{line[26:]}", position(line) + target - oxygen)
        for line in peptide
    ]
    for seed in range(500):
        turned = _turned(shifted, target, seed)
        places = np.array([position(line) for line in turned])
        near = np.linalg.norm(places[:, None] - others[None], axis=2).min()
        to_amine = sorted(np.linalg.norm(places - position(amine), axis=1))
        if near > 2.9 and to_amine[1] > 2.6:
            return [*lines, "TER", *turned]
    raise AssertionError("no room for the peptide")


def test_a_short_salt_bridge_in_the_box_is_warned_of_and_stays(prepare_lines):
    lines = _salt_bridge(piece(40, 60), 71)
    box = {"centerAngstrom": position(atom_of(lines, 60, "NZ")).tolist(), "sizeAngstrom": [16.0] * 3}
    files = prepare_lines(lines, box)
    assert files.report["repairs"] == []
    (warning,) = (each for each in files.report["warnings"] if each["code"] == "RECEPTOR_CLOSE_CONTACT")
    assert "NZ of A:LYS 60" in warning["message"]
