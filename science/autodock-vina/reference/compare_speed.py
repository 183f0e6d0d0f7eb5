"""What the preparation of ligands and the shapes of a ring cost, next to the least that would do, in turns.

`preparation` compares with RDKit and Meeko alone, which neither check, desalt, protonate nor choose an isomer; `ring`
compares a ligand in all its shapes with the same ligand in the one that it is built in; `interactions` compares the
docking of each line of a SMILES file with and without the interactions of the poses. All print JSON, in seconds of one
processor, because all of it runs in one thread.
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
    ring.set_defaults(run=_ring)
    interactions = commands.add_parser("interactions", help="of the poses of each line of a SMILES file")
    interactions.add_argument("source", type=Path)
    interactions.add_argument("--most", type=int, help="only so many lines")
    for each in (ring, interactions):
        each.add_argument("--receptor", type=Path, required=True)
        each.add_argument("--box", type=Path, required=True, help="box.json of a job")
        each.add_argument("--exhaustiveness", type=int, default=8)
        each.add_argument("--seed", type=int, default=42)
    interactions.set_defaults(run=_interactions)
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
    from dockyard_science.ligand import prepare_ligand
    from dockyard_science.ligand_sources import RawLigand

    engine = _engine(options)
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
        shaped = engine.dock_shapes(ligand.shapes)
        figures["rigidSeconds"].append(between - begin)
        figures["seconds"].append(time.process_time() - between)
        figures["preparation"].append(prepared - between)
        figures |= {"shapes": len(ligand.shapes.pdbqts), "torsions": ligand.torsions}
        figures |= {"affinity": shaped.poses[0].affinity, "rigidAffinity": rigid.poses[0].affinity}
    return figures


def _interactions(options: argparse.Namespace) -> dict[str, Any]:
    """A docking with its engine and its checks, to which the interactions and their reading of the receptor come."""
    from dockyard_science.interactions import interaction_records, open_finder
    from dockyard_science.ligand import prepare_ligand, warm_up
    from dockyard_science.ligand_sources import RawLigand

    lines = options.source.read_text(encoding="utf-8").splitlines()
    library = [line.split()[0] for line in lines if line.strip()][: options.most]
    figures: dict[str, Any] = {"seconds": [], "plainSeconds": [], "poses": 0, "interactions": 0}
    warm_up()
    for _ in range(options.rounds):
        spent = 0.0
        begin = time.process_time()
        with patch("dockyard_science.docking.open_finder", lambda *_: None):
            engine = _engine(options)
        between = time.process_time()
        finder = open_finder(options.receptor.read_text(encoding="utf-8"), engine.box, None)
        spent += time.process_time() - between
        for smiles in library:
            ligand = prepare_ligand(RawLigand("smiles", smiles), 7.4)
            shapes = ligand.shapes
            docked = engine.dock(ligand.pdbqt) if shapes is None else engine.dock_shapes(shapes)
            engine.checker.check(docked.mol)
            between = time.process_time()
            found = interaction_records(finder, docked.mol, ())
            spent += time.process_time() - between
            figures["poses"] += len(found)
            figures["interactions"] += sum(len(each or ()) for each in found)
        whole = time.process_time() - begin
        figures["seconds"].append(whole)
        figures["plainSeconds"].append(whole - spent)
    return figures


def _engine(options: argparse.Namespace) -> Any:
    from dockyard_science.docking import DockingEngine

    spec: Any = {
        "seed": options.seed,
        "exhaustiveness": options.exhaustiveness,
        "numModes": 9,
        "energyRangeKcalMol": 3.0,
    }
    return DockingEngine(spec, options.receptor, json.loads(options.box.read_text(encoding="utf-8")))


if __name__ == "__main__":
    sys.exit(main())
