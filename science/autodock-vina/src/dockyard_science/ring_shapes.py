"""Finds the shapes that rings can take, because Vina turns bonds outside of rings only.

A ring of 10 atoms and more has many shapes, which are looked for with the whole molecule; the few of smaller rings are
found by `small_ring_shapes`. Each that is kept is docked by itself. Two shapes differ in what Vina cannot turn: the
atoms of the rings and the atoms next to them. Side chains do not count. The same molecule gives the same shapes: the
seeds are fixed, and shapes of one energy keep the order in which they were built. There is no limit of time in here,
for it would make the shapes depend on the machine.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from rdkit import Chem

from dockyard_science.conformer import EMBED_SEED, embed_more, relax_all
from dockyard_science.ring_systems import saturated_atoms
from dockyard_science.shape_distance import Part, distinct_shapes, symmetries
from dockyard_science.small_ring_shapes import small_ring_shapes
from dockyard_science.stereo import stereo_agrees

#: Rings from this size on are called macrocycles.
MACROCYCLE_ATOMS = 10

#: The smallest ring of which several shapes are docked.
SMALLEST_RING_ATOMS = 5

# Rings from this size on are looked at beside a macrocycle.
_MIDDLE_RING_ATOMS = 7

# Atoms without a double bond that a small ring needs in order to bend.
_SATURATED_ATOMS = {5: 2, 6: 1}

#: Shapes of a large ring closer to each other than this are one; RMSD in angstrom over what Vina cannot turn, after
#: superposition.
SHAPE_RMSD_ANGSTROM = 0.5

# Conformers relaxed between two calls of `on_step`: a hang is told from a large molecule by how long one step takes.
_RELAXED_BATCH = 10

# Energies that differ by less are equal: mirror images of a ring, but for the last digits.
_ENERGY_DIGITS = 3


@dataclass(frozen=True)
class ShapePlan:
    """How many conformers are made of a large ring, so many at a time, and how many of its shapes are docked."""

    conformers: int
    kept: int
    batch: int


#: What is done for a ring of 10 atoms and more.
LARGE = ShapePlan(conformers=100, kept=20, batch=10)


@dataclass(frozen=True)
class RingShape:
    """One shape: the molecule with one conformer, and its energy above the lowest; None without a force field.

    `strain` is what of it can be held against the shape: nothing of a large ring's, which is the energy of the whole
    molecule, chains too, and nothing of a ring of 5 atoms that goes round.
    """

    mol: Chem.Mol
    energy: float | None
    strain: float = 0.0


@dataclass(frozen=True)
class RingShapes:
    """The lowest shapes, best first: of `made` conformers `distinct` differ in their rings (of `rings` atoms).

    `is_built_first` tells that the one conformer that every ligand has stands before them, `is_fallback` that nothing
    else could be built.
    """

    rings: list[int]
    made: int
    distinct: int
    shapes: list[RingShape]
    is_built_first: bool
    is_fallback: bool


def ring_shapes(
    built: Chem.Mol, force_field: str, on_step: Callable[[], None], most: int
) -> RingShapes | None:
    """The shapes of a molecule that was built and relaxed; None where no ring of it can take another.

    `on_step` is called before each batch of conformers of a large ring. Where none but `built` can be made, it is the
    only shape. Without a large ring at most `most` shapes are kept.
    """
    if not built.GetRingInfo().NumRings():
        return None
    # MMFF94 leaves its own idea of what is aromatic in the molecule; rings and torsions are told by RDKit's.
    plain = Chem.Mol(built)
    Chem.SanitizeMol(plain)
    rings = _bending_rings(plain)
    sizes = sorted({len(ring) for ring in rings})
    if not rings:
        return None
    if sizes[-1] >= MACROCYCLE_ATOMS:
        return _large(
            built, plain, [ring for ring in rings if len(ring) >= _MIDDLE_RING_ATOMS], force_field, on_step
        )
    on_step()
    small = small_ring_shapes(built, plain, ring_systems(plain, rings), most)
    if small is None:
        return None
    shapes = list(map(RingShape, small.mols, small.energies, small.strains))
    return RingShapes(sizes, small.made, small.distinct, shapes, is_built_first=True, is_fallback=False)


def _large(
    built: Chem.Mol, plain: Chem.Mol, rings: list[set[int]], force_field: str, on_step: Callable[[], None]
) -> RingShapes:
    parts = [(atoms, symmetries(plain, atoms)) for atoms in stiff_parts(plain, rings)]
    pool, first = _embedded(built, plain, parts, on_step)
    relaxed, energies = _relaxed(pool, first, force_field, on_step)
    by_energy = sorted(
        range(len(energies)), key=lambda number: (round(energies[number], _ENERGY_DIGITS), number)
    )
    order = distinct_shapes(relaxed, by_energy, parts, SHAPE_RMSD_ANGSTROM)
    # A ring with one shape stays as it was built.
    kept = order[: LARGE.kept] if len(order) > 1 else [0]
    return RingShapes(
        rings=sorted({len(ring) for ring in rings}),
        made=pool.GetNumConformers(),
        distinct=len(order),
        shapes=[
            RingShape(
                Chem.Mol(relaxed, confId=number),
                None if force_field == "none" else _above(energies[number], energies[kept[0]]),
            )
            for number in kept
        ],
        is_built_first=False,
        is_fallback=len(energies) == 1 and (pool.GetNumConformers() == 1 or len(first) > 1),
    )


def _above(energy: float, lowest: float) -> float:
    return round(energy - lowest, _ENERGY_DIGITS) + 0.0


def _bending_rings(mol: Chem.Mol) -> list[set[int]]:
    """The rings of 5 atoms and more, but those that are flat: aromatic, as in a porphyrin, or small and unsaturated."""
    info = mol.GetRingInfo()
    return [
        set(atoms)
        for atoms, bonds in zip(info.AtomRings(), info.BondRings(), strict=True)
        if len(atoms) >= SMALLEST_RING_ATOMS
        and not all(_is_flat(mol.GetBondWithIdx(bond), info) for bond in bonds)
        and saturated_atoms(mol, atoms) >= _SATURATED_ATOMS.get(len(atoms), 0)
    ]


def _is_flat(bond: Chem.Bond, info: Chem.RingInfo) -> bool:
    if bond.GetIsAromatic():
        return True
    # The bond across azulene counts as single, though both of its rings are aromatic; that of a biaryl is in one ring.
    is_between = bond.GetBeginAtom().GetIsAromatic() and bond.GetEndAtom().GetIsAromatic()
    return is_between and info.NumBondRings(bond.GetIdx()) > 1


def ring_systems(mol: Chem.Mol, rings: list[set[int]]) -> list[set[int]]:
    """The given rings, each with all rings that are fused to it, as sets of atoms.

    Rings that a chain joins are systems of their own, because Vina turns the chain.
    """
    others = [set(ring) for ring in mol.GetRingInfo().AtomRings()]
    systems: list[set[int]] = []
    for ring in rings:
        if any(ring <= system for system in systems):
            continue
        system = set(ring)
        while fused := [other for other in others if other & system and not other <= system]:
            system.update(*fused)
        systems.append(system)
    return systems


def stiff_parts(mol: Chem.Mol, rings: list[set[int]]) -> list[list[int]]:
    """The heavy atoms whose places a shape fixes to each other: ring systems and the atoms next to them, sorted."""
    return [sorted(system | _heavy_neighbours(mol, system)) for system in ring_systems(mol, rings)]


def _heavy_neighbours(mol: Chem.Mol, part: set[int]) -> set[int]:
    near = (atom for index in part for atom in mol.GetAtomWithIdx(index).GetNeighbors())
    return {atom.GetIdx() for atom in near if atom.GetAtomicNum() > 1}


def _embedded(
    built: Chem.Mol, plain: Chem.Mol, parts: list[Part], on_step: Callable[[], None]
) -> tuple[Chem.Mol, list[int]]:
    """Conformers as they were embedded, the first of them `built` itself, and those that are no double.

    What is close before the force field is closer after it, so only one of each is worth the time.
    """
    pool = Chem.Mol(built)
    pool.GetConformer().SetId(0)
    distinct = [0]
    for start in range(1, LARGE.conformers, LARGE.batch):
        count = min(LARGE.batch, LARGE.conformers - start)
        for conformer in _batch(plain, count, EMBED_SEED + start, on_step):
            pool.AddConformer(conformer, assignId=True)
        distinct = distinct_shapes(pool, range(pool.GetNumConformers()), parts, SHAPE_RMSD_ANGSTROM)
    return pool, distinct


def _batch(plain: Chem.Mol, count: int, seed: int, on_step: Callable[[], None]) -> list[Chem.Conformer]:
    """Some conformers with the stereo of the molecule."""
    for is_random in (False, True):
        on_step()
        mol = embed_more(plain, count, seed, is_random=is_random)
        good = [found for found in mol.GetConformers() if stereo_agrees(mol, found.GetId())]
        if good:
            # A conformer is a part of its molecule, which ends with this function.
            return [Chem.Conformer(found) for found in good]
    # Random coordinates did not help either where the distance matrix alone leads nowhere.
    return []


def _relaxed(
    pool: Chem.Mol, chosen: list[int], force_field: str, on_step: Callable[[], None]
) -> tuple[Chem.Mol, list[float]]:
    """The chosen conformers relaxed, and their energies in kcal/mol; the first, which is relaxed already, stays."""
    relaxed = Chem.Mol(pool, confId=0)
    energies = relax_all(Chem.Mol(relaxed), force_field, steps=0)
    for place, number in enumerate(chosen[1:]):
        if place % _RELAXED_BATCH == 0:
            on_step()
        mol = Chem.Mol(pool, confId=number)
        energy = relax_all(mol, force_field)[0]
        if np.isfinite(energy) and stereo_agrees(mol):
            relaxed.AddConformer(mol.GetConformer(), assignId=True)
            energies.append(energy)
    return relaxed, energies
