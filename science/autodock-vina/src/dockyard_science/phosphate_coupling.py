"""How phosphates of one molecule hold each other's second protons: two charges make it harder for the next phosphate.

Of so many second protons those go that cost least together, and each further one costs what it adds; a step never costs
less than the step before, so the charge cannot rise with the pH. With these amounts the six last protons of phytic acid
go at 6.2, 6.7, 7.7, 10.5, 11.4 and 11.9, where Costello 1976 has measured 5.7, 6.85, 7.6, 10.0, 10.0 and 12.0 (as
De Stefano 2003 tells them); inositol 1,4,5-trisphosphate gets its five charges.
"""

from collections.abc import Sequence
from itertools import combinations

from rdkit import Chem

from dockyard_science.pka_table import Site

# pKa units that a phosphate of two charges adds to one at so many bonds from phosphorus to phosphorus: on the carbon
# beside its own, on the next but one, and across a ring of six.
_BY_BONDS = {5: 1.95, 6: 0.65, 7: 0.5}
#: Of more phosphates the choices are too many; no ligand that can be docked has them.
_MOST = 12


def phosphate_pkas(mol: Chem.Mol, acids: Sequence[Site], ph: float) -> dict[int, float]:
    """The pKa of the second proton of each phosphate of an uncharged molecule beside the others, by atom.

    Which of equal phosphates goes first may depend on how many have gone, so the order is that of the pH.
    """
    protons = _second_protons(mol, acids)
    if not 2 <= len(protons) <= _MOST:
        return {}
    rank = list(Chem.CanonicalRankAtoms(mol, breakTies=True))
    ordered = sorted(protons, key=lambda phosphorus: rank[phosphorus])
    chosen = _cheapest_sets(mol, {phosphorus: protons[phosphorus].pka for phosphorus in ordered})
    steps: list[float] = []
    for cost, before in zip(chosen[1:], chosen, strict=False):
        steps.append(max([*steps[-1:], cost[0] - before[0]]))
    gone = chosen[sum(step < ph for step in steps)][1]
    order = [*gone, *(phosphorus for phosphorus in ordered if phosphorus not in gone)]
    return {protons[phosphorus].atom: round(step, 2) for phosphorus, step in zip(order, steps, strict=True)}


def _cheapest_sets(mol: Chem.Mol, pkas: dict[int, float]) -> list[tuple[float, tuple[int, ...]]]:
    """Of each number of phosphates those that lose their second protons together at the least cost, with the cost."""
    distances = Chem.GetDistanceMatrix(mol)

    def cost(chosen: tuple[int, ...]) -> float:
        pairs = sum(_BY_BONDS.get(int(distances[one][other]), 0.0) for one, other in combinations(chosen, 2))
        return round(sum(pkas[each] for each in chosen) + pairs, 6)

    return [
        min((cost(chosen), chosen) for chosen in combinations(pkas, number))
        for number in range(len(pkas) + 1)
    ]


def _second_protons(mol: Chem.Mol, acids: Sequence[Site]) -> dict[int, Site]:
    """Of each phosphate of an alcohol or phenol with two protons the one that it keeps longer, by its phosphorus."""
    protons: dict[int, list[Site]] = {}
    for site in acids:
        for near in mol.GetAtomWithIdx(site.atom).GetNeighbors():
            if near.GetAtomicNum() == 15 and _is_ester(near):
                protons.setdefault(near.GetIdx(), []).append(site)
    return {
        phosphorus: max(sites, key=lambda site: site.pka)
        for phosphorus, sites in protons.items()
        if len(sites) == 2
    }


def _is_ester(phosphorus: Chem.Atom) -> bool:
    """Whether an oxygen leads from the phosphorus to a carbon."""
    return any(
        near.GetAtomicNum() == 8 and any(atom.GetAtomicNum() == 6 for atom in near.GetNeighbors())
        for near in phosphorus.GetNeighbors()
    )
