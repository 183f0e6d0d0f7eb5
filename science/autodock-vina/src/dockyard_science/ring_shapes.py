"""Finds the shapes that a large ring can take, because Vina turns bonds outside of rings only.

A ring of 10 atoms and more has many shapes, one of 7 to 9 a few; each that is kept is docked by itself. Two shapes
differ in what Vina cannot turn: the atoms of the rings and the atoms next to them. Side chains do not count. The same
molecule gives the same shapes: the seeds are fixed, and shapes of one energy keep the order in which they were built.
There is no limit of time in here, for it would make the shapes depend on the machine.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rdkit import Chem

from dockyard_science.conformer import EMBED_SEED, embed_more, relax_all
from dockyard_science.stereo import stereo_agrees

#: Rings from this size on are called macrocycles.
MACROCYCLE_ATOMS = 10

#: The smallest ring of which several shapes are docked.
SMALLEST_RING_ATOMS = 7

#: Shapes closer to each other than this are one; RMSD in angstrom over what Vina cannot turn, after superposition.
SHAPE_RMSD_ANGSTROM = 0.5

# Conformers relaxed between two calls of `on_step`: a hang is told from a large molecule by how long one step takes.
_RELAXED_BATCH = 10

# Ways to map a molecule on itself that are looked at; two shapes that only another one makes equal are both docked.
_MAX_SYMMETRIES = 64

# Energies that differ by less are equal: mirror images of a ring, but for the last digits.
_ENERGY_DIGITS = 3

_Places = npt.NDArray[np.float64]
# Atoms that a shape fixes to each other, and the orders of them that leave the molecule the same.
_Part = tuple[list[int], npt.NDArray[np.int64]]


@dataclass(frozen=True)
class ShapePlan:
    """How many conformers are made of a ring, so many at a time, and how many of its shapes are docked.

    Where `is_patient` is false, no more are made after a batch that brought no new shape.
    """

    conformers: int
    kept: int
    batch: int
    is_patient: bool


#: By the size of the largest ring, from so many atoms on. Rings of 7 atoms are common in drugs, where two more rings
#: often leave them one shape or two: those cost as little as can be.
PLANS = {
    MACROCYCLE_ATOMS: ShapePlan(conformers=100, kept=20, batch=10, is_patient=True),
    SMALLEST_RING_ATOMS: ShapePlan(conformers=29, kept=4, batch=4, is_patient=False),
}


@dataclass(frozen=True)
class RingShape:
    """One shape: the molecule with one conformer, and its energy above the lowest; None without a force field."""

    mol: Chem.Mol
    energy: float | None


@dataclass(frozen=True)
class RingShapes:
    """The lowest shapes, best first: of `made` conformers `distinct` differ in their rings (of `rings` atoms).

    `is_fallback` tells that nothing but the one conformer could be built that every ligand has.
    """

    rings: list[int]
    made: int
    distinct: int
    shapes: list[RingShape]
    is_fallback: bool


def ring_shapes(built: Chem.Mol, force_field: str, on_step: Callable[[], None]) -> RingShapes | None:
    """The shapes of a molecule that was built and relaxed; None where no ring of it can take another.

    `on_step` is called before each batch of conformers. Where none but `built` can be made, it is the only shape.
    """
    if all(len(ring) < SMALLEST_RING_ATOMS for ring in built.GetRingInfo().AtomRings()):
        return None
    # MMFF94 leaves its own idea of what is aromatic in the molecule; rings and torsions are told by RDKit's.
    plain = Chem.Mol(built)
    Chem.SanitizeMol(plain)
    rings = _bending_rings(plain)
    if not rings:
        return None
    sizes = sorted({len(ring) for ring in rings})
    plan = next(plan for least, plan in PLANS.items() if sizes[-1] >= least)
    parts = [(atoms, _symmetries(plain, atoms)) for atoms in stiff_parts(plain, rings)]
    pool, first = _embedded(built, plain, parts, plan, on_step)
    relaxed, energies = _relaxed(pool, first, force_field, on_step)
    by_energy = sorted(
        range(len(energies)), key=lambda number: (round(energies[number], _ENERGY_DIGITS), number)
    )
    order = _distinct(relaxed, by_energy, parts)
    # A ring with one shape stays as it was built.
    kept = order[: plan.kept] if len(order) > 1 else [0]
    return RingShapes(
        rings=sizes,
        made=pool.GetNumConformers(),
        distinct=len(order),
        shapes=[
            RingShape(
                Chem.Mol(relaxed, confId=number),
                None if force_field == "none" else _above(energies[number], energies[kept[0]]),
            )
            for number in kept
        ],
        is_fallback=len(energies) == 1 and (pool.GetNumConformers() == 1 or len(first) > 1),
    )


def _above(energy: float, lowest: float) -> float:
    return round(energy - lowest, _ENERGY_DIGITS) + 0.0


def _bending_rings(mol: Chem.Mol) -> list[set[int]]:
    """The rings of 7 atoms and more, but those that are flat because they are aromatic, as in a porphyrin."""
    info = mol.GetRingInfo()
    return [
        set(atoms)
        for atoms, bonds in zip(info.AtomRings(), info.BondRings(), strict=True)
        if len(atoms) >= SMALLEST_RING_ATOMS
        and not all(_is_flat(mol.GetBondWithIdx(bond), info) for bond in bonds)
    ]


def _is_flat(bond: Chem.Bond, info: Chem.RingInfo) -> bool:
    if bond.GetIsAromatic():
        return True
    # The bond across azulene counts as single, though both of its rings are aromatic; that of a biaryl is in one ring.
    is_between = bond.GetBeginAtom().GetIsAromatic() and bond.GetEndAtom().GetIsAromatic()
    return is_between and info.NumBondRings(bond.GetIdx()) > 1


def stiff_parts(mol: Chem.Mol, rings: list[set[int]]) -> list[list[int]]:
    """The heavy atoms whose places a shape fixes to each other, as sorted lists of indices.

    A part is some of the rings, all that is fused to them, and the atoms next to those. Rings that a chain joins are
    parts of their own, because Vina turns the chain.
    """
    others = [set(ring) for ring in mol.GetRingInfo().AtomRings()]
    parts: list[set[int]] = []
    for ring in rings:
        if any(ring <= part for part in parts):
            continue
        part = set(ring)
        while fused := [other for other in others if other & part and not other <= part]:
            part.update(*fused)
        parts.append(part)
    return [sorted(part | _heavy_neighbours(mol, part)) for part in parts]


def _heavy_neighbours(mol: Chem.Mol, part: set[int]) -> set[int]:
    near = (atom for index in part for atom in mol.GetAtomWithIdx(index).GetNeighbors())
    return {atom.GetIdx() for atom in near if atom.GetAtomicNum() > 1}


def _embedded(
    built: Chem.Mol, plain: Chem.Mol, parts: list[_Part], plan: ShapePlan, on_step: Callable[[], None]
) -> tuple[Chem.Mol, list[int]]:
    """Conformers as they were embedded, the first of them `built` itself, and those that are no double.

    What is close before the force field is closer after it, so only one of each is worth the time.
    """
    pool = Chem.Mol(built)
    pool.GetConformer().SetId(0)
    distinct = [0]
    for start in range(1, plan.conformers, plan.batch):
        count = min(plan.batch, plan.conformers - start)
        for conformer in _batch(plain, count, EMBED_SEED + start, on_step):
            pool.AddConformer(conformer, assignId=True)
        before, distinct = distinct, _distinct(pool, range(pool.GetNumConformers()), parts)
        if len(distinct) == len(before) and not plan.is_patient:
            break
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


def _distinct(pool: Chem.Mol, order: Iterable[int], parts: list[_Part]) -> list[int]:
    """The conformers, in the given order, each of which differs from all before it in some part."""
    kept: list[int] = []
    places: list[list[_Places]] = []
    for number in order:
        positions = np.asarray(pool.GetConformer(number).GetPositions(), dtype=np.float64)
        centred = [positions - positions[atoms].mean(axis=0) for atoms, _ in parts]
        variants = [moved[rows] for moved, (_, rows) in zip(centred, parts, strict=True)]
        if not kept or _least_difference(variants, places) >= SHAPE_RMSD_ANGSTROM:
            kept.append(number)
            places.append([variant[0] for variant in variants])
    return kept


def _least_difference(variants: list[_Places], others: list[list[_Places]]) -> float:
    """How far a shape is from the nearest other one: the RMSD of the part that differs most."""
    by_part = [
        _least_rmsds(own, np.array([other[part] for other in others])) for part, own in enumerate(variants)
    ]
    return float(np.max(by_part, axis=0).min())


def _least_rmsds(variants: _Places, others: _Places) -> _Places:
    """The least RMSD of any variant of a part to each of the others, superposed by turning but not by mirroring."""
    covariance = np.einsum("mni,knj->mkij", variants, others)
    stretch = np.linalg.svd(covariance, compute_uv=False)
    is_mirrored = np.linalg.det(covariance) < 0
    overlap = stretch[..., 0] + stretch[..., 1] + np.where(is_mirrored, -1.0, 1.0) * stretch[..., 2]
    squares = (variants[0] ** 2).sum() + (others**2).sum(axis=(1, 2)) - 2 * overlap
    least: _Places = np.sqrt(np.maximum(squares.min(axis=0), 0.0) / variants.shape[1])
    return least


def _symmetries(mol: Chem.Mol, atoms: list[int]) -> npt.NDArray[np.int64]:
    """The given atoms in every order that leaves the whole molecule the same, as rows; their own order first."""
    ranks = list(Chem.CanonicalRankAtoms(mol, breakTies=False))
    part = Chem.RWMol()
    place = {}
    for index in atoms:
        atom = Chem.Atom(mol.GetAtomWithIdx(index).GetAtomicNum())
        # As an isotope the rank tells apart what only the rest of the molecule makes different.
        atom.SetIsotope(ranks[index] + 1)
        place[index] = part.AddAtom(atom)
    for bond in mol.GetBonds():
        ends = (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
        if all(end in place for end in ends):
            part.AddBond(place[ends[0]], place[ends[1]], Chem.BondType.SINGLE)
    own = tuple(range(len(atoms)))
    matches = part.GetSubstructMatches(part, uniquify=False, maxMatches=_MAX_SYMMETRIES)
    rows = [own, *(match for match in matches if match != own)]
    return np.array(atoms, dtype=np.int64)[np.array(rows, dtype=np.int64)]
