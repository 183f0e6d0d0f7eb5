"""The charge of a ligand before it is docked is the charge that it is docked with."""

import json
import os
import subprocess
import sys

import pytest

from dockyard_science.ccd import default_ccd
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_preview import preview
from dockyard_science.ligand_sources import RawLigand

DRUGS = [
    ("CC(=O)Oc1ccccc1C(=O)O", -1),
    ("CC(=O)Nc1ccc(O)cc1", 0),
    ("NCCc1ccc(O)c(O)c1", 1),
    ("CC(=O)[O-].[Na+]", -1),
    ("O=C(O)CCCc1ccc(N(CCCl)CCCl)cc1.Cl", -1),
]


def of(smiles, ph=7.4):
    return preview({"kind": "smiles", "smiles": smiles}, ph, default_ccd())


@pytest.mark.parametrize(("smiles", "charge"), DRUGS)
def test_the_charge_is_that_of_the_preparation(smiles, charge):
    told = of(smiles)
    docked = prepare_ligand(RawLigand("smiles", smiles), 7.4)
    assert told["charge"] == charge == docked.formal_charge
    wanted = [warning for warning in docked.warnings if warning["code"] != "STEREO_UNSPECIFIED"]
    assert told["warnings"] == wanted


def test_isotopes_are_told_as_a_docking_tells_them():
    assert [warning["code"] for warning in of("[2H]OC")["warnings"]] == ["ISOTOPES_IGNORED"]


def test_a_component_is_read_as_a_docking_reads_it():
    assert preview({"kind": "ccd", "componentId": "STI"}, 7.4, default_ccd())["charge"] == 1
    assert preview({"kind": "ccd", "componentId": "BEN"}, 14, default_ccd())["charge"] == 0


@pytest.mark.parametrize(
    ("smiles", "code"),
    [
        ("[Zn+2]", "LIGAND_UNSUPPORTED_ATOM"),
        ("C1CC", "LIGAND_PARSE_FAILED"),
        ("CCCCCC(N)CC.CCCCCC(O)CCC", "LIGAND_MULTI_FRAGMENT"),
        ("C" * 101, "LIGAND_TOO_LARGE"),
    ],
)
def test_what_docking_refuses_has_its_code_and_sentence(smiles, code):
    told = of(smiles)
    assert set(told) == {"code", "message"}
    assert told["code"] == code
    assert told["message"]


def test_the_process_answers_line_by_line_and_ends_with_its_input():
    requests = [{"source": {"kind": "smiles", "smiles": smiles}, "ph": 7.4} for smiles, _ in DRUGS]
    command = [sys.executable, "-m", "dockyard_science.ligand_preview"]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(
        command, input=lines, capture_output=True, text=True, timeout=120, check=True, env=environment
    )
    ready, *answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert ready == {"ready": True}
    assert [answer["charge"] for answer in answers] == [charge for _, charge in DRUGS]
