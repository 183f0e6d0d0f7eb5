"""The files of a docked ligand: whole, right, in the box, with Vina's own energies, the same bytes every time."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rdkit import Chem
from rdkit.Chem import AllChem
from vina import Vina

from docking_world import BOX, RECEPTOR, SPEC, TOOLCHAIN, Docker
from dockyard_science.docking import DockingEngine
from dockyard_science.pdbqt import split_models
from dockyard_science.poses import read_poses
from dockyard_session.canonical import canonical_sha256, sha256_file
from dockyard_session.errors import ScienceError
from json_schema import schema_of, violations

LIGANDS = {
    "benzamidine": "NC(=N)c1ccccc1",
    "alanine": "C[C@H](N)C(=O)O",
    "chloroalkene": r"C/C(F)=C(/Cl)CO",
    "sulfonamide": "NS(=O)(=O)c1ccccc1",
}


@pytest.fixture(scope="module")
def docked(engine, tmp_path_factory):
    """All ligands once, in this order."""
    docker = Docker(engine, tmp_path_factory.mktemp("docked"))
    docker.results = {name: docker(name, smiles) for name, smiles in LIGANDS.items()}
    return docker


def folder(docked, name):
    return docked.out / "ligands" / name


def records(docked, name):
    supplier = Chem.SDMolSupplier(str(folder(docked, name) / "poses.sdf"), removeHs=False)
    mols = list(supplier)
    assert None not in mols
    return mols


@pytest.mark.parametrize("name", LIGANDS)
def test_the_outputs_are_those_that_are_listed(docked, name):
    outputs, summary = docked.results[name]
    assert [(output["path"], output["kind"]) for output in outputs] == [
        (f"ligands/{name}/poses.sdf", "poses"),
        (f"ligands/{name}/poses.pdbqt", "poses_pdbqt"),
        (f"ligands/{name}/result.json", "result"),
        (f"ligands/{name}/dock.log", "log"),
    ]
    assert sorted(path.name for path in folder(docked, name).iterdir()) == sorted(
        Path(output["path"]).name for output in outputs
    )
    assert summary["poseCount"] == len(records(docked, name)) > 0


@pytest.mark.parametrize("name", LIGANDS)
def test_the_sdf_has_the_whole_molecule_with_its_charges_and_stereo(docked, name):
    summary = docked.results[name][1]
    wanted = Chem.MolFromSmiles(summary["smilesDocked"])
    for mol in records(docked, name):
        assert mol.GetNumAtoms() == Chem.AddHs(wanted).GetNumAtoms()
        assert mol.GetNumHeavyAtoms() == summary["heavyAtoms"]
        Chem.AssignStereochemistryFrom3D(mol)
        assert Chem.MolToSmiles(Chem.RemoveHs(mol)) == summary["smilesDocked"]
        distances = Chem.Get3DDistanceMatrix(mol)
        assert all(
            0.85 < distances[bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()] < 2.0 for bond in mol.GetBonds()
        )
        assert np.min(distances + 9 * np.eye(mol.GetNumAtoms())) > 0.85


@pytest.mark.parametrize("name", LIGANDS)
def test_the_properties_are_those_of_the_documentation(docked, name):
    summary = docked.results[name][1]
    mols = records(docked, name)
    assert [int(mol.GetProp("mode")) for mol in mols] == list(range(1, len(mols) + 1))
    energies = [float(mol.GetProp("affinity_kcal_mol")) for mol in mols]
    assert energies == sorted(energies)
    assert energies[0] == summary["bestAffinityKcalMol"]
    assert energies[-1] - energies[0] <= SPEC["energyRangeKcalMol"]
    first = mols[0].GetPropsAsDict()
    assert (first["rmsd_lb_angstrom"], first["rmsd_ub_angstrom"], first["seed"]) == (0, 0, 42)
    assert mols[0].GetProp("ligandId") == mols[0].GetProp("_Name") == name
    assert mols[0].GetProp("smiles_input") == LIGANDS[name]
    assert mols[0].GetProp("smiles_docked") == summary["smilesDocked"]
    assert summary["ligandEfficiency"] == round(-energies[0] / summary["heavyAtoms"], 3)


@pytest.mark.parametrize("name", LIGANDS)
def test_every_heavy_atom_lies_in_the_box(docked, name):
    low = np.array(BOX["centerAngstrom"]) - np.array(BOX["sizeAngstrom"]) / 2
    high = low + np.array(BOX["sizeAngstrom"])
    for mol in records(docked, name):
        positions = Chem.RemoveHs(mol).GetConformer().GetPositions()
        assert (positions >= low).all()
        assert (positions <= high).all()


@pytest.mark.long
def test_poses_at_a_face_are_kept_where_vina_rounds_the_box_up_to_its_grid(tmp_path):
    # 17 Å are 45.33 grid steps: Vina searches 17.25 Å and writes heavy atoms up to 0.125 Å outside.
    center = [side + 6 for side in BOX["centerAngstrom"]]
    box = BOX | {"centerAngstrom": center, "sizeAngstrom": [17.0, 17.0, 17.0]}
    engine = DockingEngine(SPEC | {"energyRangeKcalMol": 20.0, "numModes": 20}, RECEPTOR, box)
    outside = 0
    for name in ("OCCO", "CCCCCCCC"):
        Docker(engine, tmp_path)(name, name)
        for mol in records(Docker(engine, tmp_path), name):
            places = Chem.RemoveHs(mol).GetConformer().GetPositions()
            over = (np.abs(places - np.array(center)) - 8.5).max()
            assert over <= 0.126
            outside += over > 0.1
    assert outside > 0
    engine.close()


def test_the_energies_are_what_vina_scores_the_written_poses_with(docked):
    vina = Vina("vina", cpu=1, seed=1, verbosity=0)
    vina.set_receptor(str(RECEPTOR))
    vina.compute_vina_maps(BOX["centerAngstrom"], BOX["sizeAngstrom"])
    for name in LIGANDS:
        models = split_models((folder(docked, name) / "poses.pdbqt").read_text())
        energies = [float(mol.GetProp("affinity_kcal_mol")) for mol in records(docked, name)]
        unbound = None
        for model, energy in zip(models, energies, strict=True):
            vina.set_ligand_from_string(re.sub(r"(?m)^REMARK (VINA|INT|UNB).*\n", "", model))
            # Of all modes Vina subtracts the strain within the best one.
            score = vina.score() if unbound is None else vina.score(unbound)
            unbound = score[-1] if unbound is None else unbound
            assert score[0] == pytest.approx(energy, abs=0.01)


def test_the_coordinates_of_both_files_agree(docked):
    for name in LIGANDS:
        models = split_models((folder(docked, name) / "poses.pdbqt").read_text())
        for mol, model in zip(records(docked, name), models, strict=True):
            atoms = [line for line in model.splitlines() if line.startswith("ATOM")]
            written = {(float(line[30:38]), float(line[38:46]), float(line[46:54])) for line in atoms}
            placed = {tuple(map(float, np.round(xyz, 3))) for xyz in mol.GetConformer().GetPositions()}
            assert written <= placed


@pytest.mark.parametrize("name", LIGANDS)
def test_the_result_fits_its_schema_and_digests(docked, name):
    path = folder(docked, name) / "result.json"
    result = json.loads(path.read_text())
    assert violations(result, schema_of("result")) == []
    assert result["sha256"] == canonical_sha256(result["result"])
    for file, digest in result["result"]["files"].items():
        assert digest == sha256_file(path.with_name(file))
    assert result["result"]["provenance"]["receptor"]["preparedPdbqtSha256"] == sha256_file(RECEPTOR)
    assert result["result"]["provenance"]["toolchainSha256"] == TOOLCHAIN.sha256
    assert "startedAt" not in json.dumps(result["result"])


def test_the_schema_notices_what_is_missing_or_odd(docked):
    result = json.loads((folder(docked, "alanine") / "result.json").read_text())
    del result["result"]["provenance"]["seed"]
    result["result"]["poses"][0]["mode"] = "first"
    result["result"]["extra"] = 1
    assert len(violations(result, schema_of("result"))) == 3


def hashed_bytes(out, name):
    place = out / "ligands" / name
    result = json.loads((place / "result.json").read_text())
    return [(place / file).read_bytes() for file in ("poses.sdf", "poses.pdbqt", "dock.log")], result[
        "sha256"
    ]


def test_another_order_gives_the_same_bytes(docked, dock):
    for name in reversed(LIGANDS):
        dock(name, LIGANDS[name])
    for name in LIGANDS:
        assert hashed_bytes(dock.out, name) == hashed_bytes(docked.out, name)


@pytest.mark.long
def test_another_process_gives_the_same_bytes(docked, tmp_path):
    program = (
        "from pathlib import Path; from docking_world import *;"
        "from dockyard_science.docking import DockingEngine;"
        "engine = DockingEngine(SPEC, RECEPTOR, BOX);"
        f"Docker(engine, Path({str(tmp_path)!r}))('sulfonamide', {LIGANDS['sulfonamide']!r})"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "77"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, stdout=subprocess.DEVNULL)
    assert hashed_bytes(tmp_path, "sulfonamide") == hashed_bytes(docked.out, "sulfonamide")


def test_an_sdf_ligand_is_docked_to_the_same_poses(docked, dock):
    mol = Chem.MolFromSmiles(LIGANDS["sulfonamide"])
    AllChem.Compute2DCoords(mol)
    source, path = dock.file(Chem.MolToMolBlock(mol) + "$$$$\n", "ligand", "sdf")
    dock("sulfonamide", source, path)
    again, before = (folder(place, "sulfonamide") / "poses.pdbqt" for place in (dock, docked))
    assert again.read_bytes() == before.read_bytes()


def test_progress_goes_up_with_vina_and_ends_at_100(dock):
    dock("benzamidine", LIGANDS["benzamidine"])
    assert dock.percents == sorted(dock.percents)
    assert dock.percents[-1] == 100
    assert len(set(dock.percents)) > 5


def test_the_log_keeps_what_vina_printed(docked):
    text = (folder(docked, "benzamidine") / "dock.log").read_text()
    assert "random seed: 42" in text
    assert "*" * 51 in text
    assert "mode |   affinity" in text
    assert "NC(=[NH2+])c1ccccc1 at pH 7.4" in text


def test_poses_of_another_molecule_are_not_written():
    model = (
        "MODEL 1\nREMARK VINA RESULT:    -1.0      0.000      0.000\nREMARK SMILES C[C@H](F)Cl\n"
        "REMARK SMILES IDX 1 1 2 2 3 3 4 4\nREMARK H PARENT\n{atoms}ENDMDL\n"
    )
    places = [(-0.9, -0.9, -0.5), (0.0, 0.0, 0.3), (0.1, 1.2, -0.3), (1.6, -0.7, -0.2)]

    def pdbqt(sign):
        row = "ATOM      1  C   UNL     1    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00    +0.000 C \n"
        return model.format(atoms="".join(row.format(x, y, sign * z) for x, y, z in places))

    outcomes = []
    for sign in (1, -1):
        try:
            outcomes.append(len(read_poses(pdbqt(sign), [[-1.0, -1.0, 0.0, 0.0, 0.0]]).poses))
        except ScienceError as error:
            outcomes.append(error.code)
    assert sorted(outcomes, key=str) == [1, "OUTPUT_UNVERIFIED"]
