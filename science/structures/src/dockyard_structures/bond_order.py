"""Puts the residues of a chain in the order of their bonds, where a program wrote some of them elsewhere in the chain.

A loop or a residue that was built later often stands at the end of its chain. All that follows takes the next residue
of the file for the next of the chain: it would see two gaps there, and charged ends upon the bonds.
"""

from bisect import bisect_left
from collections import Counter
from itertools import pairwise

import gemmi

from dockyard_structures.residues import LINK_ANGSTROM, STATE_NAMES, is_polymer_name, label, short_list

# The atom by which a residue is bonded to the next one, and the atom of the next one.
_JOINTS = (("C", "N"), ("O3'", "P"))


def put_in_order_of_bonds(model: gemmi.Model) -> list[str]:
    """Order the residues of each chain, in place; what a report says of chains that were in another order."""
    remarks: list[str] = []
    for chain in model:
        runs = _runs(list(chain))
        behind = _behind(runs)
        if not behind:
            continue
        ordered = [residue.clone() for index in _order(len(runs), behind) for residue in runs[index]]
        moved = short_list(label(chain.name, runs[index][0]) for index in sorted(behind.values()))
        while len(chain):
            del chain[-1]
        for residue in ordered:
            chain.add_residue(residue)
        remarks.append(
            f"Residues of chain {chain.name} did not stand in the order of their bonds. What begins with {moved} was "
            "put behind the residue that it is bonded to."
        )
    return remarks


def _runs(residues: list[gemmi.Residue]) -> list[list[gemmi.Residue]]:
    """The residues in pieces, within which each is bonded to the next."""
    runs = [residues[:1]] if residues else []
    for before, after in pairwise(residues):
        if _is_bonded(before, after):
            runs[-1].append(after)
        else:
            runs.append([after])
    return runs


def _behind(runs: list[list[gemmi.Residue]]) -> dict[int, int]:
    """For each run the run that goes on where it ends; none where more than one could."""
    found: dict[int, int] = {}
    for end, start in _JOINTS:
        ends = [(each, run) for run, residues in enumerate(runs) for each in _places(residues[-1], end)]
        # By their x alone, so that a model of thousands of pieces is looked through in a moment.
        starts = sorted(
            (each.x, run) for run, residues in enumerate(runs) for each in _places(residues[0], start)
        )
        pairs = [
            (run, other)
            for place, run in ends
            for _, other in _near(starts, place.x)
            if other != run and _is_bonded(runs[run][-1], runs[other][0])
        ]
        before, after = (Counter(pair[side] for pair in pairs) for side in (0, 1))
        found |= {run: other for run, other in pairs if before[run] == 1 and after[other] == 1}
    return found


def _near(starts: list[tuple[float, int]], x: float) -> list[tuple[float, int]]:
    first, last = (bisect_left(starts, (x + step, 0)) for step in (-LINK_ANGSTROM, LINK_ANGSTROM))
    return starts[first:last]


def _places(residue: gemmi.Residue, name: str) -> list[gemmi.Position]:
    """The place of an atom of a standard residue; none where the residue is none or lacks the atom."""
    atom = residue.find_atom(name, "*")
    is_standard = is_polymer_name(STATE_NAMES.get(residue.name, residue.name))
    return [atom.pos] if atom and is_standard else []


def _order(count: int, behind: dict[int, int]) -> list[int]:
    """The runs in the order of the file, but each behind the run that it goes on from."""
    order: dict[int, None] = {}
    # A ring of runs has no first one, so that each of its runs may begin it.
    for first in [*(index for index in range(count) if index not in behind.values()), *range(count)]:
        current: int | None = first
        while current is not None and current not in order:
            order[current] = None
            current = behind.get(current)
    return list(order)


def _is_bonded(before: gemmi.Residue, after: gemmi.Residue) -> bool:
    for end, start in _JOINTS:
        one, other = before.find_atom(end, "*"), after.find_atom(start, "*")
        if one and other and one.pos.dist(other.pos) < LINK_ANGSTROM:
            return True
    return False
