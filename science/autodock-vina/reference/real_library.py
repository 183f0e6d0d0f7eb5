"""A library of real molecules for tests, and what the poses of an export are, read by RDKit alone.

The molecules are the first 5,000 of the open database of the NCI, which RDKit brings along: drugs, dyes, salts, metals
and reagents as chemists registered them, which nobody has cleaned. Written apart from the service's own preparation, so
that the one checks the other. Prints JSON.
"""

import argparse
import csv
import json
import sys
from pathlib import Path
from typing import Any

from rdkit import Chem, RDConfig

MOLECULES = Path(RDConfig.RDDataDir) / "NCI" / "first_5K.smi"


def main() -> int:
    """Run a subcommand."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    library = commands.add_parser(
        "library", help="write a table of so many molecules, spread over the whole list"
    )
    library.add_argument("count", type=int)
    library.add_argument("file", type=Path)
    library.set_defaults(run=_library)
    poses = commands.add_parser("poses", help="what each record of an exported SDF is")
    poses.add_argument("file", type=Path)
    poses.set_defaults(run=_poses)
    options = parser.parse_args()
    json.dump(options.run(options), sys.stdout)
    return 0


def _library(options: argparse.Namespace) -> int:
    lines = [line.split() for line in MOLECULES.read_text(encoding="utf-8").splitlines() if line.strip()]
    chosen = [lines[at * len(lines) // options.count] for at in range(options.count)]
    with options.file.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["name", "smiles", "nsc"])
        table.writerows([f"NSC-{number}", smiles, number] for smiles, number in chosen)
    return len(chosen)


def _poses(options: argparse.Namespace) -> list[dict[str, Any]]:
    return [_pose(pose) for pose in Chem.SDMolSupplier(str(options.file), removeHs=False)]


def _pose(pose: Chem.Mol) -> dict[str, Any]:
    """What a pose is by its coordinates, beside what was docked by the property that says it."""
    Chem.AssignStereochemistryFrom3D(pose)
    heavy = Chem.RemoveHs(pose)
    docked = Chem.MolFromSmiles(pose.GetProp("smiles_docked"))
    return {
        "id": pose.GetProp("_Name"),
        "charge": Chem.GetFormalCharge(pose),
        # RDKit keeps the hydrogen of an imine, which says on which side of the double bond the hydrogen is.
        "heavyAtoms": pose.GetNumHeavyAtoms(),
        # Every centre and double bond that the SMILES defines has to be as it says; what it leaves open may be either.
        "isDocked": pose.GetNumHeavyAtoms() == docked.GetNumHeavyAtoms()
        and heavy.HasSubstructMatch(docked, useChirality=True),
        "isWhole": _is_whole(pose),
    }


def _is_whole(pose: Chem.Mol) -> bool:
    """Whether the record has all hydrogens of its molecule, each with a place of its own."""
    places = {tuple(round(value, 2) for value in place) for place in pose.GetConformer().GetPositions()}
    implicit = sum(atom.GetNumImplicitHs() for atom in pose.GetAtoms())
    return implicit == 0 and len(places) == pose.GetNumAtoms()


if __name__ == "__main__":
    sys.exit(main())
