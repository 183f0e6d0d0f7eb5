"""Docking with the Vina binding alone: what the service's poses and speed are compared with.

`dock` starts from prepared files and uses nothing of this project; `prepare` writes the ligand files it needs. With
`--prepare` the processes of `dock` write them, each ligand before its docking. Where a ring has several shapes they are
in `shapes/{name}`, and each is docked by itself: 00 as a ligand of one shape is, all others with a share of the
exhaustiveness, which is larger where 00 is a shape that no molecule takes (00-strained).
"""

import argparse
import json
import math
import os
import sys
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

_ENGINE: Any = None
_BUILT, _STRAINED = "00", "00-strained"


def main() -> int:
    """Run a subcommand; `dock` prints `{"seconds", "wallSeconds", "ligands"}`."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    prepare = commands.add_parser(
        "prepare", help="write {name}.pdbqt for each line of a SMILES file, or of one SDF"
    )
    prepare.add_argument("source", type=Path)
    prepare.add_argument("folder", type=Path)
    prepare.add_argument("--ph", type=float, default=7.4)
    prepare.set_defaults(run=_prepare)
    dock = commands.add_parser("dock", help="dock every {name}.pdbqt of a folder")
    dock.add_argument("--receptor", type=Path, required=True)
    dock.add_argument("--box", type=Path, required=True, help="box.json of a job")
    dock.add_argument("--ligands", type=Path, required=True)
    dock.add_argument("--prepare", type=Path, help="prepare the ligands of this file into the folder first")
    dock.add_argument("--out", type=Path, required=True)
    dock.add_argument("--seed", type=int, required=True)
    dock.add_argument("--exhaustiveness", type=int, default=8)
    dock.add_argument("--num-modes", type=int, default=9)
    dock.add_argument("--energy-range", type=float, default=3.0)
    dock.add_argument("--scoring", choices=("vina", "vinardo"), default="vina")
    dock.add_argument("--processes", type=int, default=1)
    dock.set_defaults(run=_dock)
    options = parser.parse_args()
    options.run(options)
    return 0


def _prepare(options: argparse.Namespace) -> None:
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, text in _ligands(options.source):
        _prepare_one(options.folder, name, options.source.suffix, text, options.ph)


def _ligands(source: Path) -> list[tuple[str, str]]:
    """Name and text of each ligand of a file: one a line of SMILES, else the whole file."""
    text = source.read_text(encoding="utf-8")
    if source.suffix != ".smi":
        return [(source.stem, text)]
    pairs = [line.split(maxsplit=1) for line in text.splitlines() if line.strip()]
    return [(name.strip(), smiles) for smiles, name in pairs]


def _prepare_one(folder: Path, name: str, suffix: str, text: str, ph: float) -> Path:
    from dockyard_science.ligand import prepare_ligand
    from dockyard_science.ligand_sources import RawLigand

    ligand = prepare_ligand(RawLigand("smiles" if suffix == ".smi" else suffix[1:], text), ph)
    target = folder / f"{name}.pdbqt"
    target.write_text(ligand.pdbqt, encoding="utf-8")
    shapes = ligand.shapes
    for number, pdbqt in enumerate([] if shapes is None else shapes.pdbqts):
        stem = f"{number + 1:02d}"
        if shapes.found.is_built_first and number == 0:
            stem = _BUILT if shapes.is_built_usual else _STRAINED
        file = folder / "shapes" / name / f"{stem}.pdbqt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(pdbqt, encoding="utf-8")
    return target


def _dock(options: argparse.Namespace) -> None:
    options.out.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    if options.prepare is None:
        jobs = [(options, file, None) for file in sorted(options.ligands.glob("*.pdbqt"))]
    else:
        options.ligands.mkdir(parents=True, exist_ok=True)
        jobs = [(options, Path(name), text) for name, text in _ligands(options.prepare)]
    with get_context("spawn").Pool(
        options.processes, initializer=_load, initargs=(options.prepare is not None,)
    ) as pool:
        # Every process has imported what it needs before the clock starts: a warm session has, too.
        pool.map(_ready, range(options.processes), chunksize=1)
        started = time.monotonic()
        list(pool.imap_unordered(_dock_one, jobs, chunksize=1))
        ended = time.monotonic()
    figures = {"seconds": ended - started, "wallSeconds": time.monotonic() - begun, "ligands": len(jobs)}
    json.dump(figures, sys.stdout)


def _load(prepares: bool) -> None:
    import vina  # noqa: F401

    if prepares:
        from dockyard_science.ligand import warm_up

        warm_up()


def _ready(_: int) -> None:
    time.sleep(0.2)


def _dock_one(job: tuple[argparse.Namespace, Path, str | None]) -> None:
    options, file, text = job
    if text is not None:
        file = _prepare_one(options.ligands, file.name, options.prepare.suffix, text, 7.4)
    shapes = sorted((options.ligands / "shapes" / file.stem).glob("*.pdbqt"))
    if not shapes:
        _search(options, file, options.exhaustiveness, options.out / file.name)
        return
    out = options.out / "shapes" / file.stem
    out.mkdir(parents=True, exist_ok=True)
    whole, count = options.exhaustiveness, len(shapes)
    each = [max(whole // 4, math.ceil(whole / count))] * count
    if shapes[0].stem in {_BUILT, _STRAINED}:
        most = whole // 4 if shapes[0].stem == _BUILT else whole
        each = [whole, *[max(1, min(most, whole // (count - 1)))] * (count - 1)]
    for shape, exhaustiveness in zip(shapes, each, strict=True):
        _search(options, shape, exhaustiveness, out / shape.name)


def _search(options: argparse.Namespace, file: Path, exhaustiveness: int, out: Path) -> None:
    engine = _engine(options)
    engine.set_ligand_from_file(str(file))
    engine.dock(exhaustiveness=exhaustiveness, n_poses=options.num_modes)
    poses = engine.poses(n_poses=options.num_modes, energy_range=options.energy_range)
    out.write_text(poses, encoding="utf-8")


def _engine(options: argparse.Namespace) -> Any:
    """One engine a process, its maps made with the first ligand."""
    global _ENGINE  # noqa: PLW0603 - what a pool's process keeps
    if _ENGINE is None:
        from vina import Vina

        box = json.loads(options.box.read_text(encoding="utf-8"))
        _ENGINE = Vina(sf_name=options.scoring, cpu=1, seed=options.seed, verbosity=0)
        _ENGINE.set_receptor(str(options.receptor))
        _ENGINE.compute_vina_maps(center=box["centerAngstrom"], box_size=box["sizeAngstrom"])
    return _ENGINE


if __name__ == "__main__":
    sys.exit(main())
