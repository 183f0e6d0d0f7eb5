"""Turns side chains of a typed receptor, by Meeko: they leave the rigid PDBQT and get one of their own."""

from collections.abc import Mapping
from typing import Any

from dockyard_science.meeko_door import MoleculePreparation, Polymer
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Residue

# Meeko holds what lies between two neighbours of a chain. A residue at its end has one, and would turn about these.
_BACKBONE_BONDS = (("N", "CA"), ("CA", "C"))


def turn_side_chains(polymer: Polymer, residues: Mapping[str, Residue]) -> None:
    """Let the side chains of these residues turn; `residues` by Meeko's keys.

    Raises RECEPTOR_RESIDUE_NOT_FLEXIBLE where a template leaves nothing to turn.
    """
    for key, residue in residues.items():
        monomer = polymer.monomers[key]
        _hold_backbone(monomer)
        if monomer.template.link_labels:
            polymer.flexibilize_sidechain(key, MoleculePreparation())
        if not monomer.template.link_labels or _turning_bonds(monomer) != 1:
            message = f"Side chains cannot be flexible: {residue.label} is held by its neighbours."
            raise ScienceError("RECEPTOR_RESIDUE_NOT_FLEXIBLE", message)


def _hold_backbone(monomer: Any) -> None:
    atoms = {monomer.atom_names[atom]: index for index, atom in monomer.molsetup_mapidx.items()}
    for first, second in _BACKBONE_BONDS:
        ends = (atoms[first], atoms[second])
        monomer.molsetup.bond_info[(min(ends), max(ends))].rotatable = False


def _turning_bonds(monomer: Any) -> int:
    """How many bonds turn something against the backbone; PDBQT has room for one."""
    model = monomer.molsetup.flexibility_model
    return len(model["rigid_body_graph"][model["root"]])
