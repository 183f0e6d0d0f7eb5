"""The control docking: how far the poses are from the crystal's, over every symmetry, and only ever a warning."""

import itertools
import json

import numpy as np
import pytest
from rdkit import Chem
from rdkit.Chem import AllChem

from docking_world import BOX, NATIVE, RECEPTOR, SPEC, TOOLCHAIN
from dockyard_science.docking import DockingEngine
from dockyard_science.poses import DockedPoses
from dockyard_science.validation import assess, pose_rmsds, run_control
from json_schema import schema_of, violations

CONTROL = {"id": "native:STR:A:1", "protonationPh": 7.4}


def embedded(smiles, seed=1):
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    assert AllChem.EmbedMolecule(mol, randomSeed=seed) == 0
    return mol


def moved(mol, shift):
    other = Chem.Mol(mol)
    positions = other.GetConformer().GetPositions() + np.array(shift)
    other.GetConformer().SetPositions(positions)
    return other


def run(engine, native, out):
    return run_control(engine, CONTROL, native, out, ccd=None, toolchain=TOOLCHAIN, progress=lambda _: None)


def test_a_shift_is_measured_without_superposition():
    mol = embedded("CCOC(=O)c1ccccc1")
    assert pose_rmsds(moved(mol, (3.0, 4.0, 0.0)), mol) == [5.0]


def test_the_least_over_all_symmetries_is_taken():
    mol = embedded("OC(=O)c1ccc(cc1)C(F)(F)F")
    turned = embedded("OC(=O)c1ccc(cc1)C(F)(F)F", seed=9)
    heavy = [atom.GetIdx() for atom in mol.GetAtoms() if atom.GetAtomicNum() > 1]
    # Atoms: O, C, O, ring 3-6 with 7-8 closing it, C, F, F, F. Every relabelling that keeps elements and bonds:
    acid, fluorines = [(0, 2), (2, 0)], list(itertools.permutations((10, 11, 12)))
    rings = [(4, 5, 7, 8), (8, 7, 5, 4)]
    here, there = (Chem.RemoveHs(each).GetConformer().GetPositions() for each in (turned, mol))
    least = np.inf
    for (first, last), ring, three in itertools.product(acid, rings, fluorines):
        order = [first, 1, last, 3, ring[0], ring[1], 6, ring[2], ring[3], 9, *three]
        least = min(least, np.sqrt(((here - there[order]) ** 2).sum(axis=1).mean()))
    assert len(heavy) == len(here) == 13
    assert pose_rmsds(turned, mol)[0] == pytest.approx(least, abs=0.001)
    assert least < np.sqrt(((here - there) ** 2).sum(axis=1).mean())


@pytest.mark.parametrize(
    ("native", "docked"),
    [
        ("CC(=O)O", "CC(=O)[O-]"),
        ("N=C(N)c1ccccc1", "NC(=[NH2+])c1ccccc1"),
        ("OP(=O)(O)OC", "[O-]P(=O)([O-])OC"),
        ("OC(=O)c1ccccc1", "[O-]C(=O)c1ccccc1"),
    ],
)
def test_protonation_does_not_count(native, docked):
    # Both name the same heavy atoms in the same order; only bond orders, charges and hydrogens differ.
    reference = Chem.RemoveHs(embedded(native))
    pose = Chem.MolFromSmiles(docked)
    conformer = Chem.Conformer(pose.GetNumAtoms())
    conformer.SetPositions(reference.GetConformer().GetPositions())
    pose.AddConformer(conformer)
    assert pose_rmsds(Chem.AddHs(pose, addCoords=True), reference) == [0.0]


def test_the_block_names_the_nearest_mode_and_the_warning_says_how_far():
    native = embedded("CCO")
    poses = Chem.Mol(native)
    poses.RemoveAllConformers()
    for shift in (3.0, 0.5):
        poses.AddConformer(moved(native, (shift, 0, 0)).GetConformer(), assignId=True)
    found = assess("EOH", native, DockedPoses(poses, [], ""))
    assert found["validation"] == {
        "component_id": "EOH",
        "rmsd_top_angstrom": 3.0,
        "rmsd_best_angstrom": 0.5,
        "best_mode": 2,
        "passed": False,
    }
    assert [warning["code"] for warning in found["warnings"]] == ["CONTROL_RMSD_HIGH"]
    assert "3.00" in found["warnings"][0]["message"]


def test_progesterone_is_found_again_in_its_pocket(engine, tmp_path):
    outputs, summary = run(engine, NATIVE, tmp_path)
    assert {output["kind"] for output in outputs} == {"control"}
    assert all((tmp_path / output["path"]).is_file() for output in outputs)
    validation = summary["validation"]
    assert validation["rmsd_top_angstrom"] <= 2.0
    assert validation["passed"]
    assert summary["warnings"] == []
    result = json.loads((tmp_path / "control" / "result.json").read_text())
    assert violations(result, schema_of("result")) == []
    assert (result["result"]["ligandId"], result["result"]["kind"]) == ("native:STR:A:1", "control")
    assert result["result"]["validation"] == validation
    mols = list(Chem.SDMolSupplier(str(tmp_path / "control" / "poses.sdf")))
    assert mols[0].GetProp("ligandId") == "native:STR:A:1"


@pytest.mark.long
def test_the_crystal_conformation_is_not_given_away(tmp_path):
    # The same molecule somewhere else and with another shape is docked to the same poses.
    mol = Chem.MolFromMolFile(str(NATIVE))
    other = Chem.RemoveHs(moved(embedded(Chem.MolToSmiles(mol), seed=5), (9, 9, 9)))
    files = []
    engine = DockingEngine(SPEC, RECEPTOR, BOX)
    for name, native in (("crystal", mol), ("elsewhere", other)):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "native.sdf"
        path.write_text(Chem.MolToMolBlock(native) + "$$$$\n")
        run(engine, path, tmp_path / name)
        files.append((tmp_path / name / "control" / "poses.pdbqt").read_bytes())
    engine.close()
    assert files[0] == files[1]


def test_a_control_that_cannot_be_docked_only_warns(engine, tmp_path):
    path = tmp_path / "native.sdf"
    heme_iron = Chem.MolFromSmiles("[Fe+2]")
    heme_iron.AddConformer(Chem.Conformer(1))
    path.write_text(Chem.MolToMolBlock(heme_iron) + "$$$$\n")
    outputs, summary = run(engine, path, tmp_path)
    assert outputs == []
    assert summary["validation"]["passed"] is False
    assert [warning["code"] for warning in summary["warnings"]] == ["CONTROL_FAILED"]
    assert "LIGAND_UNSUPPORTED_ATOM" in summary["warnings"][0]["message"]
