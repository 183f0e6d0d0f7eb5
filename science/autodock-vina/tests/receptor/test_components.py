"""What stays of a receptor and what goes: metals, cofactors, waters, modified residues."""

import gemmi
import numpy as np
import pytest
from rdkit import Chem

from dockyard_science.box import make_box
from dockyard_science.components import split_components
from dockyard_science.spec import CachedReceptor
from dockyard_science.surroundings import occupied_warnings
from dockyard_session.errors import ScienceError
from dockyard_structures.selection import select
from dockyard_structures.structure import read_structure
from receptor_world import FOLATE_BOX, PROGESTERONE, STEROID_BOX, beside, session, small_site
from structures_world import (
    CALCIUM,
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


def _refused(prepare_file, code, source, spec):
    with pytest.raises(ScienceError) as error:
        prepare_file(source, spec)
    assert error.value.code == code
    return error.value.message


def _of(text, component):
    return [line for line in text.splitlines() if line[17:20].strip() == component]


def _beyond(lines, number, first, second, distance):
    """A place on the line from the middle of two neighbours of an atom through it, this far behind it."""
    donor, ends = (
        position(atom_of(lines, number, first)),
        [position(atom_of(lines, number, n)) for n in second],
    )
    away = donor - np.mean(ends, axis=0)
    return donor + distance * away / np.linalg.norm(away)


def _no_network(monkeypatch):
    def refuse(*_args, **_options):
        raise AssertionError("the network was asked")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    monkeypatch.setattr("socket.create_connection", refuse)


@pytest.mark.long
def test_modified_residues_stay_in_their_chain_as_they_are(prepare_file):
    box = {"ligand": {"componentId": "XK2", "chain": None, "residue": None}}
    files = prepare_file(MODIFIED, session(box, receptor={"chains": ["A"]}))
    kept = _of(files.pdb, "CSO")
    assert {(line[21], int(line[22:26])) for line in kept} == {("A", 67)}
    heavy = {line[12:16].strip() for line in kept if line[76:78].strip() != "H"}
    assert heavy == {"N", "CA", "C", "O", "CB", "SG", "OD"}
    assert round(sum(float(line[68:76]) for line in _of(files.pdbqt, "CSO")), 2) == 0
    assert files.report["repairs"] == []


@pytest.mark.parametrize(("component", "hydrogens"), [("NDP", 26), ("HEM", 30)])
def test_a_retained_cofactor_has_the_dictionary_s_hydrogens_and_no_network(
    prepare_file, monkeypatch, tmp_path, component, hydrogens
):
    _no_network(monkeypatch)
    lines = small_site()
    extra = beside(lines, component)
    source = write_with(tmp_path / "holo.pdb", lines, extra)
    files = prepare_file(source, session(FOLATE_BOX, retainComponents=[component]))
    kept = _of(files.pdb, component)
    assert sum(line[76:78].strip() == "H" for line in kept) == hydrogens
    heavy = [line[30:54] for line in kept if line[76:78].strip() != "H"]
    assert heavy == [line[30:54] for line in extra]
    typed = _of(files.pdbqt, component)
    assert sorted(line[30:54] for line in typed if line[77:79].strip() != "HD") == sorted(heavy)
    assert files.report["components"]["retained"][0]["residueName"] == component


@pytest.mark.long
def test_a_zinc_is_kept_and_its_ligands_carry_no_hydrogens_towards_it(prepare_file, tmp_path):
    lines = records(FOLATE)
    number = next(int(line[22:26]) for line in lines if line[17:20] == "HIS")
    place = _beyond(lines, number, "NE2", ("CD2", "CE1"), 2.1)
    source = write_with(tmp_path / "zinc.pdb", lines, [atom_line("ZN", "ZN", 900, place, "ZN")])
    box = {"centerAngstrom": [float(value) for value in place], "sizeAngstrom": [24.0, 24.0, 24.0]}
    kept = prepare_file(source, session(box, retainComponents=["ZN"]))
    assert [line[77:79].strip() for line in _of(kept.pdbqt, "ZN")] == ["Zn"]
    site = next(row for row in kept.report["metalSites"] if row["residue"] == number)
    assert (site["atom"], site["metal"]["residueName"]) == ("NE2", "ZN")
    state = next(row for row in kept.report["protonationStates"] if row["residue"] == number)
    assert state["state"] == "neutral, hydrogen on ND1"
    near = [
        line
        for line in kept.pdb.splitlines()
        if line.startswith("ATOM") and np.linalg.norm(position(line) - place) < 1.9
    ]
    assert near == []


def test_a_calcium_of_a_crystal_is_kept_between_the_acids_that_hold_it(prepare_file):
    box = {"ligand": {"componentId": "CA", "chain": None, "residue": None}}
    files = prepare_file(CALCIUM, session(box, retainComponents=["CA"]))
    assert [line[77:79].strip() for line in _of(files.pdbqt, "CA")] == ["Ca"]
    holders = [(row["residueName"], row["residue"], row["atom"]) for row in files.report["metalSites"]]
    assert holders == [("ASP", 25, "OD1"), ("ASP", 29, "OD2"), ("ASP", 35, "OD2"), ("GLU", 36, "OE2")]
    assert len(files.report["disulfides"]) == 3
    assert files.summary["box"]["sizeAngstrom"] == [18, 18, 18]


def test_an_id_that_a_pdb_file_has_no_room_for_is_written_under_an_alias_that_is_reported(
    prepare_file, tmp_path
):
    lines = small_site()
    extra = [line.replace("A1BDI A", "QQQ A") for line in beside(lines, "A1BDI")]
    structure = gemmi.read_pdb(str(write_with(tmp_path / "long.pdb", lines, extra)))
    structure.setup_entities()
    for chain in structure[0]:
        for residue in chain:
            residue.name = "A1BDI" if residue.name == "QQQ" else residue.name
    source = tmp_path / "long.cif"
    structure.make_mmcif_document().write_file(str(source))
    box = {"centerAngstrom": [10.0, 45.0, 15.0], "sizeAngstrom": [20.0, 20.0, 20.0]}
    files = prepare_file(source, session(box, retainComponents=["A1BDI"]))
    heavy = [line for line in _of(files.pdb, "01") if line[76:78].strip() != "H"]
    assert sorted(line[76:78].strip() for line in heavy) == ["C", "C", "C", "F", "N", "N"]
    assert {line[17:20].strip() for line in files.pdbqt.splitlines() if " 900 " in line[:30]} == {"01"}
    assert all(len(line) == len(heavy[0]) for line in heavy)
    (row,) = files.report["renames"]
    assert (row["residueName"], row["to"]) == ("A1BDI", "01")
    assert files.report["components"]["retained"][0]["residueName"] == "A1BDI"


def test_untypable_and_incomplete_components_cannot_be_retained(prepare_file, tmp_path):
    lines = records(FOLATE)
    for component, code, extra in (
        ("AG", "RECEPTOR_UNKNOWN_COMPONENT", beside(lines, "AG")),
        ("NDP", "RECEPTOR_MISSING_ATOMS", beside(lines, "NDP")[:-5]),
        ("UNL", "RECEPTOR_UNKNOWN_COMPONENT", [atom_line("C1", "UNL", 900, [0, 0, 0], "C")]),
    ):
        source = write_with(tmp_path / "x.pdb", lines, extra)
        message = _refused(prepare_file, code, source, session(FOLATE_BOX, retainComponents=[component]))
        assert component in message


def test_selenomethionine_and_names_that_tell_a_state_become_the_standard_residue(
    prepared, prepare_file, tmp_path
):
    lines = []
    for line in small_site():
        if line[17:20] == "MET":
            is_sulfur = line[12:16].strip() == "SD"
            name = "SE  " if is_sulfur else line[12:16]
            element = "SE" if is_sulfur else line[76:78]
            lines.append(f"HETATM{line[6:12]}{name}{line[16]}MSE{line[20:76]}{element}")
        else:
            lines.append(line.replace(" HIS ", " HSD "))
    files = prepare_file(write_with(tmp_path / "renamed.pdb", lines), session(FOLATE_BOX))
    assert files.pdbqt == prepared("site").pdbqt
    renames = {(row["residueName"], row["to"]) for row in files.report["renames"]}
    assert renames == {("MSE", "MET"), ("HSD", "HIS")}


@pytest.mark.long
def test_cofactors_removed_near_the_box_are_warned_of_but_not_far_ones_ligands_or_listed_ones(
    prepare_file, tmp_path
):
    lines = [line for line in records(PR) if line[21] == "A" and line[17:20] != "HOH"]
    centre = np.array([22.853, 10.139, 60.282])
    near = [atom_line("ZN", "ZN", 901, centre + np.array([0, 0, 18]), "ZN")]
    far = [atom_line("ZN", "ZN", 902, centre + np.array([60, 0, 0]), "ZN")]
    source = write_with(tmp_path / "ions.pdb", lines, [*near, *far])
    spec = session(
        STEROID_BOX, native={"componentId": "STR", "chain": "A", "residue": 1, "insertionCode": ""}
    )
    files = prepare_file(source, spec)
    warnings = files.summary["warnings"]
    assert [(each["code"], "A:ZN 901" in each["message"]) for each in warnings] == [
        ("COFACTOR_REMOVED", True)
    ]
    folder = files.out / "receptor"
    cached = CachedReceptor(folder / "prepared.pdb", folder / "prepared.pdbqt", folder / "preparation.json")
    assert prepare_file(source, spec, cached, "hit").summary["warnings"] == warnings
    listed = session(STEROID_BOX, removeComponents=["ZN"])
    assert prepare_file(source, listed, cached, "listed").summary["warnings"] == []


def test_a_retained_ligand_in_its_own_pocket_is_warned_of():
    spec = session(STEROID_BOX, retainComponents=["STR"])
    model = select(read_structure(PR).structure, spec["receptor"] | {"chains": ["A"]}).model
    box = make_box(model, spec["box"])
    components = split_components(model, spec["preparation"])
    (warning,) = occupied_warnings(components, box, spec)
    assert warning["code"] == "POCKET_OCCUPIED"
    assert "A:STR 1" in warning["message"]
    elsewhere = make_box(model, session(FOLATE_BOX)["box"])
    assert occupied_warnings(components, elsewhere, session(FOLATE_BOX)) == []


def test_a_box_around_a_residue_of_a_chain_that_stays_is_warned_of():
    spec = session({"ligand": PROGESTERONE | {"componentId": "CYS", "residue": 891}})
    model = select(read_structure(PR).structure, spec["receptor"] | {"chains": ["A"]}).model
    components = split_components(model, spec["preparation"])
    (warning,) = occupied_warnings(components, make_box(model, spec["box"]), spec)
    assert warning["code"] == "POCKET_OCCUPIED"
    assert all(word in warning["message"] for word in ("A:CYS 891", "leave the chain out"))


def test_retained_waters_are_typed_with_both_hydrogens_and_a_number_of_their_own(prepare_file, tmp_path):
    lines = small_site()
    extra = beside(lines, "HOH", number=5)
    source = write_with(tmp_path / "water.pdb", lines, extra)
    files = prepare_file(source, session(FOLATE_BOX, retainComponents=["HOH"]))
    assert [line[77:79].strip() for line in _of(files.pdbqt, "HOH")] == ["OA", "HD", "HD"]
    assert files.report["components"]["watersRemoved"] == 0
    assert [(row["residue"], row["toResidue"]) for row in files.report["renames"]] == [(5, 9999)]


def test_wrong_or_absent_elements_of_standard_residues_do_not_matter(prepared, prepare_file, tmp_path):
    lines = [line[:76] + ("CA" if line[12:16].strip() == "CA" else "  ") for line in small_site()]
    files = prepare_file(write_with(tmp_path / "elements.pdb", lines), session(FOLATE_BOX))
    assert files.pdbqt == prepared("site").pdbqt


def test_a_component_that_is_not_there_is_warned_of(prepare_file):
    warnings = prepare_file(FOLATE, session(FOLATE_BOX, retainComponents=["HEM"])).summary["warnings"]
    # A histidine of this box is doubtful in any case.
    assert [each["code"] for each in warnings] == ["COMPONENT_NOT_FOUND", "PROTONATION_AMBIGUOUS"]


def test_gaps_are_reported_and_prepared(prepare_file, tmp_path):
    lines = [line for line in records(FOLATE) if int(line[22:26]) in {*range(40, 60), *range(65, 80)}]
    files = prepare_file(write_with(tmp_path / "gap.pdb", lines), session(FOLATE_BOX))
    (gap,) = files.report["gaps"]
    assert (gap["after"]["residue"], gap["before"]["residue"], gap["residuesMissingByNumber"]) == (59, 65, 5)


def test_a_side_chain_on_its_neighbour_is_a_clash_that_names_both(prepare_file, tmp_path):
    lines = [line for line in records(PR) if line[21] == "A"]
    target = position(atom_of(lines, 725, "CD")) + np.array([0.4, 0.3, 0.2])
    shift = target - position(atom_of(lines, 718, "CG"))
    changed = [
        line[:30] + "".join(f"{value:8.3f}" for value in position(line) + shift) + line[54:]
        if int(line[22:26]) == 718 and line[12:16].strip() not in {"N", "CA", "C", "O"}
        else line
        for line in lines
    ]
    source = write_with(tmp_path / "clash.pdb", changed)
    message = _refused(prepare_file, "RECEPTOR_CLASH", source, session(STEROID_BOX))
    assert "A:LEU 718" in message
    assert "A:GLN 725" in message


def test_a_cofactor_whose_atoms_the_file_names_otherwise_is_known_by_its_bonds(prepare_file, tmp_path):
    lines = small_site()
    extra = [
        f"{line[:12]} {line[77]}{number:<2}{line[16:]}"
        for number, line in enumerate(beside(lines, "NDP"), start=1)
    ]
    source = write_with(tmp_path / "old-names.pdb", lines, extra)
    files = prepare_file(source, session(FOLATE_BOX, retainComponents=["NDP"]))
    kept = _of(files.pdb, "NDP")
    assert [line[12:16] for line in kept[:48]] == [line[12:16] for line in extra]
    assert sum(line[76:78].strip() == "H" for line in kept) == 26


def test_a_side_chain_torn_off_or_upon_its_own_backbone_is_refused(prepare_file, tmp_path):
    lines = records(FOLATE)
    number = next(int(line[22:26]) for line in lines if line[17:20] == "LYS")
    nitrogen = atom_of(lines, number, "NZ")
    places = {
        "RECEPTOR_CLASH": position(atom_of(lines, number, "C")) + np.array([0.9, 0.5, 0.4]),
        "RECEPTOR_TEMPLATE_UNMATCHED": np.array([90.0, 90.0, 90.0]),
    }
    for code, place in places.items():
        changed = [moved(line, place) if line is nitrogen else line for line in lines]
        source = write_with(tmp_path / "x.pdb", changed)
        message = _refused(prepare_file, code, source, session(FOLATE_BOX, repair="none"))
        assert f"NZ of A:LYS {number}" in message


@pytest.mark.long
def test_a_state_that_the_force_field_lacks_is_warned_of(prepare_file):
    warnings = prepare_file(FOLATE, session(FOLATE_BOX, protonationPh=14.0)).report["warnings"]
    assert [each["code"] for each in warnings] == ["PROTONATION_STATE_CHANGED"]


def test_missing_atoms_are_built_or_refused_with_the_residue_s_name(prepare_file, tmp_path):
    lines = records(TRYPSIN)
    without = [line for line in lines if not (int(line[22:26]) == 60 and line[12:16].strip() == "CA")]
    place = [float(field) for line in lines if int(line[22:26]) == 60 for field in line[30:54].split()][:3]
    box = {"centerAngstrom": place, "sizeAngstrom": [20.0, 20.0, 20.0]}
    source = write_with(tmp_path / "no-ca.pdb", without)
    assert " 60 lacks CA" in _refused(prepare_file, "RECEPTOR_MISSING_ATOMS", source, session(box))
    trace = write_with(tmp_path / "trace.pdb", [line for line in lines if line[12:16].strip() == "CA"])
    _refused(prepare_file, "RECEPTOR_MISSING_ATOMS", trace, session(box))
    meeko = session(STEROID_BOX, protonationMethod="meeko")
    assert "A:GLN 682 lacks CG" in _refused(prepare_file, "RECEPTOR_MISSING_ATOMS", PR, meeko)


def test_a_fixed_state_of_a_residue_that_is_not_there_is_refused(prepare_file):
    fixed = {"chain": "A", "residueName": "ASP", "state": "neutral", "insertionCode": "", "reason": None}
    for number, why in ((999, "no such residue"), (1, "it is VAL")):
        spec = session(FOLATE_BOX, fixedProtonationStates=[{**fixed, "residue": number}])
        assert why in _refused(prepare_file, "PROTONATION_FAILED", FOLATE, spec)


def test_a_file_without_chains_is_empty(prepare_file, tmp_path):
    source = write_with(tmp_path / "ligand.pdb", [line for line in records(PR) if line[17:20] == "STR"])
    _refused(
        prepare_file,
        "RECEPTOR_EMPTY",
        source,
        session({"ligand": {"componentId": "STR", "chain": "A", "residue": None}}),
    )


def test_the_molecules_of_the_dictionary_are_what_the_tests_take_them_for():
    assert Chem.MolFromPDBBlock("\n".join(beside(records(FOLATE), "NDP"))).GetNumAtoms() == 48
