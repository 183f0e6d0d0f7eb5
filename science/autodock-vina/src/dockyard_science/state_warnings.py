"""Warnings about residues that are not in the state that their surroundings asked for."""

from collections.abc import Mapping, Sequence

from dockyard_session.tool import TaskWarning
from dockyard_structures.residues import short_list


def retyped_warnings(retyped: Mapping[str, str]) -> list[TaskWarning]:
    """A warning that names residues whose hydrogens were changed; `retyped` has the template by label."""
    if not retyped:
        return []
    residues = short_list(f"{label} as {template}" for label, template in retyped.items())
    message = f"Meeko has no template for the state of some residues and gave them hydrogens: {residues}."
    return [{"code": "PROTONATION_STATE_CHANGED", "message": message}]


def lacking_warnings(lacking: Sequence[str]) -> list[TaskWarning]:
    """A warning that repeats what pdb2pqr says of states that its force field lacks."""
    if not lacking:
        return []
    message = f"The force field has no such state: {short_list(lacking, most=4)}."
    return [{"code": "PROTONATION_STATE_CHANGED", "message": message}]
