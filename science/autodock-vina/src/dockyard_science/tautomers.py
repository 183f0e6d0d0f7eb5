"""Finds the tautomer in which a molecule stands in water, where it was drawn as one that hardly occurs there.

`tautomers.tsv` has a reaction for each unlikely form. The reactions are asked from the top, again and again until none
is left, and each moves one proton. They work on the uncharged molecule with its atoms in canonical order, so the
outcome does not depend on the charges or the order of atoms with which the ligand was drawn.

`tautomer_pairs.tsv` has reactions between forms that both occur, such as those of an imidazole.
"""

import functools
from dataclasses import dataclass
from typing import Any

from rdkit import Chem
from rdkit.Chem import rdChemReactions

from dockyard_science.ligand_neutral import canonical_order, hydrogen_name, neutral_form
from dockyard_science.ligand_protonation import protonate, task_warning
from dockyard_science.pka_table import read_table
from dockyard_science.spec import LigandTautomer
from dockyard_session.tool import TaskWarning

# A molecule within the limits has fewer protons that can be drawn wrongly.
_MOST_STEPS = 32
_MOST_TAUTOMERS = 16


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
    # How far what is made lies above what it is made of, in pKa units; 0 in the table of unlikely forms.
    units: float


def tautomer_of(mol: Chem.Mol, wanted: LigandTautomer, ph: float, warnings: list[TaskWarning]) -> Chem.Mol:
    """The molecule as it was sent or in its likely form, adding to `warnings` where the two differ at a pH.

    A thiol of a tetrazole and its thione are one ion at pH 7.4: what was sent is docked as what is there.
    """
    likely = likely_tautomer(mol)
    if likely is None or (wanted == "as_sent" and _docked_name(mol, ph) == _docked_name(likely.mol, ph)):
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


def _docked_name(mol: Chem.Mol, ph: float) -> str:
    return hydrogen_name(protonate(mol, ph, []).mol)


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
        made = _products(row, mol)
        if made:
            return row, made[0]
    return None


def near_tautomers(mol: Chem.Mol) -> list[tuple[Chem.Mol, float]]:
    """The given form of a molecule and those that occur beside it, each with its pKa units above the likeliest.

    They stand in the order of their units, then of their SMILES.
    """
    start = neutral_form(mol)
    if start is None or not any(start.HasSubstructMatch(row.unlikely) for row in _pairs()):
        return [(mol, 0.0)]
    found = {str(Chem.MolToSmiles(start)): (start, 0.0)}
    open_forms = list(found)
    while open_forms and len(found) < _MOST_TAUTOMERS:
        current, units = found[open_forms.pop(0)]
        for row in _pairs():
            for form in _products(row, current):
                smiles = str(Chem.MolToSmiles(form))
                if smiles not in found and len(found) < _MOST_TAUTOMERS:
                    found[smiles] = (form, units + row.units)
                    open_forms.append(smiles)
    likeliest = min(units for _, units in found.values())
    ordered = sorted(found, key=lambda name: (found[name][1], name))
    return [(found[smiles][0], found[smiles][1] - likeliest) for smiles in ordered]


def _products(row: _Row, mol: Chem.Mol) -> list[Chem.Mol]:
    """What a reaction makes of a molecule, in the order of the SMILES."""
    products = [canonical_order(product) for (product,) in row.reaction.RunReactants((mol,))]
    made = {str(Chem.MolToSmiles(each[0])): each[0] for each in products if each is not None}
    return [made[smiles] for smiles in sorted(made)]


@functools.cache
def _pairs() -> list[_Row]:
    return [
        _row(name, smarts, source, float(units))
        for name, smarts, units, _, source in read_table("tautomer_pairs.tsv")
    ]


@functools.cache
def _rows() -> list[_Row]:
    return [_row(name, smarts, source) for name, smarts, _, source in read_table("tautomers.tsv")]


def _row(name: str, smarts: str, source: str, units: float = 0.0) -> _Row:
    reaction = rdChemReactions.ReactionFromSmarts(smarts)
    reaction.Initialize()
    return _Row(name, reaction, reaction.GetReactantTemplate(0), source, units)
