"""The ring of a histidine: where its atoms are, where they are when it is turned by half, and where they point."""

import math
from collections.abc import Mapping

import numpy as np

from dockyard_science.hbonds import Vector
from dockyard_structures.atoms import Atom, Residue

RING = ("CG", "ND1", "CD2", "CE1", "NE2")
#: Of each atom that moves when the ring is turned its neighbours in the ring.
RING_NEIGHBOURS = {
    "ND1": ("CG", "CE1"),
    "NE2": ("CE1", "CD2"),
    "CE1": ("ND1", "NE2"),
    "CD2": ("CG", "NE2"),
}

# A ring that is turned by half has its atoms this far from their places; one that is not has them nearer.
_TURNED_ANGSTROM = 1.0


def is_turned_from(residue: Residue, before: Residue | None) -> bool:
    """Whether the ring of a histidine stands turned by half from where it stood."""
    now, then = residue.atom("ND1"), before.atom("ND1") if before else None
    return now is not None and then is not None and math.dist(now.position, then.position) > _TURNED_ANGSTROM


def ring_centre(residue: Residue) -> list[float]:
    """The middle of a histidine's ring, in angstrom."""
    ring = np.array([atom.position for atom in residue.atoms if atom.name in RING])
    return [round(float(value), 3) for value in ring.mean(axis=0)]


def outward(places: Mapping[str, Vector], name: str) -> Vector:
    """The direction of the hydrogen or lone pair of a ring atom: away from its two neighbours in the ring."""
    centre = places[name]
    vectors = [centre - places[each] for each in RING_NEIGHBOURS[name]]
    away = sum((each / np.linalg.norm(each) for each in vectors), np.zeros(3))
    return np.asarray(away / np.linalg.norm(away))


def nitrogens_of(residue: Residue, *, is_turned: bool) -> list[tuple[Vector, Vector]]:
    """The places of a histidine's ring nitrogens, each with the direction of its hydrogen or lone pair."""
    places = ring_places(residue, is_turned=is_turned)
    return [(places[name], outward(places, name)) for name in ("ND1", "NE2")]


def ring_places(residue: Residue, *, is_turned: bool) -> dict[str, Vector]:
    """The places of the ring's atoms, as the ring stands or turned by half."""
    atoms = standing(residue, is_turned=is_turned).atoms
    return {atom.name: np.array(atom.position) for atom in atoms if atom.name in RING}


def standing(residue: Residue, *, is_turned: bool) -> Residue:
    """The heavy atoms of a histidine, its ring turned by half about its bond to CB where that is asked for."""
    pivot, base = residue.atom("CG"), residue.atom("CB")
    if not is_turned or pivot is None or base is None:
        return residue.with_atoms(residue.heavy_atoms)
    origin = np.array(pivot.position)
    axis = origin - np.array(base.position)
    axis /= np.linalg.norm(axis)
    return residue.with_atoms(
        _turned(atom, origin, axis) if atom.name in RING_NEIGHBOURS else atom for atom in residue.heavy_atoms
    )


def _turned(atom: Atom, origin: Vector, axis: Vector) -> Atom:
    path = np.array(atom.position) - origin
    x, y, z = origin + 2 * float(path @ axis) * axis - path
    return Atom(atom.name, atom.element, (round(float(x), 3), round(float(y), 3), round(float(z), 3)))
