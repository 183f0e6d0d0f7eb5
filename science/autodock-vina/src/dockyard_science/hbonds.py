"""Which atoms of a receptor can give or take a hydrogen bond, and how good one would be by its shape.

Only nitrogen and oxygen count. An oxygen takes; with hydrogens, or of water, it gives as well, wherever it turns them.
A nitrogen with hydrogens gives along them, one with a lone pair takes. The strength of a bond is 1 where it is short
and straight and 0 beyond its bounds: a measure to compare places by, not an energy.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dockyard_science.contacts import BOND_TOLERANCE, bond_radius, is_metal
from dockyard_structures.atoms import Atom, Residue
from dockyard_structures.residues import AMINO_ACIDS, is_water

Vector = NDArray[np.float64]

#: Between heavy atoms of a hydrogen bond; up to the first distance it counts in full.
FULL_ANGSTROM = 3.0
REACH_ANGSTROM = 3.6

# A donor with fixed hydrogens gives a hydrogen bond to an atom that is this near to one of its hydrogens.
_POINTING_ANGSTROM = 2.7
# The angle between the direction of a hydrogen or lone pair and the partner: full up to 30 degrees, nothing at 60.
_FULL_COSINE = math.cos(math.radians(30))
_LEAST_COSINE = math.cos(math.radians(60))


@dataclass(frozen=True)
class Partner:
    """An atom that gives or takes a hydrogen; `hydrogens` are places of those that it cannot turn."""

    owner: Residue
    atom: Atom
    gives: bool
    takes: bool
    hydrogens: tuple[tuple[float, float, float], ...] = ()

    def gives_to(self, place: Vector) -> bool:
        """Whether the partner can give a hydrogen to an atom at a place."""
        near = (math.dist(each, place) < _POINTING_ANGSTROM for each in self.hydrogens)
        return self.gives and (not self.hydrogens or any(near))


def find_partners(residues: Iterable[Residue]) -> list[Partner]:
    """Every atom of residues with hydrogens that can be in a hydrogen bond, in their order."""
    found: list[Partner] = []
    for residue in residues:
        held = _hydrogens(residue)
        for atom in residue.heavy_atoms:
            own = tuple(each.position for each in held.get(atom.name, []))
            if atom.element == "O":
                gives = bool(own) or is_water(residue.name)
                found.append(Partner(residue, atom, gives=gives, takes=True))
            elif atom.element == "N" and own:
                turns = len(own) == 3
                takes = residue.name == "LYS" and atom.name == "NZ" and not turns
                found.append(Partner(residue, atom, gives=True, takes=takes, hydrogens=() if turns else own))
            elif atom.element == "N" and _has_lone_pair(residue, atom):
                found.append(Partner(residue, atom, gives=False, takes=True))
    return found


def near(partners: Sequence[Partner], place: Vector, angstrom: float = REACH_ANGSTROM) -> list[Partner]:
    """The partners within a distance of a place."""
    return [each for each in partners if math.dist(each.atom.position, place) <= angstrom]


def strength(start: Vector, direction: Vector, place: Sequence[float]) -> float:
    """How well an atom at `start` with a hydrogen or lone pair along `direction` meets an atom at `place`, 0 to 1."""
    path = np.asarray(place, dtype=np.float64) - start
    distance = float(np.linalg.norm(path))
    if not 0 < distance < REACH_ANGSTROM:
        return 0.0
    cosine = float(path @ direction) / distance
    reach = (REACH_ANGSTROM - distance) / (REACH_ANGSTROM - FULL_ANGSTROM)
    straight = (cosine - _LEAST_COSINE) / (_FULL_COSINE - _LEAST_COSINE)
    return min(1.0, reach) * min(1.0, max(0.0, straight))


def metal_places(residues: Iterable[Residue]) -> list[Vector]:
    """The places of the metals."""
    return [
        np.array(atom.position)
        for residue in residues
        if residue.hetero
        for atom in residue.heavy_atoms
        if is_metal(atom.element)
    ]


def _hydrogens(residue: Residue) -> dict[str, list[Atom]]:
    """The hydrogens of each heavy atom by its name."""
    heavy = residue.heavy_atoms
    held: dict[str, list[Atom]] = {}
    for atom in residue.atoms:
        if atom.is_hydrogen and heavy:
            holder = min(heavy, key=lambda each: math.dist(each.position, atom.position))
            held.setdefault(holder.name, []).append(atom)
    return held


def _has_lone_pair(residue: Residue, atom: Atom) -> bool:
    """Whether a nitrogen without hydrogens can take one: two bonds at most, and no amide of a chain."""
    if residue.name in AMINO_ACIDS:
        return residue.name == "HIS" and atom.name != "N"
    bound = [
        each
        for each in residue.heavy_atoms
        if each is not atom
        and not is_metal(each.element)
        and math.dist(each.position, atom.position)
        < BOND_TOLERANCE * (bond_radius(each.element) + bond_radius(atom.element))
    ]
    return len(bound) <= 2
