"""Finds the shapes of rings of 5 to 9 atoms: chair and boat, the puckers of a sugar, axial and equatorial groups.

Each ring system is looked at by itself, cut out of the molecule, so that a chain's energy does not hide the ring's, and
so that what one ligand of a batch has had is known for the next. Charges act as in water, because in a vacuum a pair of
them bends every ring. Shapes within a window of energies are kept; a molecule has every combination of the shapes of
its rings, lowest first, up to a number. The same molecule gives the same shapes, whatever was asked before.
"""

import functools
import math
from dataclasses import dataclass

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdForceFieldHelpers

from dockyard_science.conformer import EMBED_SEED, embed_more
from dockyard_science.ring_systems import RingPart, cut_part, place_part, saturated_atoms
from dockyard_science.shape_distance import Part, distinct_shapes, shape_distance, symmetries
from dockyard_science.stereo import stereo_agrees

#: Shapes up to this energy above the lowest of their ring system, or of their molecule, are docked; kcal/mol.
WINDOW_KCAL_MOL = 3.0

#: Shapes of one ring system that are docked, at most.
MOST_OF_A_RING = 4

#: Shapes of such rings closer to each other than this are one; less than for large rings, which have fewer stiff atoms
#: beside the one that moves.
SMALL_SHAPE_RMSD_ANGSTROM = 0.3

# Conformers of a ring system that are made, so many at a time; none more after a batch without a new shape. Several
# rings that are fused hold each other, and take their time.
_CONFORMERS = 32
_BATCH, _BATCH_OF_MANY_RINGS = 8, 4
_MANY_RINGS = 4
_WATER_DIELECTRIC = 78.4
_STEPS = 500

# Energies that differ by less are equal: mirror images of a ring, but for the last digits.
_ENERGY_DIGITS = 3

# A ring of 5 atoms goes round through shapes of nearly one energy, and a receptor may hold it in any of them: they are
# made at these phases and this amplitude, in degrees, and not only where the force field has a minimum.
_PHASES = range(0, 360, 36)
_PUCKER_DEGREES = 35.0
_PUCKER_RMSD_ANGSTROM = 0.2
_FIVE, _LEAST_SATURATED = 5, 2

# Combinations of shapes that are looked at; a chain of sugars has thousands.
_MOST_COMBINED = 64

# Ring systems that are remembered by a process.
_REMEMBERED = 1000


@dataclass(frozen=True)
class _Sampled:
    """The shapes of a ring system that stands alone: hydrogens, a conformer a shape, energies above the lowest."""

    mol: Chem.Mol
    energies: list[float]
    made: int


@dataclass(frozen=True)
class _Choice:
    """A shape of one ring system; the conformer is None for the shape that the molecule was built with."""

    energy: float
    conformer: int | None


@dataclass(frozen=True)
class SmallShapes:
    """The molecule in its shapes, lowest first, with energies above the lowest; of `distinct` that were found."""

    mols: list[Chem.Mol]
    energies: list[float]
    made: int
    distinct: int


def small_ring_shapes(
    built: Chem.Mol, plain: Chem.Mol, systems: list[set[int]], most: int
) -> SmallShapes | None:
    """The shapes of a molecule whose ring systems that bend are given, at most so many.

    None where nothing but the shape that was built lies in the window. A ring system that no force field knows stays.
    """
    parts = [part for part in (cut_part(plain, system) for system in systems) if part is not None]
    looked_at = [(part, _sampled(part.smiles, part.stiff_rows)) for part in parts]
    found = [(part, sampled) for part, sampled in looked_at if sampled is not None]
    within = _combined([_choices(built, part, sampled) for part, sampled in found])
    shapes: list[tuple[Chem.Mol, float]] = []
    is_as_built = True
    for energy, chosen in within:
        mol = Chem.Mol(built)
        for (part, sampled), choice in zip(found, chosen, strict=True):
            if choice.conformer is not None:
                place_part(mol, part, sampled.mol, choice.conformer)
        if stereo_agrees(mol):
            shapes.append((mol, energy))
            is_as_built = is_as_built and all(choice.conformer is None for choice in chosen)
        if len(shapes) == most:
            break
    if is_as_built:
        return None
    mols = [mol for mol, _ in shapes]
    above = [round(energy - shapes[0][1], _ENERGY_DIGITS) + 0.0 for _, energy in shapes]
    return SmallShapes(mols, above, sum(sampled.made for _, sampled in found), len(within))


def _combined(choices: list[list[_Choice]]) -> list[tuple[float, list[_Choice]]]:
    """The combinations of the shapes of all ring systems within the window, lowest first, and their energies."""
    within: list[tuple[float, list[_Choice]]] = [(0.0, [])]
    for more in choices:
        longer = [
            (round(energy + choice.energy, _ENERGY_DIGITS), [*chosen, choice])
            for energy, chosen in within
            for choice in more
            if energy + choice.energy <= WINDOW_KCAL_MOL
        ]
        within = sorted(longer, key=lambda entry: entry[0])[:_MOST_COMBINED]
    return within


def _choices(built: Chem.Mol, part: RingPart, sampled: _Sampled) -> list[_Choice]:
    """The shapes of one ring system, lowest first; the one that is there already is not made a second time."""
    rows = (list(part.stiff_rows), symmetries(sampled.mol, list(part.stiff_rows)))
    choices = [_Choice(energy, number) for number, energy in enumerate(sampled.energies)]
    with_own = Chem.Mol(sampled.mol)
    own = with_own.AddConformer(_with_places_of(built, part, sampled.mol), assignId=True)
    gaps = [shape_distance(with_own, own, number, parts=[rows]) for number in range(len(choices))]
    nearest = int(np.argmin(gaps))
    if gaps[nearest] < SMALL_SHAPE_RMSD_ANGSTROM:
        choices[nearest] = _Choice(choices[nearest].energy, None)
    return choices


def _with_places_of(built: Chem.Mol, part: RingPart, mol: Chem.Mol) -> Chem.Conformer:
    conformer = Chem.Conformer(mol.GetConformer(0))
    for row, atom in enumerate(part.atoms):
        conformer.SetAtomPosition(row, built.GetConformer().GetAtomPosition(atom))
    return conformer


@functools.lru_cache(maxsize=_REMEMBERED)
def _sampled(smiles: str, stiff_rows: tuple[int, ...]) -> _Sampled | None:
    """Look for the shapes of a ring system; None where no force field knows it or none can be built."""
    plain = Chem.AddHs(Chem.MolFromSmiles(smiles))
    if not rdForceFieldHelpers.MMFFHasAllMoleculeParams(plain):
        return None
    parts: list[Part] = [(list(stiff_rows), symmetries(plain, list(stiff_rows)))]
    pool = Chem.Mol(plain)
    energies: list[float] = []
    order: list[int] = []

    def take(found: list[tuple[Chem.Conformer, float]]) -> None:
        for conformer, energy in found:
            pool.AddConformer(conformer, assignId=True)
            energies.append(energy)

    size = _BATCH if plain.GetRingInfo().NumRings() < _MANY_RINGS else _BATCH_OF_MANY_RINGS
    for start in range(0, _CONFORMERS, size):
        take(_relaxed(embed_more(plain, size, EMBED_SEED + start, is_random=False), []))
        before, order = order, _lowest(pool, energies, parts)
        if len(before) == len(order):
            break
    if not order:
        return None
    made = len(energies)
    turned = Chem.Mol(plain)
    for number in order[:MOST_OF_A_RING]:
        turned.AddConformer(pool.GetConformer(number), assignId=True)
    for ring in _five_rings(plain):
        for phase in _PHASES:
            take(_relaxed(Chem.Mol(turned), _puckers(ring, phase)))
    kept = Chem.Mol(plain)
    chosen = _spread(pool, energies, parts, order[:MOST_OF_A_RING], made)
    for number in chosen:
        kept.AddConformer(pool.GetConformer(number), assignId=True)
    above = [round(energies[number] - energies[chosen[0]], _ENERGY_DIGITS) + 0.0 for number in chosen]
    return _Sampled(kept, above, made)


def _five_rings(mol: Chem.Mol) -> list[tuple[int, ...]]:
    """The rings of 5 atoms that bend, in their own order."""
    return [
        ring
        for ring in mol.GetRingInfo().AtomRings()
        if len(ring) == _FIVE and saturated_atoms(mol, ring) >= _LEAST_SATURATED
    ]


def _puckers(ring: tuple[int, ...], phase: float) -> list[tuple[tuple[int, ...], float]]:
    """Three torsions of a ring, which settle it, at a phase of its pseudorotation; degrees."""
    return [
        (
            tuple(ring[(start + step) % _FIVE] for step in range(4)),
            _PUCKER_DEGREES * math.cos(math.radians(phase + 144 * start)),
        )
        for start in range(3)
    ]


def _relaxed(
    batch: Chem.Mol, torsions: list[tuple[tuple[int, ...], float]]
) -> list[tuple[Chem.Conformer, float]]:
    """The conformers with the right stereo after MMFF94, some torsions held, and their energies in kcal/mol."""
    properties = rdForceFieldHelpers.MMFFGetMoleculeProperties(batch, "MMFF94")
    properties.SetMMFFDielectricConstant(_WATER_DIELECTRIC)
    found = []
    for number in [conformer.GetId() for conformer in batch.GetConformers()]:
        field = rdForceFieldHelpers.MMFFGetMoleculeForceField(batch, properties, confId=number)
        field.Initialize()
        for atoms, angle in torsions:
            field.MMFFAddTorsionConstraint(*atoms, False, angle - 5, angle + 5, 100.0)
        field.Minimize(maxIts=_STEPS)
        free = rdForceFieldHelpers.MMFFGetMoleculeForceField(batch, properties, confId=number)
        energy = float(free.CalcEnergy())
        if np.isfinite(energy) and stereo_agrees(batch, number):
            # A conformer is a part of its molecule, which ends with its batch.
            found.append((Chem.Conformer(batch.GetConformer(number)), energy))
    return found


def _lowest(pool: Chem.Mol, energies: list[float], parts: list[Part]) -> list[int]:
    """The different shapes within the window, lowest first."""
    by_energy = sorted(
        range(len(energies)), key=lambda number: (round(energies[number], _ENERGY_DIGITS), number)
    )
    within = [number for number in by_energy if energies[number] - energies[by_energy[0]] <= WINDOW_KCAL_MOL]
    return distinct_shapes(pool, within, parts, SMALL_SHAPE_RMSD_ANGSTROM)


def _spread(
    pool: Chem.Mol, energies: list[float], parts: list[Part], minima: list[int], first_pucker: int
) -> list[int]:
    """The minima and, of the puckers within the window, those that are furthest from what is chosen; lowest first."""
    within = energies[minima[0]] + WINDOW_KCAL_MOL
    puckers = [number for number in range(first_pucker, len(energies)) if energies[number] <= within]
    chosen = list(minima)
    while puckers and len(chosen) < MOST_OF_A_RING:
        gaps = [
            min(shape_distance(pool, number, other, parts=parts) for other in chosen) for number in puckers
        ]
        if max(gaps) < _PUCKER_RMSD_ANGSTROM:
            break
        chosen.append(puckers[int(np.argmax(gaps))])
    return sorted(chosen, key=lambda number: (round(energies[number], _ENERGY_DIGITS), number))
