"""What the negative charges of retained components do to the pKa of a histidine, which propka does not see.

A carboxylate, phosphate or sulfonate holds the proton of a histidine beside it. The terms are those by which propka
counts such a group of a chain: its Coulomb energy, less in water than inside, and a hydrogen bond. What the component
takes from the water around the histidine is not counted, so the sum is an estimate.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dockyard_science.contacts import BOND_TOLERANCE, bond_radius
from dockyard_science.hbonds import Vector, strength
from dockyard_structures.atoms import Atom, Residue

# propka 3.1: the energy in units of pKa and angstrom, the dielectric constants outside and inside, the two cutoffs.
_COULOMB = 244.12
_OUTSIDE, _INSIDE = 160.0, 30.0
_FULL_ANGSTROM, _REACH_ANGSTROM = 4.0, 10.0
# propka's largest effect of one hydrogen bond between a side chain and an acid.
_HYDROGEN_BOND = 0.85

# Oxygens without hydrogen that bind to nothing else, less the charge of such a group, by the element in its middle.
_NEUTRAL_OXYGENS = {"C": 1, "P": 1, "S": 2}
_MOST_CHARGE = 2


@dataclass(frozen=True)
class Anion:
    """A negative group: the places of its oxygens and its charge without the sign."""

    oxygens: tuple[tuple[float, float, float], ...]
    charge: int

    @property
    def centre(self) -> Vector:
        """The middle of its oxygens."""
        return np.asarray(np.mean(np.array(self.oxygens), axis=0))


def find_anions(retained: Sequence[Residue]) -> list[Anion]:
    """The negative groups of retained components with hydrogens."""
    found: list[Anion] = []
    for residue in retained:
        heavy = residue.heavy_atoms
        bare = [atom for atom in heavy if atom.element == "O" and _is_bare(atom, residue)]
        for middle in heavy:
            ends = [atom.position for atom in bare if _bonded(atom, middle)]
            charge = len(ends) - _NEUTRAL_OXYGENS.get(middle.element, len(ends))
            if charge > 0:
                found.append(Anion(tuple(ends), min(charge, _MOST_CHARGE)))
    return found


def pka_shift(
    nitrogens: Sequence[tuple[Vector, Vector]], centre: Vector, buried: float, anions: Sequence[Anion]
) -> float:
    """By how much anions raise the pKa of a histidine, each nitrogen with the direction of its hydrogen.

    `buried` is propka's share, from 0 in water to 1 inside.
    """
    dielectric = _OUTSIDE - (_OUTSIDE - _INSIDE) * buried
    shift = 0.0
    for anion in anions:
        distance = float(np.linalg.norm(anion.centre - centre))
        if distance >= _REACH_ANGSTROM:
            continue
        scale = min(1.0, (_REACH_ANGSTROM - distance) / (_REACH_ANGSTROM - _FULL_ANGSTROM))
        shift += anion.charge * scale * _COULOMB / (dielectric * max(distance, _FULL_ANGSTROM))
        shift += _HYDROGEN_BOND * max(
            strength(start, direction, place) for start, direction in nitrogens for place in anion.oxygens
        )
    return shift


def _is_bare(oxygen: Atom, residue: Residue) -> bool:
    """Whether an oxygen has one neighbour alone and no hydrogen."""
    bound = [each for each in residue.atoms if each is not oxygen and _bonded(oxygen, each)]
    return len(bound) == 1 and not bound[0].is_hydrogen


def _bonded(one: Atom, other: Atom) -> bool:
    reach = BOND_TOLERANCE * (bond_radius(one.element) + bond_radius(other.element))
    return math.dist(one.position, other.position) < reach
