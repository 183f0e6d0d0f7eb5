"""Where one molecule of a receptor ends and the next begins, which a chain's id does not always say.

Programs that know no chains put several molecules under one id. pdb2pqr takes a chain for one molecule, and where an
OXT shows that it is not, it renames a part of it on its own. So each stretch gets a letter of its own before pdb2pqr
and its own name back afterwards. A gap ends no stretch: the chain goes on there unseen, so its ends stay uncharged.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dockyard_structures.atoms import Residue, ResidueKey, chain_letters
from dockyard_structures.residues import AMINO_ACIDS, END_CAPS, LINK_ANGSTROM, START_CAPS

_START_HYDROGENS = frozenset({"H", "H1", "H2", "H3"})


@dataclass(frozen=True)
class Lettered:
    """Residues under the name of their stretch, the letter of each name, and each stretch's own chain by letter."""

    residues: list[Residue]
    letters: dict[str, str]
    chains: dict[str, str]
    letter_of: dict[ResidueKey, str]


def letter_stretches(residues: Sequence[Residue]) -> Lettered:
    """Give each stretch a letter; the first of a chain keeps the chain's.

    Raises RECEPTOR_UNREADABLE where there are more stretches than letters.
    """
    renamed: list[Residue] = []
    chains: dict[str, str] = {}
    counts: dict[str, int] = {}
    name = ""
    for before, residue in zip([None, *residues[:-1]], residues, strict=True):
        if before is None or _is_end(before, residue):
            count = counts[residue.chain] = counts.get(residue.chain, 0) + 1
            name = residue.chain if count == 1 else f"{residue.chain} {count}"
            chains[name] = residue.chain
        renamed.append(replace(residue, chain=name))
    letters = chain_letters(chains)
    letter_of = {residue.key: letters[twin.chain] for residue, twin in zip(residues, renamed, strict=True)}
    return Lettered(renamed, letters, {letters[each]: chain for each, chain in chains.items()}, letter_of)


def without_inner_ends(residues: Sequence[Residue]) -> list[Residue]:
    """The residues without an OXT where the chain goes on with a bond, because a carbon cannot have both."""
    inner = {
        id(before) for before, after in pairwise(residues) if before.atom("OXT") and is_bonded(before, after)
    }
    return [
        residue.with_atoms(atom for atom in residue.atoms if atom.name != "OXT")
        if id(residue) in inner
        else residue
        for residue in residues
    ]


def is_bonded(before: Residue, after: Residue) -> bool:
    """Whether a residue is bonded to the next residue of its chain, by the distance between their ends."""
    return before.chain == after.chain and any(
        one and other and math.dist(one.position, other.position) < LINK_ANGSTROM
        for one, other in ((before.atom(end), after.atom(start)) for end, start in (("C", "N"), ("O3'", "P")))
    )


def begins_chain(residue: Residue) -> bool:
    """Whether a protonated residue has the charge of a chain's first residue: more hydrogens than an amide."""
    hydrogens = sum(atom.name in _START_HYDROGENS for atom in residue.atoms)
    return residue.name in AMINO_ACIDS and hydrogens > 1


def is_alone(residue: Residue) -> bool:
    """Whether a protonated residue is an amino acid by itself, charged at both ends."""
    return begins_chain(residue) and residue.atom("OXT") is not None


def end_remarks(residues: Sequence[Residue]) -> list[str]:
    """What a report says of protonated residues without a neighbour: which of their ends are charged."""
    remarks: list[str] = []
    ahead = [None, *residues[:-1]]
    behind = [*residues[1:], None]
    for before, residue, after in zip(ahead, residues, behind, strict=True):
        if residue.name not in AMINO_ACIDS:
            continue
        if (before and is_bonded(before, residue)) or (after and is_bonded(residue, after)):
            continue
        ends = [*(["N"] * begins_chain(residue)), *(["C"] * (residue.atom("OXT") is not None))]
        charged = f"charged at {' and '.join(ends)}" if ends else "without a charged end"
        remarks.append(f"{residue.label} has no neighbour; it is {charged}.")
    return remarks


def _is_amino(residue: Residue) -> bool:
    return residue.linked or residue.name in AMINO_ACIDS


def _is_end(before: Residue, after: Residue) -> bool:
    if before.chain != after.chain:
        return True
    if _is_amino(before) != _is_amino(after):
        return True
    if is_bonded(before, after):
        return False
    is_capped = (before.linked and before.component_id in END_CAPS) or (
        after.linked and after.component_id in START_CAPS
    )
    return is_capped or before.ends_molecule or before.atom("OXT") is not None
