"""The table of pKa values: which atoms of an uncharged molecule take or give a proton, and at which pH.

`pka_sites.tsv` is asked from the top, and the first row that matches an atom speaks for it. `pka_shifts.tsv` says what
substituents add. Both are read, and their SMARTS compiled, once per process.
"""

import functools
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal

from rdkit import Chem

Kind = Literal["acid", "base", "carbon", "none"]

_FOLDER = Path(__file__).resolve().parent
_KINDS: dict[str, Kind] = {"acid": "acid", "base": "base", "carbon": "carbon", "none": "none"}
# A row that matches more often belongs to a molecule that is far too large to be docked.
_MAX_MATCHES = 5000
# The one class whose shifts count by path and not by substituent.
_BY_PATH = "amine"
# From so many rows on it is faster to look for the atom first that they have in common.
_ROWS_WORTH_A_LOOK = 3
# No set of sites holds it, so that rows which share their atom with few others are always tried.
_ANY = frozenset({-1})


@dataclass(frozen=True)
class Site:
    """An atom that takes a proton (base) or gives one (acid, carbon), or does neither (none).

    The tautomer stays as it was sent, so a carbon keeps its proton, and that is warned of.

    `pka` is that of the group with its substituents, all other groups uncharged; `spread` is the standard deviation
    of a class mean, 0 for a value of the table.
    """

    atom: int
    kind: Kind
    pka: float
    group: str
    source: str
    spread: float = 0.0


@dataclass(frozen=True)
class _Row:
    name: str
    kind: Kind
    shift_class: str
    atoms: tuple[int, ...]
    pkas: tuple[float, ...]
    pattern: Chem.Mol
    # What the pattern asks of its first site by itself, as SMARTS.
    site_atom: str
    source: str


@dataclass(frozen=True)
class _Shift:
    amount: float
    pattern: Chem.Mol


def table_sites(mol: Chem.Mol) -> dict[int, Site]:
    """What the table says of each atom that it knows, by atom index."""
    sites: dict[int, Site] = {}
    candidates = {smarts: _atoms_that_match(mol, smarts) for smarts in _site_atoms()}
    for row in _rows():
        # A row whose first site is none of its candidates, or only such as are settled, cannot match any more.
        if candidates.get(row.site_atom, _ANY) <= sites.keys():
            continue
        for match in mol.GetSubstructMatches(row.pattern, uniquify=False, maxMatches=_MAX_MATCHES):
            atoms = [match[index] for index in row.atoms]
            if any(atom in sites or mol.GetAtomWithIdx(atom).GetFormalCharge() for atom in atoms):
                continue
            sites.update((site.atom, site) for site in _sites_of(mol, row, atoms))
    return sites


def _sites_of(mol: Chem.Mol, row: _Row, atoms: Sequence[int]) -> Iterator[Site]:
    """The sites of one match: of equivalent atoms the one that its substituents help most comes first."""
    shifts = {atom: _shift(mol, row.shift_class, atom) for atom in atoms}
    ordered = sorted(atoms, key=lambda atom: shifts[atom], reverse=row.kind == "base")
    for atom, pka in zip(ordered, row.pkas, strict=True):
        shift = shifts[atom]
        source = f"{row.source}; {shift:+.1f} for substituents" if shift else row.source
        yield Site(atom, row.kind, round(pka + shift, 2), row.name, source)


def _shift(mol: Chem.Mol, shift_class: str, atom: int) -> float:
    total = 0.0
    for shift in _shifts().get(shift_class, []):
        matches = mol.GetSubstructMatches(shift.pattern, uniquify=False, maxMatches=_MAX_MATCHES)
        paths = {frozenset(match) for match in matches if match[0] == atom}
        if shift_class == _BY_PATH:
            paths = {path for path in paths if not _has_shortcut(mol, shift.pattern, path)}
        else:
            paths = {frozenset(each for each in path if not _is_aromatic(mol, each)) for path in paths}
        total += shift.amount * len(paths)
    return round(total, 2)


def _has_shortcut(mol: Chem.Mol, pattern: Chem.Mol, path: Set[int]) -> bool:
    """Whether a path leads round what is also reached at once, as over the second carbon of an epoxide."""
    bonds = sum(mol.GetBondBetweenAtoms(*pair) is not None for pair in combinations(path, 2))
    return bonds > pattern.GetNumBonds()


def _atoms_that_match(mol: Chem.Mol, smarts: str) -> set[int]:
    return {atom for (atom,) in mol.GetSubstructMatches(_site_atoms()[smarts], maxMatches=_MAX_MATCHES)}


def _is_aromatic(mol: Chem.Mol, atom: int) -> bool:
    return bool(mol.GetAtomWithIdx(atom).GetIsAromatic())


@functools.cache
def _rows() -> list[_Row]:
    rows = []
    for name, kind, atoms, pkas, smarts, _, source in read_table("pka_sites.tsv"):
        plain, _, shift_class = kind.partition(":")
        indices = tuple(int(index) for index in atoms.split(","))
        values = (0.0,) * len(indices) if pkas == "-" else tuple(float(value) for value in pkas.split(","))
        pattern = _compile(smarts)
        site_atom = pattern.GetAtomWithIdx(indices[0]).GetSmarts()
        rows.append(_Row(name, _KINDS[plain], shift_class, indices, values, pattern, site_atom, source))
    return rows


@functools.cache
def _site_atoms() -> dict[str, Chem.Mol]:
    """The atoms that several rows ask for as their first site, as patterns of their own.

    Where a molecule has none that is open, those rows need not be tried; most molecules have few such atoms.
    """
    count = Counter(row.site_atom for row in _rows())
    return {smarts: _compile(smarts) for smarts in count if count[smarts] >= _ROWS_WORTH_A_LOOK}


@functools.cache
def _shifts() -> dict[str, list[_Shift]]:
    shifts: dict[str, list[_Shift]] = {}
    for shift_class, amount, smarts, *_ in read_table("pka_shifts.tsv"):
        shifts.setdefault(shift_class, []).append(_Shift(float(amount), _compile(smarts)))
    return shifts


def read_table(name: str) -> list[list[str]]:
    """The rows of a table beside this file, without its remarks and its heading."""
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return rows[1:]


def _compile(smarts: str) -> Chem.Mol:
    pattern = Chem.MolFromSmarts(smarts)
    if pattern is None:
        raise ValueError(f"{smarts} is no SMARTS")
    return pattern
