"""Looks for the shapes of one ring system of 5 to 9 atoms a ring that stands alone.

A ring of 5 atoms that no other ring holds goes round through its puckers, and a receptor may hold it in any of them: it
has four, a quarter of the round apart. In the crystals of the Chemical Component Dictionary the rarest of ten puckers
is rarer by no more than 0.4 (615 cyclopentanes) to 1.9 kcal/mol (785 acylated pyrrolidines) of -RT ln p, by 1.7 for
2,460 nucleosides and 1.0 for 2,987 tetrahydrofurans; MMFF94 has up to 7, so it does not decide. All other rings have
their minima in MMFF94. Charges act as in water, because in a vacuum a pair of them bends every ring.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdForceFieldHelpers, rdMolTransforms

from dockyard_science.conformer import EMBED_SEED, embed_more, field_of, properties_in_water
from dockyard_science.ring_systems import Places, branch, near_atoms, saturated_atoms
from dockyard_science.shape_distance import Part, distinct_shapes, shape_distance, symmetries
from dockyard_science.stereo import stereo_agrees

#: Shapes up to this energy above the lowest of their ring system, or of their molecule, are docked; kcal/mol.
WINDOW_KCAL_MOL = 3.0

#: Shapes of one ring system that are docked, at most.
MOST_OF_A_RING = 4

#: Shapes of such rings closer to each other than this are one; less than for large rings, which have fewer stiff atoms
#: beside the one that moves.
SMALL_SHAPE_RMSD_ANGSTROM = 0.3

# Energies that differ by less are equal: mirror images of a ring, but for the last digits.
ENERGY_DIGITS = 3

# Conformers of a ring system that are embedded, so many at a time; none more after a batch without a new shape.
_CONFORMERS, _BATCH = 32, 8
# A single ring up to this size has its inverse beside each minimum, and more conformers of it bring nothing.
_INVERTED_ATOMS, _BATCH_OF_INVERTED = 6, 8
# So many rings that are fused to each other, and all come out of the first batch in one shape, are stiff.
_HOLDING_RINGS, _BATCH_OF_HOLDING = 3, 4
_TWO_GROUPS = 2

_STEPS = 500

_FIVE, _LEAST_SATURATED = 5, 4
# How deep the same rings of the dictionary are, by the median: 36 to 39 degrees.
_PUCKER_DEGREES, _PUCKER_SLACK_DEGREES = 38.0, 3.0
_PUCKER_RMSD_ANGSTROM = 0.1
_PUCKER_KCAL_MOL = 1.9
_QUARTERS = (90.0, 180.0, 270.0)
# By so much each torsion of a ring of 5 atoms is behind the one before it.
_FIVE_STEP_DEGREES = 144

# Ring systems that are remembered by a process.
_REMEMBERED = 1000

# Four atoms and what their torsion is, or the least and the most that it may be; degrees.
_Torsion = tuple[tuple[int, ...], float]
_Held = tuple[tuple[int, ...], float, float]


@dataclass(frozen=True)
class Sampled:
    """The shapes of a ring system that stands alone: hydrogens, a conformer a shape, energies above the lowest.

    `lowest` is what MMFF94 gives that one, and no shape has more than `most` above it; kcal/mol.
    """

    mol: Chem.Mol
    energies: list[float]
    made: int
    lowest: float
    most: float

    @property
    def goes_round(self) -> bool:
        """Whether it is one ring of 5 atoms, of whose puckers MMFF94 knows the order only."""
        return self.most < math.inf


@functools.lru_cache(maxsize=_REMEMBERED)
def sample(smiles: str, stiff_rows: tuple[int, ...]) -> Sampled | None:
    """Look for the shapes of a ring system; None where no force field knows it or none can be built."""
    plain = Chem.AddHs(Chem.MolFromSmiles(smiles))
    if not rdForceFieldHelpers.MMFFHasAllMoleculeParams(plain):
        return None
    bending = [ring for ring in plain.GetRingInfo().AtomRings() if not _is_aromatic(plain, ring)]
    pool = _Pool(plain, list(stiff_rows))
    is_going_round = _goes_round(plain, bending)
    chosen = pool.go_round(bending[0]) if is_going_round else pool.look(bending)
    if not chosen:
        return None
    kept = Chem.Mol(plain)
    for number in chosen:
        kept.AddConformer(pool.mol.GetConformer(number), assignId=True)
    lowest = pool.energies[chosen[0]]
    above = [round(pool.energies[number] - lowest, ENERGY_DIGITS) + 0.0 for number in chosen]
    return Sampled(kept, above, pool.made, lowest, _PUCKER_KCAL_MOL if is_going_round else math.inf)


def energy_above(sampled: Sampled, smiles: str, places: Chem.Conformer) -> float:
    """The energy of a ring system whose heavy atoms are elsewhere, relaxed from there, above its lowest shape."""
    heavy = Chem.MolFromSmiles(smiles)
    conformer = Chem.Conformer(heavy.GetNumAtoms())
    for atom in range(heavy.GetNumAtoms()):
        conformer.SetAtomPosition(atom, places.GetAtomPosition(atom))
    heavy.AddConformer(conformer)
    mol = Chem.AddHs(heavy, addCoords=True)
    field = field_of(mol, properties_in_water(mol))
    field.Minimize(maxIts=_STEPS)
    return round(min(max(float(field.CalcEnergy()) - sampled.lowest, 0.0), sampled.most), ENERGY_DIGITS)


def _is_aromatic(mol: Chem.Mol, ring: tuple[int, ...]) -> bool:
    return all(mol.GetAtomWithIdx(atom).GetIsAromatic() for atom in ring)


def _goes_round(mol: Chem.Mol, bending: list[tuple[int, ...]]) -> bool:
    """Whether the one ring that bends has 5 atoms, of which one at most is flat, and no bond with another ring."""
    ring = bending[0] if len(bending) == 1 else ()
    return (
        len(ring) == _FIVE
        and saturated_atoms(mol, ring) >= _LEAST_SATURATED
        and all(mol.GetRingInfo().NumAtomRings(atom) == 1 for atom in ring)
    )


class _Pool:
    """The conformers of a ring system that were relaxed by MMFF94, with their energies in kcal/mol."""

    def __init__(self, plain: Chem.Mol, stiff_rows: list[int]) -> None:
        self.mol = Chem.Mol(plain)
        self.energies: list[float] = []
        self.made = 0
        self._plain = plain
        # As they were embedded: what is close before the force field is closer after it.
        self._embedded = Chem.Mol(plain)
        self._parts: list[Part] = [(stiff_rows, symmetries(plain, stiff_rows))]
        self._properties = properties_in_water(plain)
        # What is nowhere handed has the mirror image of each shape, which need not be looked for.
        self._has_mirror = not Chem.FindMolChiralCenters(plain, useLegacyImplementation=False)

    def look(self, bending: list[tuple[int, ...]]) -> list[int]:
        """Embed and relax until nothing new comes; the different shapes within the window, lowest first."""
        single = bending[0] if len(bending) == 1 else ()
        is_inverted = 0 < len(single) <= _INVERTED_ATOMS
        is_holding = len(bending) >= _HOLDING_RINGS
        size = _BATCH_OF_INVERTED if is_inverted else _BATCH_OF_HOLDING if is_holding else _BATCH
        order: list[int] = []
        for start in range(0, _CONFORMERS, size):
            self._embed(size, start)
            before, order = order, self._lowest()
            for number in order if single else ():
                if number not in before:
                    self._invert(number, single)
            order = self._lowest()
            if len(order) == len(before) or (is_holding and len(order) == 1) or is_inverted:
                break
        return order[:MOST_OF_A_RING]

    def go_round(self, ring: tuple[int, ...]) -> list[int]:
        """The minimum of a ring of 5 atoms, and the puckers a quarter, a half and three quarters of the round on."""
        for start in range(_CONFORMERS):
            self._embed(1, start)
            if self.energies:
                break
        else:
            return []
        phase = _phase([angle for _, angle in self._torsions(0, ring)])
        chosen = [0]
        for turn in _QUARTERS:
            count = len(self.energies)
            self._hold(chosen[-1], _puckered(ring, phase + turn))
            if len(self.energies) > count and self._gap(count, chosen) >= _PUCKER_RMSD_ANGSTROM:
                chosen.append(count)
        ceiling = min(self.energies[number] for number in chosen) + _PUCKER_KCAL_MOL
        self.energies = [min(energy, ceiling) for energy in self.energies]
        return sorted(chosen, key=self._by_energy)

    def _embed(self, count: int, start: int) -> None:
        """Embed some conformers, and relax those of them that are no double of an earlier one."""
        batch = embed_more(self._plain, count, EMBED_SEED + start, is_random=False)
        self.made += batch.GetNumConformers()
        first = self._embedded.GetNumConformers()
        for conformer in batch.GetConformers():
            for each in _with_mirror(conformer) if self._has_mirror else [conformer]:
                self._embedded.AddConformer(each, assignId=True)
        last = self._embedded.GetNumConformers()
        step = 2 if self._has_mirror else 1
        distinct = distinct_shapes(self._embedded, range(last), self._parts, SMALL_SHAPE_RMSD_ANGSTROM)
        for number in sorted(set(distinct).intersection(range(first, last, step))):
            one = Chem.Mol(self._embedded, confId=number)
            self._relax(one)
            self._add(one, number)

    def _invert(self, number: int, ring: tuple[int, ...]) -> None:
        """Add the inverse of a ring's shape: axial groups become equatorial, and nitrogens go along.

        It is the mirror image with the two groups of each ring atom exchanged and each group as it was, which gives
        back what is handed.
        """
        one = Chem.Mol(self.mol, confId=number)
        places = np.asarray(one.GetConformer(number).GetPositions()) * [-1, 1, 1]
        for atom in ring:
            beside = [near for near in near_atoms(one, atom) if near not in ring]
            groups = {near: branch(one, near, atom) for near in beside}
            # What leads back into the ring is flat, as an aromatic ring that is fused to it.
            free = [near for near in beside if not set(ring).intersection(groups[near])]
            if len(free) == _TWO_GROUPS:
                between = _unit(places[free[0]] - places[atom]) + _unit(places[free[1]] - places[atom])
                _turn(places, atom, [*groups[free[0]], *groups[free[1]]], between, is_half_circle=True)
            for near in free:
                across = np.cross(places[near] - places[atom], places[ring[0]] - places[ring[2]])
                _turn(places, atom, groups[near], across, is_half_circle=False)
        one.GetConformer(number).SetPositions(places)
        self._relax(one)
        self._add(one, number)

    def _hold(self, number: int, torsions: list[_Held]) -> None:
        """Add a conformer with other torsions."""
        one = Chem.Mol(self.mol, confId=number)
        self.made += 1
        self._relax(one, torsions)
        self._add(one, number)

    def _relax(self, one: Chem.Mol, torsions: Sequence[_Held] = ()) -> None:
        field = field_of(one, self._properties)
        for atoms, least, most in torsions:
            field.MMFFAddTorsionConstraint(*atoms, False, least, most, 100.0)
        field.Minimize(maxIts=_STEPS)

    def _add(self, one: Chem.Mol, number: int) -> None:
        """Keep a conformer, and its mirror image where there is one, unless its stereo is wrong."""
        energy = float(field_of(one, self._properties).CalcEnergy())
        if not np.isfinite(energy) or not stereo_agrees(one, number):
            return
        conformer = one.GetConformer(number)
        for each in _with_mirror(conformer) if self._has_mirror else [conformer]:
            self.mol.AddConformer(each, assignId=True)
            self.energies.append(energy)

    def _torsions(self, number: int, ring: tuple[int, ...]) -> list[_Torsion]:
        turned = [tuple(ring[(start + step) % len(ring)] for step in range(4)) for start in range(len(ring))]
        conformer = self.mol.GetConformer(number)
        return [(atoms, rdMolTransforms.GetDihedralDeg(conformer, *atoms)) for atoms in turned]

    def _gap(self, number: int, others: list[int]) -> float:
        return min(shape_distance(self.mol, number, other, parts=self._parts) for other in others)

    def _lowest(self) -> list[int]:
        """The different shapes within the window, lowest first."""
        by_energy = sorted(range(len(self.energies)), key=self._by_energy)
        within = [
            number
            for number in by_energy
            if self.energies[number] - self.energies[by_energy[0]] <= WINDOW_KCAL_MOL
        ]
        return distinct_shapes(self.mol, within, self._parts, SMALL_SHAPE_RMSD_ANGSTROM)

    def _by_energy(self, number: int) -> tuple[float, int]:
        return round(self.energies[number], ENERGY_DIGITS), number


def _with_mirror(conformer: Chem.Conformer) -> list[Chem.Conformer]:
    mirror = Chem.Conformer(conformer)
    mirror.SetPositions(np.asarray(conformer.GetPositions()) * [-1, 1, 1])
    return [conformer, mirror]


def _unit(vector: Places) -> Places:
    unit: Places = vector / np.linalg.norm(vector)
    return unit


def _turn(places: Places, centre: int, atoms: list[int], axis: Places, *, is_half_circle: bool) -> None:
    """Turn atoms by half a circle about an axis through a centre, or mirror them along it; in place."""
    own = places[atoms] - places[centre]
    along = 2 * np.outer(own @ _unit(axis), _unit(axis))
    places[atoms] = places[centre] + (along - own if is_half_circle else own - along)


def _phase(angles: list[float]) -> float:
    """Where a ring of 5 atoms is in its round, from its torsions; degrees."""
    steps = np.radians(_FIVE_STEP_DEGREES * np.arange(_FIVE))
    return math.degrees(math.atan2(-np.dot(angles, np.sin(steps)), np.dot(angles, np.cos(steps))))


def _puckered(ring: tuple[int, ...], phase: float) -> list[_Held]:
    """Three torsions of a ring of 5 atoms, which settle it, at a phase of its round."""
    held: list[_Held] = []
    for start in range(3):
        atoms = tuple(ring[(start + step) % _FIVE] for step in range(4))
        angle = _PUCKER_DEGREES * math.cos(math.radians(phase + _FIVE_STEP_DEGREES * start))
        held.append((atoms, angle - _PUCKER_SLACK_DEGREES, angle + _PUCKER_SLACK_DEGREES))
    return held
