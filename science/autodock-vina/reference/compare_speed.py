"""What the preparation of ligands and the shapes of a ring cost, next to the least that would do, in turns.

`preparation` compares with RDKit and Meeko alone, which neither check, desalt, protonate nor choose an isomer; `ring`
compares a ligand in all its shapes with the same ligand in the one that it is built in. Both print JSON, in seconds of
one processor, because all of it runs in one thread.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")


def main() -> int:
    """Run a subcommand; what Vina prints goes to standard error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    commands = parser.add_subparsers(required=True)
    preparation = commands.add_parser("preparation", help="of each line of a SMILES file")
    preparation.add_argument("source", type=Path)
    preparation.set_defaults(run=_preparation)
    ring = commands.add_parser("ring", help="preparation and docking of one ligand")
    ring.add_argument("smiles")
    ring.add_argument("--receptor", type=Path, required=True)
    ring.add_argument("--box", type=Path, required=True, help="box.json of a job")
    ring.add_argument("--exhaustiveness", type=int, default=8)
    ring.add_argument("--seed", type=int, default=42)
    ring.set_defaults(run=_ring)
    options = parser.parse_args()
    answer = os.dup(1)
    os.dup2(2, 1)
    figures = options.run(options)
    os.write(answer, json.dumps(figures).encode())
    return 0


def _seconds(work: Callable[[], Any]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def _preparation(options: argparse.Namespace) -> dict[str, list[float]]:
    from dockyard_science.ligand import prepare_ligand, warm_up
    from dockyard_science.ligand_sources import RawLigand

    lines = options.source.read_text(encoding="utf-8").splitlines()
    library = [line.split()[0] for line in lines if line.strip()]
    warm_up()
    _bare("CCO")
    ours, bare = [], []
    for _ in range(options.rounds):
        bare.append(_seconds(lambda: [_bare(smiles) for smiles in library]))
        ours.append(
            _seconds(lambda: [prepare_ligand(RawLigand("smiles", smiles), 7.4) for smiles in library])
        )
    return {"seconds": ours, "bareSeconds": bare}


def _bare(smiles: str) -> str:
    from meeko import MoleculePreparation, PDBQTWriterLegacy
    from rdkit import Chem
    from rdkit.Chem import rdDistGeom, rdForceFieldHelpers

    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    parameters: Any = rdDistGeom.ETKDGv3()
    parameters.randomSeed = 1
    rdDistGeom.EmbedMolecule(mol, parameters)
    rdForceFieldHelpers.MMFFOptimizeMolecule(mol, mmffVariant="MMFF94", maxIters=2000)
    setups = MoleculePreparation(rigid_macrocycles=True).prepare(mol)
    return str(PDBQTWriterLegacy.write_string(setups[0])[0])


def _ring(options: argparse.Namespace) -> dict[str, Any]:
    from dockyard_science.docking import DockingEngine
    from dockyard_science.ligand import prepare_ligand
    from dockyard_science.ligand_sources import RawLigand

    box = json.loads(options.box.read_text(encoding="utf-8"))
    spec: Any = {
        "seed": options.seed,
        "exhaustiveness": options.exhaustiveness,
        "numModes": 9,
        "energyRangeKcalMol": 3.0,
    }
    engine = DockingEngine(spec, options.receptor, box)
    raw = RawLigand("smiles", options.smiles)
    figures: dict[str, Any] = {name: [] for name in ("preparation", "seconds", "rigidSeconds")}
    for _ in range(options.rounds):
        begin = time.process_time()
        with patch("dockyard_science.ligand.ring_shapes", lambda *_: None):
            rigid = engine.dock(prepare_ligand(raw, 7.4).pdbqt)
        between = time.process_time()
        ligand = prepare_ligand(raw, 7.4)
        prepared = time.process_time()
        if ligand.shapes is None:
            raise SystemExit("The ligand has no ring with shapes of its own.")
        shaped = engine.dock_shapes(ligand.shapes.pdbqts)
        figures["rigidSeconds"].append(between - begin)
        figures["seconds"].append(time.process_time() - between)
        figures["preparation"].append(prepared - between)
        figures |= {"shapes": len(ligand.shapes.pdbqts), "torsions": ligand.torsions}
        figures |= {"affinity": shaped.poses[0].affinity, "rigidAffinity": rigid.poses[0].affinity}
    return figures


if __name__ == "__main__":
    sys.exit(main())
