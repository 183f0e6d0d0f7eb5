import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from receptor_world import FOLATE_BOX, STEROID_BOX, prepare_in, session, small_site
from structures_world import FOLATE, PR, PROTEASE, REDUCTASE, TRYPSIN, write_with


@dataclass
class PreparedFiles:
    """A prepared receptor that tests share, for reading only."""

    out: Path
    summary: dict[str, Any]

    @property
    def report(self):
        return json.loads((self.out / "receptor" / "preparation.json").read_text())

    @property
    def pdb(self):
        return (self.out / "receptor" / "prepared.pdb").read_text()

    @property
    def pdbqt(self):
        return (self.out / "receptor" / "prepared.pdbqt").read_text()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    """Prepares a file once for all tests that ask for the same one by its name."""
    specs = {
        "1a28": (PR, session(STEROID_BOX, native={**STEROID_BOX["ligand"], "insertionCode": ""})),
        "1hpv": (PROTEASE, session({"ligand": {"componentId": "478", "chain": "_", "residue": None}})),
        "1k1i": (TRYPSIN, session({"centerAngstrom": [0.3, 13.7, 19.5], "sizeAngstrom": [20.0, 20.0, 20.0]})),
        "1us0": (
            REDUCTASE,
            session({"centerAngstrom": [18.0, 0.0, 10.0], "sizeAngstrom": [31.0, 31.0, 31.0]}),
        ),
        "1s3v": (FOLATE, session(FOLATE_BOX)),
    }
    made = {}
    # A stretch of dihydrofolate reductase, for what does not need a whole receptor.
    specs["site"] = (
        write_with(tmp_path_factory.mktemp("site") / "site.pdb", small_site()),
        session(FOLATE_BOX),
    )

    def get(name):
        if name not in made:
            source, spec = specs[name]
            out = tmp_path_factory.mktemp(name)
            made[name] = PreparedFiles(out, prepare_in(out, source, spec))
        return made[name]

    return get


@pytest.fixture
def prepare_file(tmp_path):
    """Prepares a file below a folder of the test."""

    def run(source, spec, cached=None, name="out"):
        out = tmp_path / name
        return PreparedFiles(out, prepare_in(out, source, spec, cached))

    return run
