"""Tells two shapes of a ring apart: how far the atoms lie that Vina cannot turn, least over the symmetries."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from rdkit import Chem

# Ways to map a molecule on itself that are looked at; two shapes that only another one makes equal are both docked.
_MAX_SYMMETRIES = 64

_Places = npt.NDArray[np.float64]

#: Atoms that a shape fixes to each other, and the orders of them that leave the molecule the same.
Part = tuple[list[int], npt.NDArray[np.int64]]


def distinct_shapes(pool: Chem.Mol, order: Iterable[int], parts: list[Part], least_rmsd: float) -> list[int]:
    """The conformers, in the given order, each of which differs from all before it in some part.

    Shapes closer to each other than `least_rmsd` are one; angstrom, after superposition.
    """
    kept: list[int] = []
    places: list[list[_Places]] = []
    for number in order:
        variants = _variants(pool, number, parts)
        if not kept or _least_difference(variants, places) >= least_rmsd:
            kept.append(number)
            places.append([variant[0] for variant in variants])
    return kept


def shape_distance(pool: Chem.Mol, one: int, other: int, *, parts: list[Part]) -> float:
    """How far two conformers are apart: the RMSD in angstrom of the part that differs most."""
    return _least_difference(
        _variants(pool, one, parts), [[variant[0] for variant in _variants(pool, other, parts)]]
    )


def _variants(pool: Chem.Mol, number: int, parts: list[Part]) -> list[_Places]:
    """The places of each part about its centre, in every order that leaves the molecule the same."""
    positions = np.asarray(pool.GetConformer(number).GetPositions(), dtype=np.float64)
    centred = [positions - positions[atoms].mean(axis=0) for atoms, _ in parts]
    return [moved[rows] for moved, (_, rows) in zip(centred, parts, strict=True)]


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


def symmetries(mol: Chem.Mol, atoms: list[int]) -> npt.NDArray[np.int64]:
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
