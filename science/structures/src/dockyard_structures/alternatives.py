"""Alternative locations whose letters a program has lost: told by their occupancies.

A program that drops the letters writes each place of an atom one after another under the same name. Where every atom
of a residue that is there more than once has occupancies below 1 that add up to no more than 1, the places share the
atom, as alternative locations do; two molecules that count alike have whole atoms each.
"""

import string
from collections import defaultdict

import gemmi

# Occupancies have two decimals, and thirds do not add up to 1.
_WHOLE = 1.02


def letter_alternatives(model: gemmi.Model) -> list[str]:
    """Give letters to alternative locations that have none; remarks on the number of residues that had such."""
    count = sum(_letter(residue) for chain in model for residue in chain)
    if count == 0:
        return []
    residues = "one residue" if count == 1 else f"{count} residues"
    return [f"Atoms of {residues} stand in several places without letters, which their occupancies share."]


def _letter(residue: gemmi.Residue) -> bool:
    places: dict[str, list[gemmi.Atom]] = defaultdict(list)
    for atom in residue:
        if not atom.is_hydrogen():
            places[atom.name].append(atom)
    shared = [atoms for atoms in places.values() if len(atoms) > 1]
    if not shared or not all(_share(atoms) for atoms in shared):
        return False
    for atoms in shared:
        for letter, atom in zip(string.ascii_uppercase, atoms, strict=False):
            atom.altloc = letter
    return True


def _share(atoms: list[gemmi.Atom]) -> bool:
    """Whether these atoms of one name are the places of one atom."""
    lettered = any(atom.has_altloc() for atom in atoms)
    parts = [atom.occ for atom in atoms]
    return not lettered and all(0 < part < 1 for part in parts) and sum(parts) <= _WHOLE
