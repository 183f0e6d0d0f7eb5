"""A pack that plays what the program was recorded to do."""

import json

import pytest

from player import write_program
from swan_cases import player_pack


@pytest.fixture
def pack(tmp_path, monkeypatch):
    told = {"version": "41.51", "digest": "0" * 64, "source": "variable", "variant": None, "environment": {}}
    told["programs"] = {"swan.exe": str(write_program(tmp_path))}
    monkeypatch.setenv("DOCKYARD_PACK", json.dumps(told))
    return player_pack(tmp_path / "pack")
