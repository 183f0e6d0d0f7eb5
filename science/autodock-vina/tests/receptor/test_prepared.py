"""Prepared receptors of real structures: nothing moved or lost, all hydrogens there, the report true."""

import math

import numpy as np
import pytest
from rdkit import Chem

from dockyard_science.spec import CachedReceptor
from receptor_world import FOLATE_BOX, STEROID_BOX, digests, heavy_places, session, small_site
from structures_world import FOLATE, PR, PROTEASE, REDUCTASE, TRYPSIN, records, write_with

FILES = {"1a28": PR, "1hpv": PROTEASE, "1k1i": TRYPSIN, "1us0": REDUCTASE, "1s3v": FOLATE}


def _named(rows):
    return [f"{row['residueName']}{row['residue']}" for row in rows]


# A receptor is prepared once for all tests that read it, so a long one is left out of each of them.
LONG = ["1hpv", "1us0"]
NAMES = [pytest.param(name, marks=pytest.mark.long) if name in LONG else name for name in FILES]


@pytest.mark.parametrize("name", NAMES)
def test_overlays_on_the_deposited_file_but_for_what_the_report_says_moved(prepared, name):
    files = prepared(name)
    deposited = heavy_places(FILES[name])
    report = files.report
    told = {
        (row["chain"], f"{row['residue']}{row['insertionCode']}")
        for row in [*report["residuesFlipped"], *report["residuesMoved"]]
    }
    built = {
        (row["chain"], f"{row['residue']}{row['insertionCode']}", atom)
        for row in report["atomsBuilt"]
        for atom in row["atoms"]
    }
    moved, new = set(), set()
    for key, place in heavy_places(files.out / "receptor" / "prepared.pdb").items():
        if key not in deposited:
            new.add(key)
        elif np.linalg.norm(place - deposited[key]) > 0.05:
            moved.add(key[:2])
    # Alternative locations make gemmi's map ambiguous; which of them was taken is another test.
    moved -= {(row["chain"], f"{row['residue']}{row['insertionCode']}") for row in report["altlocs"]}
    assert moved <= told
    assert new == built


@pytest.mark.parametrize("name", NAMES)
def test_docking_sees_every_heavy_atom_of_the_prepared_file_where_it_stands(prepared, name):
    files = prepared(name)
    pdb = [line for line in files.pdb.splitlines() if line.startswith(("ATOM", "HETATM"))]
    heavy = sorted(line[30:54] for line in pdb if line[76:78].strip() != "H")
    polar = {line[30:54] for line in pdb if line[76:78].strip() == "H"}
    typed = [line for line in files.pdbqt.splitlines() if line.startswith(("ATOM", "HETATM"))]
    assert sorted(line[30:54] for line in typed if line[77:79].strip() != "HD") == heavy
    assert {line[30:54] for line in typed if line[77:79].strip() == "HD"} <= polar
    assert len(heavy) == files.report["heavyAtoms"] == files.summary["receptor"]["heavyAtoms"]


@pytest.mark.parametrize("name", NAMES)
def test_a_chemist_s_program_reads_the_prepared_file_with_every_valence_filled(prepared, name):
    molecule = Chem.MolFromPDBBlock(prepared(name).pdb, removeHs=False)
    assert molecule is not None
    lacking = [
        f"{atom.GetPDBResidueInfo().GetResidueName()}{atom.GetPDBResidueInfo().GetResidueNumber()} {atom.GetSymbol()}"
        for atom in molecule.GetAtoms()
        if atom.GetAtomicNum() == 6 and atom.GetTotalNumHs(includeNeighbors=False) > 0
    ]
    assert lacking == []


def test_progesterone_receptor_report(prepared):
    report = prepared("1a28").report
    assert sum(len(row["atoms"]) for row in report["atomsBuilt"]) == 17
    assert _named(report["residuesFlipped"]) == ["HIS743", "GLN747", "GLN803", "GLN806"]
    assert report["components"]["removed"][0]["residueName"] == "STR"
    assert report["components"]["watersRemoved"] == 86
    assert report["receptor"]["chains"] == ["A"]
    assert report["warnings"] == []


@pytest.mark.long
def test_protease_of_1995_keeps_chains_and_blank_ligand_chain(prepared):
    files = prepared("1hpv")
    assert files.report["receptor"]["chains"] == ["A", "B", "_"]
    assert files.report["components"]["removed"][0]["chain"] == "_"
    pka = {(row["chain"], row["residue"]): row["pKa"] for row in files.report["pka"] if row["group"] == "ASP"}
    assert pka[("A", 25)] < 7.4 < pka[("B", 25)]
    states = {
        (row["chain"], row["residue"]): row["state"]
        for row in files.report["protonationStates"]
        if row["residueName"] == "ASP"
    }
    assert (states[("A", 25)], states[("B", 25)]) == ("anionic", "neutral")


def test_trypsin_has_insertion_codes_disulfides_and_its_charged_histidine(prepared):
    files = prepared("1k1i")
    deposited = {line[21:27] for line in records(TRYPSIN)}
    kept = {line[21:27] for line in files.pdb.splitlines() if line.startswith("ATOM")}
    assert kept == deposited
    assert {line[26] for line in files.pdb.splitlines() if line.startswith("ATOM")} > {" "}
    assert {line[26] for line in files.pdbqt.splitlines() if line.startswith("ATOM")} > {" "}
    assert len(files.report["disulfides"]) == 6
    histidine = next(row for row in files.report["protonationStates"] if row["residue"] == 57)
    assert histidine["state"] == "cationic"


@pytest.mark.long
def test_reductase_takes_the_likelier_of_alternative_locations(prepared):
    files = prepared("1us0")
    altlocs = files.report["altlocs"]
    assert len(altlocs) == 79
    assert all(row["occupancies"][row["chosen"]] == max(row["occupancies"].values()) for row in altlocs)
    assert not any(line[16].strip() for line in files.pdb.splitlines() if line.startswith("ATOM"))
    assert files.summary["warnings"][0]["code"] == "BOX_LARGE"


@pytest.mark.long
def test_force_field_does_not_change_what_docking_sees(prepared, prepare_file):
    files = prepare_file(FOLATE, session(FOLATE_BOX, forceField="PARSE"))
    assert files.pdbqt == prepared("1s3v").pdbqt


@pytest.mark.long
def test_fixed_states_go_both_ways_against_the_ph(prepare_file):
    states = [("A", "neutral"), ("B", "anionic")]
    fixed = [
        {
            "chain": chain,
            "residue": 25,
            "residueName": "ASP",
            "state": state,
            "insertionCode": "",
            "reason": "seen by neutrons",
        }
        for chain, state in states
    ]
    box = {"ligand": {"componentId": "478", "chain": None, "residue": None}}
    files = prepare_file(PROTEASE, session(box, fixedProtonationStates=fixed))
    rows = [row for row in files.report["protonationStates"] if row["isFixed"]]
    assert [(row["chain"], row["state"], row["reason"]) for row in rows] == [
        ("A", "neutral", "seen by neutrons"),
        ("B", "anionic", "seen by neutrons"),
    ]
    on_acid = [
        line[21]
        for line in files.pdbqt.splitlines()
        if line[17:20] == "ASP" and line[22:26].strip() == "25" and line[77:79] == "HD"
    ]
    assert on_acid.count("A") == on_acid.count("B") + 1


def test_low_ph_protonates_what_high_ph_does_not(prepared, prepare_file, tmp_path):
    def charged(files):
        rows = files.report["protonationStates"]
        return sum(
            row["state"] in {"cationic", "neutral"} for row in rows if row["residueName"] in {"ASP", "GLU"}
        )

    source = write_with(tmp_path / "site.pdb", small_site())
    acid = prepare_file(source, session(FOLATE_BOX, protonationPh=2.0))
    assert charged(acid) > charged(prepared("site"))


def test_meeko_s_method_takes_standard_states_and_neutral_histidine(prepare_file):
    box = {"centerAngstrom": [0.3, 13.7, 19.5], "sizeAngstrom": [20.0, 20.0, 20.0]}
    files = prepare_file(TRYPSIN, session(box, protonationMethod="meeko"))
    states = {row["state"] for row in files.report["protonationStates"] if row["residueName"] == "HIS"}
    assert states == {"neutral, hydrogen on NE2"}
    assert files.report["pka"] == []
    assert files.report["residuesFlipped"] == files.report["atomsBuilt"] == []
    assert files.report["hydrogens"] > 1500


def test_meeko_s_method_sets_fixed_states_by_template(prepare_file, tmp_path):
    fixed = {"residueName": "GLU", "state": "neutral", "insertionCode": "", "reason": None}
    number = next(int(line[22:26]) for line in small_site() if line[17:20] == "GLU")
    spec = session(
        FOLATE_BOX,
        protonationMethod="meeko",
        fixedProtonationStates=[{"chain": "A", "residue": number, **fixed}],
    )
    source = write_with(tmp_path / "small.pdb", small_site())
    rows = prepare_file(source, spec).report["protonationStates"]
    neutral = [row["residue"] for row in rows if row["residueName"] == "GLU" and row["state"] == "neutral"]
    assert neutral == [number]


def test_cached_files_are_taken_as_they_are_and_the_box_is_made_anew(prepared, prepare_file):
    first = prepared("1a28")
    folder = first.out / "receptor"
    cached = CachedReceptor(folder / "prepared.pdb", folder / "prepared.pdbqt", folder / "preparation.json")
    box = {"centerAngstrom": [22.0, 10.0, 60.0], "sizeAngstrom": [20.0, 20.0, 20.0]}
    again = prepare_file(PR, session(box), cached)
    assert again.summary["receptor"]["cacheHit"]
    assert digests(again.out / "receptor") == digests(folder)
    assert again.summary["box"]["derivation"] == {"kind": "explicit"}
    assert math.isclose(again.summary["box"]["receptorHeavyAtoms"], 338, abs_tol=60)


def test_files_of_another_preparation_or_damaged_ones_are_not_used(prepared, prepare_file, tmp_path):
    source = write_with(tmp_path / "small.pdb", small_site())
    folder = prepared("1s3v").out / "receptor"
    other = tmp_path / "damaged.pdb"
    other.write_text((folder / "prepared.pdb").read_text()[:-200])
    damaged = CachedReceptor(other, folder / "prepared.pdbqt", folder / "preparation.json")
    foreign = CachedReceptor(folder / "prepared.pdb", folder / "prepared.pdbqt", folder / "preparation.json")
    spec = session(FOLATE_BOX, protonationMethod="meeko")
    for name, cached, used in (
        ("damaged", damaged, spec),
        ("foreign", foreign, {**spec, "preparationSha256": "e" * 64}),
    ):
        files = prepare_file(source, used, cached, name)
        assert not files.summary["receptor"]["cacheHit"]
        assert files.summary["warnings"][0]["code"] == "PREPARED_RECEPTOR_STALE"
        # Made anew, of the smaller receptor.
        assert 300 < len(files.pdb.splitlines()) < 1000


def test_box_of_the_example_is_what_the_ligand_s_extent_gives(prepared):
    box = prepared("1a28").summary["box"]
    assert box["centerAngstrom"] == [22.853, 10.139, 60.282]
    assert box["sizeAngstrom"] == [18.0, 18.0, 22.46]
    assert box["derivation"]["ligand"]["residueName"] == STEROID_BOX["ligand"]["componentId"]
