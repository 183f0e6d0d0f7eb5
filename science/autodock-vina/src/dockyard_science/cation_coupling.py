"""How cations of one molecule hold each other back: a proton nearby makes the next one harder to take.

Protons are put on one after the other, each on the site where it is held best beside those that are there. The pKa of
a step is never above that of the step before, so the charge cannot rise with the pH.
"""

from collections.abc import Sequence

from rdkit import Chem

from dockyard_science.pka_table import Site

# pKa units that a cation takes from a base at so many bonds, or within one conjugated system. At three bonds a ring
# holds the two beside each other (piperazine 9.93 and 5.81), while a chain turns them apart (ethylenediamine 9.98 and
# 6.85).
_BY_BONDS = {0: 8.0, 1: 8.0, 2: 8.0, 3: 4.0, 4: 1.5}
_IN_A_CHAIN, _CHAIN_BONDS = 3.1, 3
_CONJUGATED = 8.0
# A guanidinium counts from its carbon, because its charge is spread over so many nitrogens.
_GUANIDINIUM = 3
# Beyond this the two ends of a conjugated system hardly feel each other, as in a molecule with two benzamidines.
_CONJUGATED_BONDS = 5


def effective_pkas(mol: Chem.Mol, bases: Sequence[Site]) -> dict[int, float]:
    """The pKa of each base of an uncharged molecule beside the cations that take their proton before it, by atom."""
    if not bases:
        return {}
    distances = Chem.GetDistanceMatrix(mol)
    rings = mol.GetRingInfo()
    conjugated = _conjugated_distances(mol)
    rank = list(Chem.CanonicalRankAtoms(mol, breakTies=True))
    charged = [frozenset({atom.GetIdx()}) for atom in mol.GetAtoms() if _is_permanent(atom)]
    places = {site.atom: _delocalized(mol.GetAtomWithIdx(site.atom)) for site in bases}

    def cost(one: frozenset[int], other: frozenset[int]) -> float:
        bonds = min(int(distances[a][b]) for a in one for b in other)
        bonds += sum(len(each) == _GUANIDINIUM for each in (one, other))
        steps = min(conjugated[a].get(b, _CONJUGATED_BONDS + 1) for a in one for b in other)
        if steps <= _CONJUGATED_BONDS:
            return _CONJUGATED
        is_spread = len(one) + len(other) > 2
        if bonds != _CHAIN_BONDS or is_spread or rings.AreAtomsInSameRing(min(one), min(other)):
            return _BY_BONDS.get(bonds, 0.0)
        return _IN_A_CHAIN

    held = {site.atom: site.pka - sum(cost(places[site.atom], each) for each in charged) for site in bases}
    found: dict[int, float] = {}
    last = float("inf")
    while held:
        atom = min(held, key=lambda each: (-round(held[each], 6), rank[each]))
        last = min(last, held.pop(atom))
        found[atom] = round(last, 2)
        for other in held:
            held[other] -= cost(places[other], places[atom])
    return found


def _is_permanent(atom: Chem.Atom) -> bool:
    """A cation that no proton makes, such as a quaternary nitrogen; not a nitro group or an N-oxide."""
    return bool(
        atom.GetFormalCharge() > 0 and all(near.GetFormalCharge() >= 0 for near in atom.GetNeighbors())
    )


def _delocalized(atom: Chem.Atom) -> frozenset[int]:
    """The nitrogens that share the charge: an amidinium, guanidinium or imidazolium counts from any of them."""
    shared = {atom.GetIdx()}
    for bond in atom.GetBonds():
        carbon = bond.GetOtherAtom(atom)
        if bond.GetBondType() == Chem.BondType.SINGLE or carbon.GetAtomicNum() != 6:
            continue
        shared |= {near.GetIdx() for near in carbon.GetNeighbors() if near.GetAtomicNum() == 7}
    return frozenset(shared)


def _conjugated_distances(mol: Chem.Mol) -> list[dict[int, int]]:
    """For each nitrogen the atoms that conjugated bonds lead to, with the number of bonds."""
    found: list[dict[int, int]] = []
    for start in mol.GetAtoms():
        reached = {start.GetIdx(): 0}
        border = [start] if start.GetAtomicNum() == 7 else []
        for steps in range(1, _CONJUGATED_BONDS + 1):
            following = []
            for atom in border:
                for bond in atom.GetBonds():
                    near = bond.GetOtherAtom(atom)
                    if bond.GetIsConjugated() and near.GetIdx() not in reached:
                        reached[near.GetIdx()] = steps
                        following.append(near)
            border = following
        found.append(reached)
    return found
