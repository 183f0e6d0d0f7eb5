"""What an inspection says of how well a structure is known and whether a chain holds more than one protein.

B factors are those of an experiment; a prediction has its confidence in their place. A fusion partner, such as a
lysozyme in a loop of a receptor, is told by what depositors do with it: the file refers to another sequence there, or,
where it refers to none, the residues have numbers far from all others.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

import gemmi

from dockyard_structures.atoms import Residue
from dockyard_structures.residues import insertion_code

#: At this B factor an atom is spread by 1 Å in each direction (8 π² u²).
SPREAD_B_FACTOR = 79.0

# Loops and domains that are not seen leave smaller jumps in the numbers, and partners are whole domains.
_FAR_NUMBERS = 300
_FEWEST_RESIDUES = 20


def b_factors(model: gemmi.Model, polymer: Sequence[Residue]) -> dict[str, Any] | None:
    """The mean of the residues' B factors, the highest, and the residues that are spread by 1 Å and more.

    None where the file has none: all are the same.
    """
    by_key = {
        (chain.name, int(residue.seqid.num or 0), insertion_code(residue)): _mean(
            [atom.b_iso for atom in residue if not atom.is_hydrogen()]
        )
        for chain in model
        for residue in chain
        if len(residue)
    }
    found = [(residue, by_key[residue.key]) for residue in polymer if residue.key in by_key]
    values = [value for _, value in found]
    if len(set(values)) <= 1:
        return None
    return {
        "mean": round(_mean(values), 1),
        "most": round(max(values), 1),
        "above79": [residue.label for residue, value in found if value > SPREAD_B_FACTOR],
    }


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / max(len(values), 1)


def fusion_partners(polymer: Sequence[Residue], structure: gemmi.Structure) -> list[dict[str, Any]]:
    """Stretches of a chain, in the order of the file, that are of another protein than the chain's most part."""
    by_chain: dict[str, list[Residue]] = {}
    for residue in polymer:
        by_chain.setdefault(residue.chain, []).append(residue)
    references = _references(structure)
    rows: list[dict[str, Any]] = []
    for name, residues in by_chain.items():
        # Copies of an assembly's chain A are.
        known = references.get(name) or references.get(name.partition("-")[0], [])
        several = len({each.accession for each in known}) > 1
        rows += _referred(residues, known) if several else _far_away(residues)
    return rows


@dataclass(frozen=True)
class _Reference:
    """What sequence the residues from one number to another are of."""

    first: int
    last: int
    accession: str
    code: str


def _references(structure: gemmi.Structure) -> dict[str, list[_Reference]]:
    """The sequences of a database that a file refers to (DBREF, _struct_ref_seq), by chain."""
    groups = gemmi.MmcifOutputGroups(False)
    groups.struct_ref = True
    block = structure.make_mmcif_block(groups)
    codes = {
        row[0]: row.str(1)
        for row in block.find("_struct_ref.", ["id", "db_code", "db_name"])
        if row.str(2) != "PDB"
    }
    columns = [
        "ref_id",
        "pdbx_strand_id",
        "pdbx_auth_seq_align_beg",
        "pdbx_auth_seq_align_end",
        "pdbx_db_accession",
    ]
    found: dict[str, list[_Reference]] = {}
    for row in block.find("_struct_ref_seq.", columns):
        if row[0] in codes and _is_number(row[2]) and _is_number(row[3]):
            reference = _Reference(int(row[2]), int(row[3]), row.str(4), codes[row[0]])
            found.setdefault(row.str(1), []).append(reference)
    return found


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def _referred(polymer: Sequence[Residue], references: Sequence[_Reference]) -> list[dict[str, Any]]:
    owners = [
        next((each for each in references if each.first <= residue.number <= each.last), None)
        for residue in polymer
    ]
    counts = Counter(owner.accession for owner in owners if owner)
    if not counts:
        return []
    main, _ = counts.most_common(1)[0]
    rows: list[dict[str, Any]] = []
    for owner, stretch in groupby(zip(owners, polymer, strict=True), key=itemgetter(0)):
        residues = [residue for _, residue in stretch]
        if owner and owner.accession != main and len(residues) >= _FEWEST_RESIDUES:
            rows.append(_row(residues, f"{owner.code} {owner.accession}"))
    return rows


def _row(stretch: Sequence[Residue], reference: str | None) -> dict[str, Any]:
    return {
        "chain": stretch[0].chain,
        "first": stretch[0].number,
        "last": stretch[-1].number,
        "residues": len(stretch),
        "reference": reference,
    }


def _far_away(polymer: Sequence[Residue]) -> list[dict[str, Any]]:
    stretches: list[list[Residue]] = [[polymer[0]]]
    for before, residue in pairwise(polymer):
        if abs(residue.number - before.number) > _FAR_NUMBERS:
            stretches.append([])
        stretches[-1].append(residue)
    # A partner in a loop cuts the chain in two, whose numbers are near each other.
    groups: list[list[list[Residue]]] = []
    for stretch in sorted(stretches, key=_least):
        if not groups or _least(stretch) - max(map(_most, groups[-1])) > _FAR_NUMBERS:
            groups.append([])
        groups[-1].append(stretch)
    chain = max(groups, key=lambda group: sum(map(len, group)))
    return [
        _row(stretch, None)
        for stretch in stretches
        if not any(stretch is own for own in chain) and len(stretch) >= _FEWEST_RESIDUES
    ]


def _least(stretch: Sequence[Residue]) -> int:
    return min(residue.number for residue in stretch)


def _most(stretch: Sequence[Residue]) -> int:
    return max(residue.number for residue in stretch)
