"""Compares poses: symmetry-aware RMSD to a deposited ligand, and coordinates of PDBQT files model by model.

Written apart from the service's own validation, so that the one checks the other. Prints JSON.
"""

import argparse
import json
import math
import sys
from itertools import zip_longest
from pathlib import Path

from rdkit import Chem
from rdkit.Chem import rdMolAlign


def main() -> int:
    """Run a subcommand."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    rmsd = commands.add_parser(
        "rmsd", help="RMSD in angstrom of every pose of an SDF to the molecule of another"
    )
    rmsd.add_argument("poses", type=Path)
    rmsd.add_argument("native", type=Path)
    rmsd.set_defaults(run=_rmsd)
    models = commands.add_parser("models", help="the largest difference of coordinates in angstrom, by model")
    models.add_argument("left", type=Path)
    models.add_argument("right", type=Path)
    models.set_defaults(run=_models)
    merged = commands.add_parser(
        "merged",
        help="the same of one file that several were merged into: of its first model to their best one, then of each "
        "model to the nearest of theirs",
    )
    merged.add_argument("left", type=Path)
    merged.add_argument("right", type=Path, nargs="+")
    merged.set_defaults(run=_merged)
    options = parser.parse_args()
    json.dump(options.run(options), sys.stdout)
    return 0


def _rmsd(options: argparse.Namespace) -> list[float]:
    native = _skeleton(next(iter(Chem.SDMolSupplier(str(options.native), sanitize=False, removeHs=False))))
    poses = Chem.SDMolSupplier(str(options.poses), sanitize=False, removeHs=False)
    return [round(rdMolAlign.CalcRMS(_skeleton(pose), native), 4) for pose in poses]


def _skeleton(mol: Chem.Mol) -> Chem.Mol:
    """Heavy atoms and which are bonded: protonation and resonance do not matter to where they lie."""
    bare = Chem.RWMol()
    index = {}
    heavy = [atom for atom in mol.GetAtoms() if atom.GetAtomicNum() > 1]
    for atom in heavy:
        fresh = Chem.Atom(atom.GetAtomicNum())
        fresh.SetNoImplicit(True)
        index[atom.GetIdx()] = bare.AddAtom(fresh)
    for bond in mol.GetBonds():
        ends = (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
        if all(end in index for end in ends):
            bare.AddBond(index[ends[0]], index[ends[1]], Chem.BondType.SINGLE)
    conformer = Chem.Conformer(len(heavy))
    for atom in heavy:
        conformer.SetAtomPosition(index[atom.GetIdx()], mol.GetConformer().GetAtomPosition(atom.GetIdx()))
    bare.AddConformer(conformer)
    skeleton = bare.GetMol()
    skeleton.UpdatePropertyCache(strict=False)
    return skeleton


def _models(options: argparse.Namespace) -> list[float | None]:
    """Null where only one file has a model or the atoms are not the same."""
    pairs = zip_longest(_coordinates(options.left), _coordinates(options.right))
    return [_difference(left, right) for left, right in pairs]


def _merged(options: argparse.Namespace) -> list[float | None]:
    left = _coordinates(options.left)
    right = [model for file in options.right for model in zip(_scores(file), _coordinates(file), strict=True)]
    best = min(right, key=lambda model: model[0])[1]
    return [
        _difference(left[0], best),
        *(min((_difference(one, other) for _, other in right), key=_or_infinite) for one in left),
    ]


def _or_infinite(difference: float | None) -> float:
    return math.inf if difference is None else difference


def _scores(path: Path) -> list[float]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [float(line.split()[3]) for line in lines if line.startswith("REMARK VINA RESULT:")]


def _difference(left: list[float] | None, right: list[float] | None) -> float | None:
    if left is None or right is None or len(left) != len(right):
        return None
    return max((abs(a - b) for a, b in zip(left, right, strict=True)), default=0.0)


def _coordinates(path: Path) -> list[list[float]]:
    found: list[list[float]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("MODEL"):
            found.append([])
        elif line.startswith(("ATOM", "HETATM")):
            found[-1].extend(float(line[start : start + 8]) for start in (30, 38, 46))
    return found


if __name__ == "__main__":
    sys.exit(main())
