"""What an inspection tells of a receptor: what is in it, what docking would make of it, all that it would refuse."""

import json

import numpy as np
import pytest

from dockyard_science.box import make_box
from dockyard_science.ccd import default_ccd
from dockyard_science.inspect_kinds import kind_of
from dockyard_science.inspect_report import inspect
from dockyard_science.inspect_tool import InspectTool
from dockyard_session.errors import ScienceError
from dockyard_session.protocol import TaskRequest
from dockyard_structures.atoms import Atom, Residue
from dockyard_structures.selection import select
from dockyard_structures.structure import read_structure
from json_schema import schema_of, violations
from receptor_world import TOOLCHAIN, beside, session
from session_process import Silent
from structures_world import (
    FOLATE,
    MODIFIED,
    PR,
    TRYPSIN,
    atom_line,
    atom_of,
    moved,
    position,
    records,
    write_with,
)

_SCHEMA = schema_of("inspection", "receptor-inspect")


def _spec(**receptor):
    whole = session({}, receptor=receptor)
    return {"kind": "receptor-inspect", "receptor": whole["receptor"], "preparation": whole["preparation"]}


def _inspect(source, **receptor):
    report = inspect(
        source, _spec(**receptor), ccd=default_ccd(), toolchain=TOOLCHAIN, progress=lambda _: None
    )
    assert violations(report, _SCHEMA) == []
    return report


def _fragment(lines, first, last, chain="A"):
    """Some residues of a chain, so that their protonation is quick."""
    return [
        line
        for line in lines
        if line.startswith("ATOM") and line[21] == chain and first <= int(line[22:26]) <= last
    ]


class Steroid:
    """The receptor around progesterone, a hundred residues of it, inspected by the tool of a session."""

    def __init__(self, folder):
        chain = [line for line in records(PR) if line[21] == "A"]
        lines = [line for line in chain if line.startswith("ATOM") and 690 <= int(line[22:26]) <= 790]
        self.source = write_with(
            folder / "part.pdb", lines, [line for line in chain if line.startswith("HETATM")]
        )
        self.folder = folder
        self.report = json.loads(self.bytes("first"))

    def bytes(self, name):
        """The report as it is handed in."""
        task = {"id": "t", "kind": "task", "item_id": "receptor", "attempt": 1, "folder": self.folder / name}
        request = TaskRequest(**task, spec={}, inputs={"receptor/source": self.source})
        outputs, _ = InspectTool(_spec()).run(request, Silent())
        assert [each["path"] for each in outputs] == ["inspection.json"]
        return (self.folder / name / "out" / "inspection.json").read_bytes()


@pytest.fixture(scope="module")
def part(tmp_path_factory):
    """Inspected once for all tests."""
    return Steroid(tmp_path_factory.mktemp("steroid"))


@pytest.fixture(scope="module")
def steroid(part):
    """Its report."""
    return part.report


@pytest.mark.long
def test_a_receptor_that_can_be_prepared_has_no_refusals(steroid):
    assert violations(steroid, _SCHEMA) == []
    assert steroid["refusals"] == []
    assert steroid["models"] == [1]
    (chain,) = steroid["chains"]
    assert (chain["id"], chain["isSelected"], chain["polymer"], chain["residues"]) == (
        "A",
        True,
        "protein",
        101,
    )
    assert steroid["histidines"]["method"] == "pdb2pqr-propka"


def test_a_ligand_s_box_is_the_one_that_docking_makes(part, steroid):
    (row,) = [each for each in steroid["components"] if each["residueName"] == "STR"]
    assert (row["kind"], row["keptByDefault"], row["copies"], row["heavyAtoms"]) == ("ligand", False, 1, 23)
    spec = session({"ligand": {"componentId": "STR", "chain": "A", "residue": 1}})
    box = make_box(select(read_structure(part.source).structure, spec["receptor"]).model, spec["box"])
    assert {name: row["box"][name] for name in ("centerAngstrom", "sizeAngstrom")} == {
        name: box[name] for name in ("centerAngstrom", "sizeAngstrom")
    }
    assert row["box"]["receptorHeavyAtoms"] > 100


def test_waters_at_the_ligand_come_with_what_holds_them(steroid):
    rows = steroid["waters"]["atLigands"]
    assert steroid["waters"]["count"] > len(rows) > 0
    for row in rows:
        assert row["ligand"]["residueName"] == "STR"
        assert row["distanceAngstrom"] <= 4.0
        assert all(contact["distanceAngstrom"] <= 3.5 for contact in row["contacts"])
    # The carbonyl of ring A is held by GLN 725 and ARG 766, with a water between them.
    held = {(each["residueName"], each["residue"]) for row in rows for each in row["contacts"]}
    assert held & {("GLN", 725), ("ARG", 766)}


def test_the_pocket_of_the_ligand_is_among_the_pockets(steroid):
    assert steroid["pockets"]["failure"] is None
    assert steroid["pockets"]["method"] == "fpocket-rs 0.1.0"
    assert "not those of fpocket" in steroid["pockets"]["note"]
    assert [each["rank"] for each in steroid["pockets"]["pockets"]] == list(
        range(1, len(steroid["pockets"]["pockets"]) + 1)
    )
    (ligand,) = [each for each in steroid["components"] if each["residueName"] == "STR"]
    away = [
        np.linalg.norm(np.array(each["centerAngstrom"]) - np.array(ligand["centerAngstrom"]))
        for each in steroid["pockets"]["pockets"]
    ]
    assert min(away) < 5.0


@pytest.mark.long
def test_the_same_receptor_gives_the_same_bytes(part):
    assert part.bytes("second") == (part.folder / "first" / "out" / "inspection.json").read_bytes()


def test_all_that_a_preparation_refuses_is_told_not_only_the_first(tmp_path):
    lines = _fragment(records(FOLATE), 1, 60)
    lysine = next(int(line[22:26]) for line in lines if line[17:20] == "LYS")
    number = next(int(line[22:26]) for line in lines if line[17:20] == "LEU" and int(line[22:26]) > 10)
    torn = atom_of(lines, lysine, "NZ")
    without = [
        moved(line, np.array([90.0, 90.0, 90.0])) if line is torn else line
        for line in lines
        if not (int(line[22:26]) == number and line[12:16].strip() == "CA")
    ]
    changed = [
        line.replace("SER", "XQX").replace(" OG ", " SG ")
        if int(line[22:26]) == _first(lines, "SER")
        else line
        for line in without
    ]
    report = _inspect(write_with(tmp_path / "bad.pdb", changed))
    codes = {row["code"] for row in report["refusals"]}
    assert {
        "RECEPTOR_UNKNOWN_COMPONENT",
        "RECEPTOR_TEMPLATE_UNMATCHED",
        "RECEPTOR_MISSING_ATOMS",
    } <= codes
    text = " ".join(row["message"] for row in report["refusals"])
    assert f"A:LYS {lysine}" in text
    assert f"A:LEU {number} lacks CA" in text
    assert "XQX" in text
    mended = {row["code"]: row.get("repairedBeyondAngstrom") for row in report["refusals"]}
    assert mended == {
        "RECEPTOR_UNKNOWN_COMPONENT": 4.0,
        "RECEPTOR_TEMPLATE_UNMATCHED": 4.0,
        "RECEPTOR_MISSING_ATOMS": 0.0,
    }


def _first(lines, name):
    return next(int(line[22:26]) for line in lines if line[17:20] == name)


def test_a_side_chain_in_two_places_is_told(tmp_path):
    lines = _fragment(records(FOLATE), 1, 30)
    lysine = _first(lines, "LYS")
    line = atom_of(lines, lysine, "CE")
    index = lines.index(line) + 1
    twice = moved(line, position(line) + np.array([0.9, 0.4, 0.2]))
    report = _inspect(write_with(tmp_path / "doubled.pdb", [*lines[:index], twice, *lines[index:]]))
    (row,) = report["refusals"]
    assert (row["code"], row["names"]) == ("RECEPTOR_UNREADABLE", [f"A:LYS {lysine}"])
    assert "two atoms called CE" in row["message"]
    assert row["repairedBeyondAngstrom"] == 4.0


def test_each_clash_is_named(tmp_path):
    lines = _fragment(records(PR), 700, 760)
    targets = {718: position(atom_of(lines, 725, "CD")), 756: position(atom_of(lines, 710, "CB"))}
    changed = []
    for line in lines:
        number = int(line[22:26])
        if number in targets and line[12:16].strip() not in {"N", "CA", "C", "O"}:
            anchor = position(atom_of(lines, number, "CG"))
            place = position(line) + targets[number] + np.array([0.4, 0.3, 0.2]) - anchor
            changed.append(moved(line, place))
        else:
            changed.append(line)
    report = _inspect(write_with(tmp_path / "clash.pdb", changed))
    (clash,) = [row for row in report["refusals"] if row["message"].startswith("Atoms of different")]
    assert clash["code"] == "RECEPTOR_CLASH"
    named = " ".join(clash["names"])
    assert " 718 " in named
    assert " 756 " in named


def test_a_modified_residue_is_told_with_what_becomes_of_it(tmp_path):
    lines = [line for line in records(MODIFIED) if 55 <= int(line[22:26]) <= 80 and line[17:20] != "HOH"]
    ligand = [line for line in records(MODIFIED) if line[17:20] == "XK2"]
    report = _inspect(write_with(tmp_path / "modified.pdb", lines, ligand))
    rows = [row for row in report["modifiedResidues"] if row["residueName"] == "CSO"]
    assert [(row["chain"], row["residue"]) for row in rows] == [("A", 67), ("B", 67)]
    assert [(row["outcome"], row["becomes"]) for row in rows] == [("kept", "CSO"), ("kept", "CSO")]
    assert not any("CSO" in name for row in report["refusals"] for name in row["names"])
    (ligand,) = [row for row in report["components"] if row["residueName"] == "XK2"]
    assert ligand["kind"] == "ligand"


def test_gaps_are_told(tmp_path):
    lines = [line for line in _fragment(records(TRYPSIN), 16, 60) if not 30 <= int(line[22:26]) <= 33]
    report = _inspect(write_with(tmp_path / "gap.pdb", lines))
    (chain,) = report["chains"]
    assert [(gap["after"]["residue"], gap["before"]["residue"]) for gap in chain["gaps"]] == [(29, 34)]


def test_components_are_told_apart(tmp_path):
    lines = _fragment(records(FOLATE), 1, 40)
    extra = [
        line
        for number, name in enumerate(("NDP", "GOL", "NAG", "ZN", "NA", "CL", "LDA", "BEN", "HOH"), start=900)
        for line in beside(lines, name, number)
    ]
    report = _inspect(write_with(tmp_path / "many.pdb", lines, extra))
    kinds = {row["residueName"]: row["kind"] for row in report["components"]}
    assert kinds == {
        "NDP": "cofactor",
        "GOL": "buffer",
        "NAG": "sugar",
        "ZN": "metal",
        "NA": "ion",
        "CL": "ion",
        "LDA": "lipid",
        "BEN": "ligand",
    }
    rows = {row["residueName"]: row for row in report["components"]}
    assert rows["ZN"]["againstKeeping"] is None
    assert {name for name, row in rows.items() if "box" in row} == {"NDP", "BEN"}
    assert rows["BEN"]["name"] == "BENZAMIDINE"
    assert report["waters"]["count"] == 1


def test_what_is_no_structure_is_refused_and_a_selection_that_is_not_there_is_told(tmp_path):
    text = tmp_path / "text.pdb"
    text.write_text("once upon a time\n")
    with pytest.raises(ScienceError) as error:
        _inspect(text)
    assert error.value.code == "RECEPTOR_UNREADABLE"
    lines = _fragment(records(FOLATE), 1, 20)
    report = _inspect(write_with(tmp_path / "few.pdb", lines), chains=["Q"])
    assert report["refusals"][0]["code"] == "RECEPTOR_CHAIN_NOT_FOUND"
    assert [row["id"] for row in report["chains"]] == ["A"]


def test_a_histidine_at_a_metal_is_told(tmp_path):
    lines = _fragment(records(FOLATE), 120, 140)
    number = _first(lines, "HIS")
    nitrogen = position(atom_of(lines, number, "NE2"))
    ring = np.mean([position(atom_of(lines, number, name)) for name in ("CG", "ND1")], axis=0)
    away = (nitrogen - ring) / np.linalg.norm(nitrogen - ring)
    zinc = atom_line("ZN", "ZN", 900, nitrogen + 2.1 * away, "ZN")
    report = _inspect(write_with(tmp_path / "zinc.pdb", lines, [zinc]))
    (row,) = [each for each in report["histidines"]["residues"] if each["residue"] == number]
    assert "AT_COMPONENT" in row["reasons"]
    assert row["beside"][0]["residueName"] == "ZN"


def test_a_component_that_no_list_knows_is_taken_for_a_ligand():
    atoms = [Atom(f"C{number}", "C", (1.5 * number, 0.0, 0.0)) for number in range(9)]
    assert kind_of(Residue("A", 900, "", "ZZ9", "ZZ9", True, atoms)) == "ligand"


def test_b_factors_and_fusion_partners_are_shown(tmp_path):
    # Lysozyme in a loop of a receptor has numbers of its own, from 1002 on as depositors write them.
    lines = _fragment(records(TRYPSIN), 16, 75)
    partner = [
        f"{line[:22]}{int(line[22:26]) + 1000:4d}{line[26:]}"
        for line in lines
        if 35 <= int(line[22:26]) <= 60 and line[26] == " "
    ]
    before = [line for line in lines if int(line[22:26]) < 35]
    after = [line for line in lines if int(line[22:26]) > 60]
    spread = [f"{line[:60]}{90:6.2f}{line[66:]}" if int(line[22:26]) == 70 else line for line in after]
    report = _inspect(write_with(tmp_path / "fused.pdb", [*before, *partner, *spread]))
    [found] = report["fusionPartners"]
    assert found == {"chain": "A", "first": 1037, "last": 1060, "residues": 24, "reference": None}
    assert [label[-2:] for label in report["bFactors"]["above79"]] == ["70"]
    assert 5 < report["bFactors"]["mean"] < 40
    whole = _inspect(
        write_with(tmp_path / "whole.pdb", [f"{line[:60]}{0:6.2f}{line[66:]}" for line in lines])
    )
    assert (whole["bFactors"], whole["fusionPartners"]) == (None, [])


def _dbref(first, last, accession, code):
    return f"DBREF  1XYZ A {first:4d}  {last:4d}  UNP    {accession:<8} {code:<12} {first:5d}  {last:5d}"


def test_a_fusion_partner_is_told_by_the_sequence_that_the_file_refers_to(tmp_path):
    # The partner's numbers go on where the chain's end, as those of a tag do.
    lines = _fragment(records(TRYPSIN), 16, 75)
    heads = [_dbref(16, 50, "P00760", "TRY1_BOVIN"), _dbref(51, 75, "P00720", "LYS_BPT4")]
    report = _inspect(write_with(tmp_path / "fused.pdb", [*heads, *lines]))
    [found] = report["fusionPartners"]
    assert (found["first"], found["last"], found["reference"]) == (51, 75, "LYS_BPT4 P00720")
    alone = [_dbref(16, 50, "P00760", "TRY1_BOVIN"), _dbref(51, 75, "P00760", "TRY1_BOVIN")]
    assert _inspect(write_with(tmp_path / "alone.pdb", [*alone, *lines]))["fusionPartners"] == []
