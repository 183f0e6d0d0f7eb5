"""Finds the tautomer in which a molecule stands in water, where it was drawn as one that hardly occurs there.

`tautomers.tsv` has a reaction for each unlikely form. The reactions are asked from the top, again and again until none
is left, and each moves one proton. They work on the uncharged molecule with its atoms in canonical order, so the
outcome does not depend on the charges or the order of atoms with which the ligand was drawn.
"""

import functools
from dataclasses import dataclass
from typing import Any

from rdkit import Chem
from rdkit.Chem import rdChemReactions

from dockyard_science.ligand_neutral import canonical_order, neutral_form
from dockyard_science.ligand_protonation import task_warning
from dockyard_science.pka_table import read_table
from dockyard_science.spec import LigandTautomer
from dockyard_session.tool import TaskWarning

# A molecule within the limits has fewer protons that can be drawn wrongly.
_MOST_STEPS = 32


@dataclass(frozen=True)
class Likely:
    """The likely form of a molecule, uncharged, and the names of what was unlikely, each with its source."""

    mol: Chem.Mol
    kinds: dict[str, str]


@dataclass(frozen=True)
class _Row:
    name: str
    reaction: Any
    unlikely: Chem.Mol
    source: str


def tautomer_of(mol: Chem.Mol, wanted: LigandTautomer, warnings: list[TaskWarning]) -> Chem.Mol:
    """The molecule as it was sent or in its likely form, adding to `warnings` where the two differ."""
    likely = likely_tautomer(mol)
    if likely is None:
        return mol
    form = Chem.MolToSmiles(likely.mol)
    reason = "; ".join(f"{name} ({source})" for name, source in likely.kinds.items())
    if wanted == "as_sent":
        message = f"The ligand was docked as it was sent, which hardly occurs in water; there it is {form}: {reason}"
        warnings.append(task_warning("TAUTOMER_UNLIKELY", message))
        return mol
    message = f"The ligand was docked as {form}, because what was sent hardly occurs in water: {reason}"
    warnings.append(task_warning("TAUTOMER_CHANGED", message))
    return likely.mol


def likely_tautomer(mol: Chem.Mol) -> Likely | None:
    """The likely form of a molecule; None where nothing says that the given one is unlikely."""
    current = neutral_form(mol)
    kinds: dict[str, str] = {}
    for _ in range(_MOST_STEPS):
        step = None if current is None else _step(current)
        if step is None:
            break
        row, current = step
        kinds[row.name] = row.source
    return Likely(current, kinds) if kinds and current is not None else None


def _step(mol: Chem.Mol) -> tuple[_Row, Chem.Mol] | None:
    """The molecule with one proton moved, and the row that says so."""
    for row in _rows():
        if not mol.HasSubstructMatch(row.unlikely):
            continue
        products = [canonical_order(product) for (product,) in row.reaction.RunReactants((mol,))]
        made = {str(Chem.MolToSmiles(each[0])): each[0] for each in products if each is not None}
        if made:
            return row, made[min(made)]
    return None


@functools.cache
def _rows() -> list[_Row]:
    rows = []
    for name, smarts, _, source in read_table("tautomers.tsv"):
        reaction = rdChemReactions.ReactionFromSmarts(smarts)
        reaction.Initialize()
        rows.append(_Row(name, reaction, reaction.GetReactantTemplate(0), source))
    return rows
