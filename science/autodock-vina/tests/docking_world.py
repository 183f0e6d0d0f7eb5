"""What the tests of docking dock into: the pocket of a real receptor, with the smallest search."""

import json
from pathlib import Path

from dockyard_science.ccd import default_ccd
from dockyard_science.docking import dock_ligand
from dockyard_session.toolchain import Toolchain
from json_schema import schema_of, violations

DATA = Path(__file__).parent / "docking" / "data"
RECEPTOR = DATA / "1a28-pocket.pdbqt"
NATIVE = DATA / "1a28-str.sdf"

# A search so small that a fragment takes a tenth of a second; what is tested does not depend on it.
SPEC = {
    "seed": 42,
    "exhaustiveness": 1,
    "numModes": 9,
    "energyRangeKcalMol": 3.0,
    "receptor": {"identitySha256": "a" * 64},
    "preparationSha256": "b" * 64,
}
BOX = {
    "centerAngstrom": [22.853, 10.1385, 60.282],
    "sizeAngstrom": [18.0, 18.0, 22.46],
    "derivation": {"kind": "explicit"},
}
TOOLCHAIN = Toolchain("c" * 64, {"vina": "1.2.7"}, "x86-64-v3")


class Docker:
    """Docks through the function that the session calls, each ligand below a folder of its own.

    Every result fits the schema by which the control side judges it.
    """

    def __init__(self, engine, out):
        self.engine = engine
        self.out = out
        self.percents = []

    def __call__(self, ligand_id, source, path=None, ph=7.4, **more):
        source = {"kind": "smiles", "smiles": source} if isinstance(source, str) else source
        spec = {"ligandId": ligand_id, "label": ligand_id, "source": source, "protonationPh": ph} | more
        docked = dock_ligand(
            self.engine,
            spec,
            path,
            self.out,
            ccd=default_ccd(),
            toolchain=TOOLCHAIN,
            progress=self.percents.append,
        )
        result = json.loads((self.out / "ligands" / ligand_id / "result.json").read_text())
        assert violations(result, schema_of("result")) == []
        return docked

    def file(self, text, name, data_format):
        """Write a ligand file; returns its source and its path."""
        path = self.out / name
        data = text if isinstance(text, bytes) else text.encode()
        path.write_bytes(data)
        return {"kind": "artifact", "artifactId": "0", "format": data_format, "sha256": "d" * 64}, path
