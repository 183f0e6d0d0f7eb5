"""Exports and a receipt as a customer reads them: by pandas, pyarrow, RDKit and cryptography, without our code."""

import base64
import json
import math
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from rdkit import Chem

FOLDER = Path(os.environ["DOCKYARD_READERS_FOLDER"])

NUMBERS = ["best_affinity_kcal_mol", "ligand_efficiency", "size_independent_efficiency"]
NUMBERS += ["molecular_weight", "log_p", "tpsa", "qed", "second_affinity_kcal_mol"]
INTEGERS = ["rank", "pose_count", "plausible_pose_count", "heavy_atoms", "formal_charge", "library_line"]
INTEGERS += ["h_bond_donors", "h_bond_acceptors", "rotatable_bonds", "second_rank"]
TEXTS = ["ligand_id", "status", "smiles_input", "smiles_docked", "run_id"]


def read_json(name):
    return json.loads((FOLDER / name).read_text())


@pytest.fixture(scope="module")
def results():
    """The results as the API lists them."""
    found = read_json("results.json")
    assert len(found) > 2000, "more than two pages of rows"
    return {result["ligand_id"]: result for result in found}


@pytest.fixture(scope="module")
def tables():
    """The same export as CSV and as Parquet, each in a data frame by the id of the ligand."""
    csv = pd.read_csv(FOLDER / "results.csv")
    parquet = pd.read_parquet(FOLDER / "results.parquet", engine="pyarrow")
    return {
        name: table.set_index("ligand_id", drop=False) for name, table in (("csv", csv), ("parquet", parquet))
    }


def same(value, told):
    if told is None:
        return value is None or (isinstance(value, float) and math.isnan(value)) or value is pd.NA
    return value == told


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_a_table_has_every_result_with_its_values(tables, results, name):
    table = tables[name]
    assert set(table.index) == set(results)
    assert table.index.is_unique
    for column in NUMBERS + INTEGERS + TEXTS:
        wrong = {
            ligand: (value, results[ligand][column])
            for ligand, value in table[column].items()
            if not same(value, results[ligand][column])
        }
        assert not wrong, column
    assert list(table[table["rank"].notna()]["rank"]) == sorted(table["rank"].dropna())
    failed = table[table["status"] == "FAILED"]
    assert set(failed["failure_code"]) == {"LIGAND_EMBED_FAILED"}
    assert failed["best_affinity_kcal_mol"].isna().all()
    assert set(table["warnings"].dropna()) == {"LIGAND_DESALTED; STEREO_UNSPECIFIED"}
    vendors = table["input_vendor"]
    assert vendors["l5"] == results["l5"]["input_properties"]["vendor"] == "v5"


def test_labels_of_a_spreadsheet_are_no_formulas_and_those_of_parquet_are_as_they_were(tables, results):
    for ligand in ("l0", "l1", "l2"):
        label = results[ligand]["label"]
        assert tables["parquet"]["label"][ligand] == label
        told = tables["csv"]["label"][ligand]
        assert told == ("'" + label if label.startswith("=") else label)
    assert "\n" in results["l1"]["label"]
    assert not results["l2"]["label"].isascii()


def test_parquet_has_types_row_groups_and_what_it_is_of():
    file = pq.ParquetFile(FOLDER / "results.parquet")
    kinds = {field.name: field.type for field in file.schema_arrow}
    assert all(kinds[name] == pa.float64() for name in NUMBERS)
    assert all(kinds[name] == pa.int32() for name in INTEGERS)
    assert all(pa.types.is_string(kinds[name]) for name in [*TEXTS, "label", "input_vendor"])
    about = {key.decode(): value.decode() for key, value in file.metadata.metadata.items()}
    assert about["dockyard.complete"] == "true"
    assert int(about["dockyard.result_count"]) == file.metadata.num_rows
    assert file.num_row_groups > 2
    # A reader that takes some columns of some row groups gets these.
    part = file.read_row_group(1, columns=["ligand_id", "rank"])
    assert part.num_columns == 2
    assert part["rank"].null_count == 0


def molecules(name):
    with Chem.SDMolSupplier(str(FOLDER / name), sanitize=True, removeHs=False) as supplier:
        found = list(supplier)
    assert found
    assert all(mol is not None for mol in found), "every record is read and sanitised"
    return found


def plain(mol):
    """SMILES without hydrogens, with the stereochemistry that the places of the atoms have."""
    bare = Chem.RemoveHs(mol)
    Chem.AssignStereochemistryFrom3D(bare)
    return Chem.MolToSmiles(bare)


def canonical(smiles):
    return Chem.MolToSmiles(Chem.MolFromSmiles(smiles))


@pytest.mark.parametrize(("name", "whole"), [("best.sdf", False), ("all.sdf", True)])
def test_every_pose_is_the_molecule_that_was_docked_where_it_was_docked(results, name, whole):
    docked = {ligand: molecules(f"poses/{ligand}.sdf") for ligand in ("l0", "l1", "l2")}
    order = sorted(docked, key=lambda ligand: results[ligand]["rank"])
    wanted = [(ligand, mol) for ligand in order for mol in (docked[ligand] if whole else docked[ligand][:1])]
    found = molecules(name)
    assert [mol.GetProp("_Name") for mol in found] == [ligand for ligand, _ in wanted]
    for mol, (ligand, own) in zip(found, wanted, strict=True):
        result = results[ligand]
        assert plain(mol) == canonical(result["smiles_docked"])
        assert mol.GetConformer().Is3D()
        np.testing.assert_array_equal(mol.GetConformer().GetPositions(), own.GetConformer().GetPositions())
        assert Chem.GetFormalCharge(mol) == result["formal_charge"]
        tags = mol.GetPropsAsDict()
        assert tags["ligandId"] == ligand
        assert tags["rank"] == result["rank"]
        assert tags["result_id"] == result["id"]
        assert tags["input_vendor"] == result["input_properties"]["vendor"]
        assert tags["mode"] == own.GetIntProp("mode")
        assert tags["affinity_kcal_mol"] == own.GetDoubleProp("affinity_kcal_mol")
        assert tags["label"].split() == result["label"].split(), "on one line"


@pytest.mark.parametrize("name", ["receipt.json", "revision-receipt.json"])
def test_a_receipt_is_proven_by_the_published_key_alone(name):
    signed, keys = read_json(name), read_json("receipt-keys.json")
    signature = signed["signature"]
    assert signature["algorithm"] == "Ed25519"
    (key,) = [key for key in keys["keys"] if key["kid"] == signature["keyId"]]
    public = Ed25519PublicKey.from_public_bytes(unpadded(key["x"]))
    document = canonical_json(signed["receipt"])
    public.verify(unpadded(signature["value"]), document)
    for place in range(0, len(document), 97):
        changed = bytearray(document)
        changed[place] ^= 1
        with pytest.raises(InvalidSignature):
            public.verify(unpadded(signature["value"]), bytes(changed))


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def canonical_json(receipt):
    """Canonical JSON (RFC 8785) of a document whose names are ASCII and whose numbers are integers."""
    return json.dumps(
        receipt, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def test_the_numbers_and_names_of_a_receipt_need_no_further_rule():
    def look(value):
        assert not isinstance(value, float)
        if isinstance(value, dict):
            assert all(name.isascii() for name in value)
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
            look(inner)

    look(read_json("receipt.json")["receipt"])
    look(read_json("revision-receipt.json")["receipt"])
    assert read_json("revision-receipt.json")["receipt"]["sources"]
