"""Records of a stored library: docked as what they hold, refused with their line, and prepared alone in a dry run."""

import json

import pytest
from rdkit import Chem

from docking_world import Docker
from dockyard_science.ccd import default_ccd
from dockyard_science.dry_run import LigandChecker
from dockyard_session.canonical import canonical_sha256
from dockyard_session.errors import ScienceError
from json_schema import schema_of, violations

SHA256 = "e" * 64


def record(data_format="smi", line=7, fault=None):
    return {"kind": "record", "format": data_format, "sha256": SHA256, "line": line, "fault": fault}


@pytest.fixture
def checker():
    checker = LigandChecker(1)
    yield checker
    checker.close()


def check(checker, out, text, source, **more):
    path = out / "source"
    path.write_text(text)
    spec = {"ligandId": "l", "label": "L", "source": source, "protonationPh": 7.4, "dryRun": True} | more
    return checker.check(spec, path, out, ccd=default_ccd(), progress=lambda _: None)


def test_a_record_is_docked_like_the_same_smiles_and_the_same_file(engine, tmp_path):
    dock = Docker(engine, tmp_path)
    _, named = dock("named", "Oc1ccccc1")
    path = tmp_path / "smiles"
    path.write_text("Oc1ccccc1")
    _, recorded = dock("recorded", record(), path)
    assert recorded["bestAffinityKcalMol"] == named["bestAffinityKcalMol"]
    path.write_text(Chem.MolToMolBlock(Chem.MolFromSmiles("Oc1ccccc1")) + "> <logP>\n1.5\n\n")
    _, block = dock("block", record("sdf"), path)
    assert block["bestAffinityKcalMol"] == named["bestAffinityKcalMol"]
    result = json.loads((tmp_path / "ligands/recorded/result.json").read_text())["result"]
    assert result["source"] == {"kind": "record", "format": "smi", "sha256": SHA256}, (
        "no line: equal records agree"
    )


def test_what_is_wrong_with_a_record_is_told_with_its_line(engine, tmp_path):
    dock = Docker(engine, tmp_path)
    path = tmp_path / "smiles"
    path.write_text("C1CC")
    for source, text in (
        (record(line=12), "SMILES"),
        (record(line=12, fault="The record has no SMILES."), "no SMILES"),
    ):
        with pytest.raises(ScienceError) as failed:
            dock("bad", source, path)
        assert failed.value.code == "LIGAND_PARSE_FAILED"
        assert failed.value.message.startswith("Line 12 of the library: ")
        assert text in failed.value.message


def test_a_dry_run_says_as_what_a_ligand_would_be_docked(checker, tmp_path):
    outputs, summary = check(checker, tmp_path, "CC(=O)O.[Na+].[Cl-]", record())
    assert [output["path"] for output in outputs] == ["ligands/l/preparation.json"]
    told = json.loads((tmp_path / "ligands/l/preparation.json").read_text())
    assert told["sha256"] == canonical_sha256(told["preparation"])
    assert violations(told, schema_of("ligand-preparation")) == []
    ligand = told["preparation"]["ligand"]
    assert (ligand["smilesDocked"], ligand["formalCharge"], ligand["heavyAtoms"]) == ("CC(=O)[O-]", -1, 4)
    assert [warning["code"] for warning in summary["warnings"]] == ["LIGAND_DESALTED"]


def test_a_dry_run_fails_a_ligand_as_its_docking_would(checker, tmp_path):
    for text, code in (
        ("C1CC", "LIGAND_PARSE_FAILED"),
        ("C" * 101, "LIGAND_TOO_LARGE"),
        ("C[Se]C", "LIGAND_UNSUPPORTED_ATOM"),
    ):
        with pytest.raises(ScienceError) as failed:
            check(checker, tmp_path, text, record(line=3))
        assert failed.value.code == code
        assert failed.value.message.startswith("Line 3 ")
    assert check(checker, tmp_path, "CCO", record())[1]["heavyAtoms"] == 3, "the next ligand is prepared"
