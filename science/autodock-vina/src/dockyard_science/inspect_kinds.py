"""What a component of a structure is, told by its id: the sorts that a chemist decides over, one by one.

Lists, not chemistry: a component that no list knows is taken for a ligand, which is the side to err on, because a
ligand that is shown as such is looked at. What an id means is the Chemical Component Dictionary's word.
"""

import functools
from pathlib import Path
from typing import Literal

import gemmi

from dockyard_science.contacts import is_metal
from dockyard_structures.atoms import Residue
from dockyard_structures.residues import is_water

ComponentKind = Literal["ligand", "cofactor", "metal", "ion", "buffer", "lipid", "sugar", "water"]

#: The kinds of components around which a box is offered.
LIGAND_LIKE: frozenset[ComponentKind] = frozenset({"ligand", "cofactor"})

_KINDS: dict[str, ComponentKind] = {
    "buffer": "buffer",
    "cofactor": "cofactor",
    "lipid": "lipid",
    "sugar": "sugar",
}

# The kinds of other components, by gemmi's table of common components.
_TABULATED: dict[gemmi.ResidueKind, ComponentKind] = {
    gemmi.ResidueKind.BUF: "buffer",
    gemmi.ResidueKind.PYR: "sugar",
    gemmi.ResidueKind.KET: "sugar",
}

# Metals that bind ligands in proteins have a fixed geometry; these metals do not.
_ALKALI = frozenset({"LI", "NA", "K", "RB", "CS"})


def kind_of(residue: Residue) -> ComponentKind:
    """What a component is by its id and its atoms."""
    name = residue.deposited_name.upper()
    heavy = residue.heavy_atoms
    if is_water(name):
        return "water"
    if len(heavy) == 1:
        element = heavy[0].element.upper()
        return "metal" if is_metal(element) and element not in _ALKALI else "ion"
    return _listed().get(name) or _TABULATED.get(gemmi.find_tabulated_residue(name).kind, "ligand")


@functools.cache
def _listed() -> dict[str, ComponentKind]:
    """The kind of each component of the table, by its id."""
    lines = Path(__file__).with_name("component_kinds.tsv").read_text(encoding="ascii").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {name: _KINDS[kind] for kind, names in rows for name in names.split()}
