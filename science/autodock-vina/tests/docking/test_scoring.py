"""Vinardo in place of Vina's own function: the same as the binding alone, and said in the result."""

import json

import pytest
from vina import Vina

from docking_world import BOX, RECEPTOR, SPEC, Docker
from dockyard_science.docking import DockingEngine

LIGAND = "CC(=O)Nc1ccc(O)cc1"


@pytest.fixture(scope="module")
def vinardo(tmp_path_factory):
    engine = DockingEngine(SPEC | {"scoringFunction": "vinardo"}, RECEPTOR, BOX)
    docker = Docker(engine, tmp_path_factory.mktemp("vinardo"))
    docker.result = docker("paracetamol", LIGAND)[1]
    yield docker
    engine.close()


def folder(docker):
    return docker.out / "ligands" / "paracetamol"


def record(docker):
    return json.loads((folder(docker) / "result.json").read_text())["result"]


def test_poses_and_energies_are_those_of_vina_alone(vinardo):
    told = record(vinardo)
    alone = Vina("vinardo", cpu=1, seed=SPEC["seed"], verbosity=0)
    alone.set_receptor(str(RECEPTOR))
    alone.compute_vina_maps(BOX["centerAngstrom"], BOX["sizeAngstrom"])
    alone.set_ligand_from_string(told["ligand"]["pdbqt"])
    alone.dock(SPEC["exhaustiveness"], SPEC["numModes"])
    poses = alone.poses(SPEC["numModes"], SPEC["energyRangeKcalMol"])
    assert poses == (folder(vinardo) / "poses.pdbqt").read_text()
    energies = alone.energies(SPEC["numModes"], SPEC["energyRangeKcalMol"]).tolist()
    for pose, (total, inter, intra, torsional, _) in zip(told["poses"], energies, strict=True):
        assert pose["affinityKcalMol"] == total
        assert (pose["intermolecularKcalMol"], pose["intramolecularKcalMol"]) == (inter, intra)
        assert pose["torsionalKcalMol"] == torsional


def test_the_result_says_which_function_scored(vinardo, dock):
    assert record(vinardo)["provenance"]["parameters"]["scoringFunction"] == "vinardo"
    usual = dock("paracetamol", LIGAND)[1]
    assert record(dock)["provenance"]["parameters"]["scoringFunction"] == "vina"
    assert usual["bestAffinityKcalMol"] != vinardo.result["bestAffinityKcalMol"]


def test_efficiencies_are_the_score_for_the_size(vinardo, dock):
    for summary in (vinardo.result, dock("paracetamol", LIGAND)[1]):
        best, heavy = summary["bestAffinityKcalMol"], summary["heavyAtoms"]
        assert heavy == 11
        assert summary["ligandEfficiency"] == round(-best / heavy, 3)
        assert summary["sizeIndependentEfficiency"] == round(-best / heavy**0.3, 3)
    assert record(dock)["sizeIndependentEfficiency"] == summary["sizeIndependentEfficiency"]
