"""What an inspection says of how well a structure is known and whether a chain holds more than one protein.

B factors are those of an experiment; a prediction has its confidence in their place. A fusion partner, such as a
lysozyme in a loop of a receptor, is told by what depositors do with it: its residues have numbers far from all others.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import gemmi

from dockyard_structures.atoms import Residue
from dockyard_structures.residues import insertion_code

#: At this B factor an atom is spread by 1 Å in each direction (8 π² u²).
SPREAD_B_FACTOR = 79.0

# Loops and domains that are not seen leave smaller jumps in the numbers, and partners are whole domains.
_FAR_NUMBERS = 300
_FEWEST_RESIDUES = 20


def b_factors(model: gemmi.Model, polymer: Sequence[Residue]) -> dict[str, Any] | None:
    """The mean of the residues' B factors, the highest, and the residues that are spread by 1 Å and more.

    None where the file has none: all are the same.
    """
    by_key = {
        (chain.name, int(residue.seqid.num or 0), insertion_code(residue)): _mean(
            [atom.b_iso for atom in residue if not atom.is_hydrogen()]
        )
        for chain in model
        for residue in chain
        if len(residue)
    }
    found = [(residue, by_key[residue.key]) for residue in polymer if residue.key in by_key]
    values = [value for _, value in found]
    if len(set(values)) <= 1:
        return None
    return {
        "mean": round(_mean(values), 1),
        "most": round(max(values), 1),
        "above79": [residue.label for residue, value in found if value > SPREAD_B_FACTOR],
    }


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / max(len(values), 1)


def fusion_partners(polymer: Sequence[Residue]) -> list[dict[str, Any]]:
    """Stretches of a chain, in the order of the file, whose numbers are far from those of the chain's rest."""
    by_chain: dict[str, list[Residue]] = {}
    for residue in polymer:
        by_chain.setdefault(residue.chain, []).append(residue)
    return [row for residues in by_chain.values() for row in _partners(residues)]


def _partners(polymer: Sequence[Residue]) -> list[dict[str, Any]]:
    stretches: list[list[Residue]] = [[polymer[0]]]
    for before, residue in pairwise(polymer):
        if abs(residue.number - before.number) > _FAR_NUMBERS:
            stretches.append([])
        stretches[-1].append(residue)
    # A partner in a loop cuts the chain in two, whose numbers are near each other.
    groups: list[list[list[Residue]]] = []
    for stretch in sorted(stretches, key=_least):
        if not groups or _least(stretch) - max(map(_most, groups[-1])) > _FAR_NUMBERS:
            groups.append([])
        groups[-1].append(stretch)
    chain = max(groups, key=lambda group: sum(map(len, group)))
    return [
        {
            "chain": stretch[0].chain,
            "first": stretch[0].number,
            "last": stretch[-1].number,
            "residues": len(stretch),
        }
        for stretch in stretches
        if not any(stretch is own for own in chain) and len(stretch) >= _FEWEST_RESIDUES
    ]


def _least(stretch: Sequence[Residue]) -> int:
    return min(residue.number for residue in stretch)


def _most(stretch: Sequence[Residue]) -> int:
    return max(residue.number for residue in stretch)
