"""Bonds within a residue and their orders, by the names of its atoms; where no name is known, by distance."""

import functools
from collections.abc import Sequence

import numpy as np
from rdkit import Chem
from scipy.spatial.distance import cdist

from dockyard_science.ccd import Ccd
from dockyard_science.contacts import BOND_TOLERANCE, bond_radius, is_metal
from dockyard_science.pdbqt import Coordinates

#: Two atoms of a residue by their numbers, and the order of their bond.
Bond = tuple[int, int, Chem.BondType]

_Orders = dict[frozenset[str], Chem.BondType]


def bonds_of(
    component_id: str, names: Sequence[str], elements: Sequence[str], positions: Coordinates, ccd: Ccd
) -> list[Bond]:
    """The bonds of a residue. Those of heavy atoms are the dictionary's; each hydrogen has its nearest atom.

    A bond of a metal is a dative one towards the metal, so that it takes no part in its neighbour's valence. Where
    the dictionary lacks an atom, all bonds come from distances and are single.
    """
    heavy = [number for number, element in enumerate(elements) if element != "H"]
    found = _held_hydrogens(elements, positions, heavy)
    if len(heavy) < 2:
        return found
    orders = _orders(component_id, ccd)
    known = {name for pair in orders for name in pair}
    if not known.issuperset(names[number] for number in heavy):
        return found + _by_distance(elements, positions, heavy)
    index = {names[number]: number for number in heavy}
    for pair, order in sorted(orders.items(), key=lambda each: sorted(each[0])):
        if pair <= index.keys():
            first, second = sorted(index[name] for name in pair)
            found.append(_directed(first, second, order, elements))
    return found


def _directed(first: int, second: int, order: Chem.BondType, elements: Sequence[str]) -> Bond:
    metals = [is_metal(elements[number]) for number in (first, second)]
    if not any(metals):
        return first, second, order
    return (second, first, Chem.BondType.DATIVE) if metals[0] else (first, second, Chem.BondType.DATIVE)


def _held_hydrogens(elements: Sequence[str], positions: Coordinates, heavy: list[int]) -> list[Bond]:
    hydrogens = [number for number, element in enumerate(elements) if element == "H"]
    if not hydrogens or not heavy:
        return []
    nearest = cdist(positions[hydrogens], positions[heavy]).argmin(axis=1)
    return [
        (heavy[int(row)], hydrogen, Chem.BondType.SINGLE)
        for hydrogen, row in zip(hydrogens, nearest, strict=True)
    ]


def _by_distance(elements: Sequence[str], positions: Coordinates, heavy: list[int]) -> list[Bond]:
    distances = cdist(positions[heavy], positions[heavy])
    radii = np.array([bond_radius(elements[number]) for number in heavy])
    bonded = np.argwhere(np.triu(distances < BOND_TOLERANCE * (radii[:, None] + radii[None]), k=1))
    return [_directed(heavy[i], heavy[j], Chem.BondType.SINGLE, elements) for i, j in bonded.tolist()]


@functools.lru_cache(maxsize=512)
def _orders(component_id: str, ccd: Ccd) -> _Orders:
    """The dictionary's bonds between heavy atoms, aromatic ones as single and double ones in turn."""
    molecule = ccd.molecule(component_id)
    if molecule is None:
        return {}
    Chem.Kekulize(molecule, clearAromaticFlags=True)
    return {
        frozenset(
            atom.GetProp("name") for atom in (bond.GetBeginAtom(), bond.GetEndAtom())
        ): bond.GetBondType()
        for bond in molecule.GetBonds()
        if bond.GetBeginAtom().GetAtomicNum() > 1 and bond.GetEndAtom().GetAtomicNum() > 1
    }
