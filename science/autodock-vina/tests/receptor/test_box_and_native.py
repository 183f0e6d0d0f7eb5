"""The box from numbers, a ligand, residues; the native ligand with its bonds."""

import gemmi
import numpy as np
import pytest
from rdkit import Chem

from dockyard_science.box import make_box
from dockyard_science.ccd import default_ccd
from dockyard_science.native import find_native, native_molecule
from dockyard_session.errors import ScienceError
from dockyard_structures.selection import select
from dockyard_structures.structure import read_structure
from receptor_world import heavy_places, prepare_in, session, small_site
from structures_world import FOLATE, PR, PROTEASE, TRYPSIN, atom_line, records, write_with


def _model(path, **receptor):
    return select(read_structure(path).structure, session({}, receptor=receptor)["receptor"]).model


def _box(path, box, **receptor):
    return make_box(_model(path, **receptor), session(box)["box"])


def _refused(code, path, box, **receptor):
    with pytest.raises(ScienceError) as error:
        _box(path, box, **receptor)
    assert error.value.code == code
    return error.value.message


def _ligand(component, chain=None, residue=None):
    return {"ligand": {"componentId": component, "chain": chain, "residue": residue}}


def test_several_copies_are_listed_until_one_is_named():
    message = _refused("POCKET_LIGAND_AMBIGUOUS", PR, _ligand("STR"), assemblyId="asymmetric")
    assert "STR:A:1, STR:B:2" in message
    one = _box(PR, _ligand("STR", chain="B"), assemblyId="asymmetric")
    assert one == _box(PR, _ligand("STR", residue=2), assemblyId="asymmetric")
    assert one["derivation"]["ligand"]["chain"] == "B"


def test_an_amino_acid_that_is_a_ligand_is_told_from_those_of_the_chains(tmp_path):
    serine = [
        atom_line(name, "SER", 900, [10.0 + number, 45.0, 15.0], name[0])
        for number, name in enumerate(("N", "CA", "C"))
    ]
    path = write_with(tmp_path / "serine.pdb", records(FOLATE), serine)
    assert _box(path, _ligand("SER"))["derivation"]["ligand"]["residue"] == 900


def test_a_missing_ligand_is_named_with_those_there_are():
    assert "STR:A:1" in _refused("POCKET_LIGAND_NOT_FOUND", PR, _ligand("STR", residue=5))
    assert "no HEM" in _refused("POCKET_LIGAND_NOT_FOUND", PR, _ligand("HEM"))
    assert "(A, B)" in _refused("POCKET_LIGAND_NOT_FOUND", PROTEASE, _ligand("478"), chains=["A", "B"])


def test_sides_are_extent_and_margin_within_bounds_and_a_given_size_stays():
    places = np.array([place for key, place in heavy_places(TRYPSIN).items() if key[1] in {"189", "57"}])
    residues = [{"chain": "A", "residue": number, "insertionCode": ""} for number in (189, 57)]
    box = _box(TRYPSIN, {"residues": residues})
    extent = places.max(axis=0) - places.min(axis=0)
    assert box["sizeAngstrom"] == pytest.approx(np.clip(extent + 8, 18, 40), abs=1e-3)
    assert box["centerAngstrom"] == pytest.approx((places.max(axis=0) + places.min(axis=0)) / 2, abs=1e-3)
    every = [
        {"chain": "A", "residue": int(line[22:26]), "insertionCode": line[26].strip()}
        for line in records(TRYPSIN)
    ]
    assert _box(TRYPSIN, {"residues": every})["sizeAngstrom"] == [40, 40, 40]
    given = _box(PR, {**_ligand("STR"), "sizeAngstrom": [10, 11.5, 50]})
    assert given["sizeAngstrom"] == [10, 11.5, 50]
    assert given["centerAngstrom"] == [22.853, 10.139, 60.282]


def test_residues_go_by_chain_number_and_insertion_code():
    code = next(line for line in records(TRYPSIN) if line[26] != " ")
    where = {"chain": "A", "residue": int(code[22:26]), "insertionCode": code[26]}
    with_code = _box(TRYPSIN, {"residues": [where]})
    assert with_code != _box(TRYPSIN, {"residues": [{**where, "insertionCode": ""}]})
    message = _refused("POCKET_LIGAND_NOT_FOUND", TRYPSIN, {"residues": [{**where, "insertionCode": "Z"}]})
    assert f"A:{where['residue']}Z" in message


def test_a_box_beside_the_receptor_is_refused_with_its_numbers(tmp_path):
    source = write_with(tmp_path / "site.pdb", small_site())
    with pytest.raises(ScienceError) as error:
        prepare_in(
            tmp_path, source, session({"centerAngstrom": [200.0, 0, 0], "sizeAngstrom": [20.0, 20, 20]})
        )
    assert error.value.code == "BOX_EMPTY"
    assert "centre 200, 0, 0" in error.value.message


def test_native_reference_has_the_crystal_s_place_and_the_dictionary_s_bonds(prepared):
    path = prepared("1a28").out / "control" / "native_reference.sdf"
    (molecule,) = Chem.SDMolSupplier(str(path))
    expected = "CC(=O)[C@H]1CC[C@H]2[C@@H]3CCC4=CC(=O)CC[C@]4(C)[C@H]3CC[C@]12C"
    assert Chem.MolToSmiles(molecule) == Chem.CanonSmiles(expected)
    deposited = {
        tuple(float(v) for v in (line[30:38], line[38:46], line[46:54]))
        for line in records(PR)
        if line[17:26] == "STR A   1"
    }
    assert {tuple(row) for row in molecule.GetConformer().GetPositions().tolist()} == deposited
    assert molecule.GetPropsAsDict() == {"component_id": "STR", "chain": "A", "residue": 1}


def test_a_native_reference_that_is_not_there_or_not_whole_is_refused(tmp_path):
    wanted = {"componentId": "STR", "chain": "B", "residue": 2, "insertionCode": ""}
    with pytest.raises(ScienceError) as error:
        find_native(_model(PR), wanted)
    assert error.value.code == "NATIVE_REFERENCE_NOT_FOUND"
    assert "STR:A:1" in error.value.message
    lines = [
        line for line in records(PR) if not (line[17:26] == "STR A   1" and line[12:16].strip() == "C21")
    ]
    model = _model(write_with(tmp_path / "partial.pdb", lines))
    native = find_native(model, {**wanted, "chain": "A", "residue": 1})
    with pytest.raises(ScienceError, match="lacks C21"):
        native_molecule(native, default_ccd())
    foreign = _model(
        write_with(tmp_path / "x.pdb", records(FOLATE), [atom_line("C1", "UNL", 9, [0, 0, 0], "C")])
    )
    unknown = find_native(foreign, {"componentId": "UNL", "chain": "A", "residue": 9, "insertionCode": ""})
    with pytest.raises(ScienceError, match="UNL"):
        native_molecule(unknown, default_ccd())


@pytest.mark.long
def test_mmcif_of_a_pdb_file_gives_the_same_receptor_box_and_reference(prepared, tmp_path):
    structure = gemmi.read_pdb(str(PR))
    structure.setup_entities()
    source = tmp_path / "1a28.cif"
    structure.make_mmcif_document().write_file(str(source))
    native = {"componentId": "STR", "chain": "A", "residue": 1, "insertionCode": ""}
    prepare_in(tmp_path / "out", source, session(_ligand("STR"), native=native))
    for name in (
        "receptor/prepared.pdb",
        "receptor/prepared.pdbqt",
        "box.json",
        "control/native_reference.sdf",
    ):
        assert (tmp_path / "out" / name).read_bytes() == (prepared("1a28").out / name).read_bytes(), name
