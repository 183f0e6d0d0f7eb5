"""The search box: from numbers, around a ligand of the file, or around residues.

A ligand or residues are looked for among the selected atoms before anything is removed. The centre is the
middle of the heavy atoms' extent; without a given size each side is the extent and a margin, within bounds.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import gemmi

from dockyard_science.residue_names import the_residue
from dockyard_science.spec import Box, BoxSpec, PocketLigand
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Residue

LIGAND_MARGIN_ANGSTROM = 12.0
RESIDUES_MARGIN_ANGSTROM = 8.0
SMALLEST_SIDE_ANGSTROM = 18.0
LARGEST_SIDE_ANGSTROM = 40.0

#: A box with fewer heavy atoms of the receptor stands beside the receptor.
FEWEST_HEAVY_ATOMS = 50

#: Beyond this volume the same exhaustiveness searches too thinly; Vina warns there as well.
LARGEST_VOLUME_ANGSTROM3 = 27_000.0

Point = Sequence[float]


def make_box(model: gemmi.Model, spec: BoxSpec) -> Box:
    """The box in angstrom, to three decimals, from the selected model.

    Raises POCKET_LIGAND_NOT_FOUND or POCKET_LIGAND_AMBIGUOUS.
    """
    size = spec["sizeAngstrom"]
    if spec["ligand"] is not None:
        ligand = find_ligand(model, spec["ligand"])
        return _around([ligand], size, LIGAND_MARGIN_ANGSTROM, _ligand_derivation(ligand))
    if spec["residues"] is not None:
        residues = [the_residue(model, each, "POCKET_LIGAND_NOT_FOUND") for each in spec["residues"]]
        derivation = {"kind": "residues", "residues": [residue.reference() for residue in residues]}
        return _around(residues, size, RESIDUES_MARGIN_ANGSTROM, derivation)
    if spec["centerAngstrom"] is None or size is None:
        raise ValueError("a box from numbers has a centre and a size")
    return {
        "centerAngstrom": [float(value) for value in spec["centerAngstrom"]],
        "sizeAngstrom": [float(value) for value in size],
        "derivation": {"kind": "explicit"},
    }


def find_ligand(model: gemmi.Model, wanted: PocketLigand) -> Residue:
    """The one copy of a component that chain and residue, where given, leave.

    Raises POCKET_LIGAND_NOT_FOUND or POCKET_LIGAND_AMBIGUOUS, which lists the copies.
    """
    return the_residue(model, wanted, "POCKET_LIGAND_NOT_FOUND", "POCKET_LIGAND_AMBIGUOUS", is_ligand=True)


def count_heavy_atoms(atoms: Iterable[Point], box: Box) -> int:
    """The number of points (x, y, z in angstrom) in a box, its faces included."""
    return sum(distance_to_box(atom, box) == 0 for atom in atoms)


def distance_to_box(point: Point, box: Box) -> float:
    """Distance of a point from a box in angstrom; 0 inside."""
    sides = zip(point, box["centerAngstrom"], box["sizeAngstrom"], strict=True)
    return math.hypot(*(max(0.0, abs(value - middle) - size / 2) for value, middle, size in sides))


def volume(box: Box) -> float:
    """Volume of a box in cubic angstrom."""
    return math.prod(box["sizeAngstrom"])


def check_box(box: Box, heavy_atoms: int) -> list[TaskWarning]:
    """Warn of a box that is too large to search well; raises BOX_EMPTY where hardly any receptor is in the box."""
    if heavy_atoms < FEWEST_HEAVY_ATOMS:
        message = (
            f"The box holds {heavy_atoms} heavy atoms of the receptor, at least {FEWEST_HEAVY_ATOMS} are needed: "
            f"centre {_numbers(box['centerAngstrom'])} Å, size {_numbers(box['sizeAngstrom'])} Å."
        )
        raise ScienceError("BOX_EMPTY", message)
    if volume(box) > LARGEST_VOLUME_ANGSTROM3:
        message = (
            f"The box has {volume(box):.0f} Å3; over {LARGEST_VOLUME_ANGSTROM3:.0f} Å3 a search finds less at the "
            "same exhaustiveness."
        )
        return [{"code": "BOX_LARGE", "message": message}]
    return []


def _around(
    residues: list[Residue], size: Sequence[float] | None, margin: float, derivation: dict[str, Any]
) -> Box:
    places = [atom.position for residue in residues for atom in residue.heavy_atoms]
    axes = list(zip(*places, strict=True))
    derived = [
        min(max(max(axis) - min(axis) + margin, SMALLEST_SIDE_ANGSTROM), LARGEST_SIDE_ANGSTROM)
        for axis in axes
    ]
    return {
        "centerAngstrom": [round((max(axis) + min(axis)) / 2, 3) for axis in axes],
        "sizeAngstrom": [round(float(side), 3) for side in (size or derived)],
        "derivation": derivation | {"marginAngstrom": margin, "isSizeGiven": size is not None},
    }


def _ligand_derivation(ligand: Residue) -> dict[str, Any]:
    reference = ligand.reference()
    return {"kind": "ligand", "ligand": reference, "heavyAtoms": len(ligand.heavy_atoms)}


def _numbers(values: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)
