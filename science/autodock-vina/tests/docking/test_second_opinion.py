"""The scores of the other function are those of the binding's `score`, and a dispute about the best pose is told."""

import json

import pytest
from vina import Vina

from docking_world import BOX, RECEPTOR
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.pdbqt import split_models
from dockyard_science.second_opinion import OTHER_FUNCTION, Opinion, SecondOpinion

# Each element and kind of atom that Vina tells apart, donors and acceptors, and bonds that turn.
LIGANDS = (
    "OC(=O)c1ccccc1Nc1c(Cl)cccc1F",
    "NS(=O)(=O)c1ccc(Br)cc1",
    "OB(O)c1ccccc1",
    "CN(C)CCCP(=O)(O)O",
    "NC(=N)c1ccc(I)s1",
)


@pytest.mark.parametrize(
    ("docked_by", "ligands"),
    [
        ("vina", LIGANDS[:2]),
        pytest.param("vina", LIGANDS[2:], marks=pytest.mark.long),
        pytest.param("vinardo", LIGANDS, marks=pytest.mark.long),
    ],
)
def test_scores_are_those_of_the_binding(docked_by, ligands, engine):
    opinion = SecondOpinion(docked_by, RECEPTOR.read_text())
    alone = Vina(OTHER_FUNCTION[docked_by], cpu=1, seed=1, verbosity=0)
    alone.set_receptor(str(RECEPTOR))
    # A score is summed over the receptor's atoms, so the grid may be coarse.
    alone.compute_vina_maps(BOX["centerAngstrom"], BOX["sizeAngstrom"], spacing=2.0)
    for smiles in ligands:
        poses = engine.dock(prepare_ligand(RawLigand("smiles", smiles), 7.4).pdbqt)
        scores = []
        for model in split_models(poses.pdbqt):
            alone.set_ligand_from_string(model)
            scores.append(float(alone.score()[0]))
        assert opinion.of(poses).scores == pytest.approx(scores, abs=0.01), smiles


def test_both_opinions_stand_in_the_result(dock, tmp_path):
    dock("aspirin", "CC(=O)Oc1ccccc1C(=O)O")
    result = json.loads((tmp_path / "ligands" / "aspirin" / "result.json").read_text())["result"]
    second = [pose["second"] for pose in result["poses"]]
    assert sorted(each["rank"] for each in second) == list(range(1, len(second) + 1))
    by_rank = sorted(second, key=lambda each: each["rank"])
    assert [each["affinityKcalMol"] for each in by_rank] == sorted(each["affinityKcalMol"] for each in second)
    assert result["secondOpinion"] == {
        "scoringFunction": "vinardo",
        "affinityKcalMol": second[0]["affinityKcalMol"],
        "rankOfMode1": second[0]["rank"],
        "bestAffinityKcalMol": by_rank[0]["affinityKcalMol"],
    }


@pytest.mark.parametrize(
    ("scores", "is_disputed"),
    [
        ([-5.0, -7.0, -6.5, -6.0], True),
        ([-5.0, -7.0, -4.5, -4.0], False),
        # A wide difference of ranks whose scores hardly differ is none.
        ([-6.9, -7.0, -6.95, -6.92], False),
        ([-7.0, -5.0, -4.0], False),
        ([-5.0, -7.0], False),
        ([-5.0], False),
    ],
)
def test_a_best_pose_that_the_other_function_puts_far_behind_is_disputed(scores, is_disputed):
    warnings = Opinion("vinardo", scores).warnings()
    assert [warning["code"] for warning in warnings] == ["POSE_DISPUTED"] * is_disputed
    if is_disputed:
        assert "mode 1 is number 4 of 4, 2.0 kcal/mol behind mode 2" in warnings[0]["message"]
