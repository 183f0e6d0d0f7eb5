"""Bridges: a retained water with a hydrogen bond to the ligand and one to a residue of the receptor."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dockyard_science.interaction_sides import ReceptorSides, Side
from dockyard_science.interaction_types import HYDROGEN_BONDS
from dockyard_science.pocket_molecule import Pocket


@dataclass(frozen=True)
class Bridge:
    """Residue and atoms that a water joins, with its two distances, angstrom."""

    water: int
    residue: int
    receptor_atom: int
    ligand_atom: int
    to_ligand: float
    to_receptor: float


def bridges(ligand: Side, waters: Sequence[int], sides: ReceptorSides, pocket: Pocket) -> list[Bridge]:
    """All pairs of an atom of the ligand and one of the receptor that one of these waters joins."""
    found: list[Bridge] = []
    for water in waters:
        held = _bonds(ligand, sides.of(water))
        if not held:
            continue
        for residue in _around(water, sides, pocket):
            for (_, atom), to_receptor in _bonds(sides.of(water), sides.of(residue)).items():
                found += [
                    Bridge(water, residue, atom, ligand_atom, to_ligand, to_receptor)
                    for (ligand_atom, _), to_ligand in held.items()
                ]
    return found


def _bonds(first: Side, second: Side) -> dict[tuple[int, int], float]:
    """Hydrogen bonds in both directions: the heavy atoms of each, and their distance."""
    return {
        (found["indices"]["ligand"][0], found["indices"]["protein"][0]): float(found["distance"])
        for kind in HYDROGEN_BONDS
        for found in kind.detector.detect(first, second)
    }


def _around(water: int, sides: ReceptorSides, pocket: Pocket) -> list[int]:
    """The residues within a hydrogen bond of a water, other waters left out."""
    reach = HYDROGEN_BONDS[0].detector.distance
    oxygen = sides.xyz[int(np.flatnonzero(pocket.owners == water)[0])]
    atoms = np.flatnonzero(np.linalg.norm(sides.xyz - oxygen, axis=1) <= reach)
    near = sorted({int(owner) for owner in pocket.owners[atoms]})
    return [residue for residue in near if not pocket.residues[residue].is_water]
