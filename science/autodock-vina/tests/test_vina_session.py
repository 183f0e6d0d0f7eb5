"""The docking tool in a session."""

import json
import os
import sys
import types

import pytest

import docking_world
from dockyard_science.toolchain import PACKAGES
from dockyard_science.vina_tool import VinaTool
from dockyard_session.canonical import sha256_file
from dockyard_session.protocol import parse_request
from session_process import Session, Silent, line_of, task_line

SPEC = {"seed": 42, "exhaustiveness": 1, "numModes": 1, "energyRangeKcalMol": 3}


def _open(folder):
    env = {"DOCKYARD_CCD": os.environ["DOCKYARD_CCD"]}
    session = Session(folder, "dockyard_science.vina_tool", [f"{package}/src" for package in PACKAGES], env)
    session.say({"type": "open", "spec": docking_world.SPEC})
    assert session.hear() == {"type": "ready"}
    return session


@pytest.mark.parametrize(
    ("cache_hit", "told"), [(False, "a new preparation was used"), (True, "an earlier preparation was used")]
)
def test_a_stale_preparation_is_the_first_warning(tmp_path, monkeypatch, cache_hit, told):
    other = {"code": "COFACTOR_REMOVED", "message": "NDP"}
    found = {"receptor": {"cacheHit": cache_hit}, "warnings": [other]}
    prepared = types.SimpleNamespace(prepare=lambda *_, **__: ([], found))
    monkeypatch.setitem(sys.modules, "dockyard_science.receptor", prepared)
    monkeypatch.setattr("dockyard_science.receptor", prepared, raising=False)
    spec = {"cached": False, "staleField": "toolchainSha256"}
    task = parse_request(
        line_of(
            task_line(
                tmp_path, kind="prepare", spec=spec, inputs={"receptor/source": str(tmp_path / "r.pdb")}
            )
        )
    )
    _, summary = VinaTool(SPEC).run(task, Silent())
    assert [warning["code"] for warning in summary["warnings"]] == [
        "PREPARED_RECEPTOR_STALE",
        "COFACTOR_REMOVED",
    ]
    message = summary["warnings"][0]["message"]
    assert "toolchainSha256" in message
    assert told in message


def test_a_session_docks_one_ligand_after_another_whatever_one_of_them_is(tmp_path):
    box = tmp_path / "box.json"
    box.write_text(json.dumps(docking_world.BOX))
    inputs = {"prepared/receptor/prepared.pdbqt": str(docking_world.RECEPTOR), "prepared/box.json": str(box)}
    session = _open(tmp_path)
    digests = []
    for number, smiles in enumerate(["Oc1ccccc1", "C1CC", "Oc1ccccc1"]):
        spec = {
            "ligandId": "lig",
            "label": None,
            "source": {"kind": "smiles", "smiles": smiles},
            "protonationPh": 7.4,
        }
        folder = tmp_path / str(number)
        folder.mkdir()
        session.say(task_line(folder, id=f"t{number}", spec=spec, inputs=inputs))
        message = session.end_of(f"t{number}")
        if smiles == "C1CC":
            assert (message["type"], message["code"]) == ("failed", "LIGAND_PARSE_FAILED")
            continue
        assert message["summary"]["bestAffinityKcalMol"] < 0
        assert all((folder / "out" / output["path"]).is_file() for output in message["outputs"])
        digests.append(sha256_file(folder / "out" / "ligands" / "lig" / "poses.sdf"))
    assert digests[0] == digests[1]
    assert session.close() == 0
