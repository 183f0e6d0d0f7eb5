"""What the tables of pKa values and dimorphite-dl leave open.

`pka_gaps.tsv` lists what chemists call acids and bases. It says nothing of their pKa: an atom of such a group that
nothing decides stays uncharged, and that is warned of.
"""

import functools
from collections.abc import Container

from rdkit import Chem

from dockyard_science.pka_table import read_table


def undecided_groups(mol: Chem.Mol, decided: Container[int]) -> dict[int, str]:
    """The uncharged atoms of ionisable groups that are not decided, each with the name of its first group."""
    found: dict[int, str] = {}
    for name, pattern in _groups():
        for atom, *_ in mol.GetSubstructMatches(pattern, uniquify=False):
            if atom not in decided and mol.GetAtomWithIdx(atom).GetFormalCharge() == 0:
                found.setdefault(atom, name)
    return found


@functools.cache
def _groups() -> list[tuple[str, Chem.Mol]]:
    return [(name, Chem.MolFromSmarts(smarts)) for name, smarts in read_table("pka_gaps.tsv")]
