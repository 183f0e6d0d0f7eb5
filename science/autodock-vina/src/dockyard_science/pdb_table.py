"""The atoms of a PDB file as a table of bytes, so that the same columns of all of them are looked at at once."""

import string
from collections import Counter

import numpy as np

from dockyard_structures.structure import ATOM_RECORDS

_ATOM_RECORDS = tuple(record.encode() for record in ATOM_RECORDS)

_WIDTH = 80
_SPACE, _NEWLINE = b" \n"

# The records of atoms as numbers of eight bytes, of which the last two are none of the record.
_ATOM_NUMBERS = np.array(_ATOM_RECORDS, dtype="S8").view(np.uint64)
_SIX_COLUMNS = np.frombuffer(b"\xff" * 6 + b"\0" * 2, dtype=np.uint64)[0]

# Columns that tell which record a line is, and which remark.
_BEGIN = 10

# Columns of an atom: its name; from altloc over residue and chain to the insertion code; both; its place; its segment.
_NAME, _RESIDUE, _NAMES, _PLACE, _SEGMENT = (
    slice(first, behind) for first, behind in ((12, 16), (16, 27), (12, 27), (30, 54), (72, 76))
)

_DIGITS_AS_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)

# Numbers of eight columns and three decimals, their digits as zeros.
_NUMBERS = np.array(
    [b"   0.000", b"  00.000", b"  -0.000", b" 000.000", b" -00.000", b"0000.000", b"-000.000"]
).view(np.uint64)

_PLAIN = f" {string.digits}{string.ascii_letters}".encode()
_PRIMES = b"'*"


class PdbTable:
    """The lines of a PDB file.

    `has_atoms` says whether there are atoms, `has_usual_places` whether the place of each is three numbers of eight
    columns and three decimals. `others` has the first ten columns of all other lines, in the order of the
    file, and how many lines begin so.
    """

    def __init__(self, text: str) -> None:
        """Lay out a text; what is no ASCII stands as a question mark."""
        data = text.encode("ascii", errors="replace")
        rows = _even_rows(data)
        if rows is None:
            lines = data.split(b"\n")
            atoms = (line[:_WIDTH].ljust(_WIDTH) for line in lines if line.startswith(_ATOM_RECORDS))
            self._atoms = np.frombuffer(b"".join(atoms), dtype=np.uint8).reshape(-1, _WIDTH)
            others = Counter(line[:_BEGIN] for line in lines if not line.startswith(_ATOM_RECORDS))
        else:
            records = np.ascontiguousarray(rows[:, :8]).view(np.uint64).ravel() & _SIX_COLUMNS
            is_atom = (records == _ATOM_NUMBERS[0]) | (records == _ATOM_NUMBERS[1])
            self._atoms = rows[np.flatnonzero(is_atom)]
            begins = rows[np.flatnonzero(~is_atom), :_BEGIN]
            others = Counter(begins.view(f"S{_BEGIN}").ravel().tolist())
        self.others = {begin.decode(): count for begin, count in others.items()}
        self.has_atoms = len(self._atoms) > 0
        places = self._atoms[:, _PLACE].tobytes().translate(_DIGITS_AS_ZEROS)
        self.has_usual_places = bool(np.isin(np.frombuffer(places, dtype=np.uint64), _NUMBERS).all())

    def has_plain_names(self) -> bool:
        """Whether all names are of letters and digits, those of atoms also of primes behind these."""
        if not _signs(self._atoms[:, _NAMES]):
            return True
        names = self._atoms[:, _NAME]
        if _signs(self._atoms[:, _RESIDUE]) or _signs(names).strip(_PRIMES):
            return False
        return not _signs(names[:, 0]) and not _signs(names[:, 1:][names[:, :-1] == _SPACE])

    def has_segments(self) -> bool:
        """Whether an atom has a segment."""
        return bool(self._atoms[:, _SEGMENT].tobytes().strip())


def _signs(columns: np.ndarray) -> bytes:
    """What stands in some columns and is no letter, digit or blank."""
    return columns.tobytes().translate(None, delete=_PLAIN)


def _even_rows(data: bytes) -> np.ndarray | None:
    """The lines as rows where each has 80 columns, as the archive and most programs write them."""
    is_end = np.frombuffer(data, dtype=np.uint8) == _NEWLINE
    lines = np.count_nonzero(is_end)
    if len(data) != lines * (_WIDTH + 1) or not is_end[_WIDTH :: _WIDTH + 1].all():
        return None
    return np.frombuffer(data, dtype=np.uint8).reshape(lines, _WIDTH + 1)[:, :_WIDTH]
