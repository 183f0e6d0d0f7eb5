"""Leaves out copies that an assembly puts upon each other: ions, waters and ligands on an axis of a crystal."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import gemmi

from dockyard_structures.residues import STATE_NAMES, is_polymer_name, is_water, label, short_list

# A little off the axis, because of the errors of the coordinates; no two atoms are as close as that.
_SAME_PLACE_ANGSTROM = 0.5

_Atoms = list[tuple[str, gemmi.Position]]


def drop_copies_on_axes(model: gemmi.Model, assembly: Mapping[str, Any]) -> list[str]:
    """Keep the first of copies in one place, in place; what a report says of them, but for waters.

    `assembly` tells from which chain each chain of the model was made. Residues of polymers stay as they are.
    """
    origin = {row["chain"]: row["from"] for row in assembly.get("chains", [])}
    if len(set(origin.values())) == len(origin):
        return []
    kept: dict[tuple[str, str, str], list[_Atoms]] = defaultdict(list)
    dropped: list[str] = []
    for chain in model:
        doomed = []
        for index, residue in enumerate(chain):
            if is_polymer_name(STATE_NAMES.get(residue.name, residue.name)):
                continue
            atoms = [(atom.element.name, atom.pos) for atom in residue]
            earlier = kept[origin[chain.name], str(residue.seqid), residue.name]
            if any(_is_upon(atoms, other) for other in earlier):
                doomed.append(index)
                dropped += [] if is_water(residue.name) else [label(chain.name, residue)]
            else:
                earlier.append(atoms)
        for index in reversed(doomed):
            del chain[index]
    for name in [chain.name for chain in model if not len(chain)]:
        model.remove_chain(name)
    if not dropped:
        return []
    return [f"Left out, because another copy stands in the same place on an axis: {short_list(dropped)}."]


def _is_upon(atoms: _Atoms, others: _Atoms) -> bool:
    """Whether each atom has one of the same element in its place; which of equal atoms is which does not matter."""
    return all(
        any(element == other and place.dist(there) < _SAME_PLACE_ANGSTROM for other, there in others)
        for element, place in atoms
    )
