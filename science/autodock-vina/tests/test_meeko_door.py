"""Meeko is loaded without pandas, which takes a quarter of the start of a session and stays in its memory."""

import re
import subprocess
import sys
from pathlib import Path

import dockyard_science

PROGRAM = """
import importlib, sys
from dockyard_science import inspect_tool, vina_tool
for name in (*vina_tool.HEAVY_MODULES, *inspect_tool.HEAVY_MODULES):
    importlib.import_module(name)
print("meeko" in sys.modules, "pandas" in sys.modules)
import pandas
print(pandas.DataFrame([1]).size)
"""


def test_a_session_loads_no_pandas_and_who_needs_it_still_finds_it():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        check=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout.splitlines() == ["True False", "1"]


def test_meeko_comes_in_by_its_door_alone():
    folder = Path(dockyard_science.__path__[0])
    found = {
        file.name
        for file in folder.glob("**/*.py")
        if re.search(r"^\s*(from|import) meeko\b", file.read_text("utf-8"), re.MULTILINE)
    }
    assert found == {"meeko_door.py"}
