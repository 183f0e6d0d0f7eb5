"""A PDB file as a table of bytes, so that the same columns of all its lines are looked at at once."""

import string

import numpy as np

#: The records of atoms.
ATOM_RECORDS = ("ATOM  ", "HETATM")

_WIDTH = 80

_SPACE, _NEWLINE = b" \n"

# Columns of an atom: its name; from altloc over residue and chain to the insertion code; its place; its segment.
_NAME, _RESIDUE, _PLACE, _SEGMENT = slice(12, 16), slice(16, 27), slice(30, 54), slice(72, 76)

# The number of a remark.
_REMARK = slice(7, 10)

_DIGITS_AS_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)

# Numbers of eight columns and three decimals, their digits as zeros.
_NUMBERS = np.array(
    [b"   0.000", b"  00.000", b"  -0.000", b" 000.000", b" -00.000", b"0000.000", b"-000.000"]
).view(np.uint64)

_PLAIN = f" {string.digits}{string.ascii_letters}".encode()
_PRIMES = b"'*"


class PdbTable:
    """The lines of a PDB file.

    `has_atoms` says whether there are atoms, `records` how many lines there are of each other record.
    """

    def __init__(self, text: str) -> None:
        """Lay out a text; what is no ASCII stands as a question mark."""
        self._rows = _rows(text.encode("ascii", errors="replace"))
        names = np.zeros((len(self._rows), 8), dtype=np.uint8)
        names[:, :6] = self._rows[:, :6]
        self._names = names.view(np.uint64).ravel()
        atom, hetatm = (self._names == _packed(record) for record in ATOM_RECORDS)
        is_atom = atom | hetatm
        found, counts = np.unique(self._names[~is_atom], return_counts=True)
        names_found = [name.tobytes().rstrip(b"\0").decode() for name in found]
        self.records = dict(zip(names_found, counts.tolist(), strict=True))
        self._atoms = self._rows[is_atom]
        self.has_atoms = len(self._atoms) > 0

    def count_remarks(self, *numbers: str) -> int:
        """Count the lines of the remarks of some numbers."""
        rows = self._rows[self._names == _packed("REMARK"), _REMARK]
        told = rows.view(f"S{rows.shape[1]}").ravel().tolist()
        return sum(told.count(number.encode()) for number in numbers)

    def has_usual_places(self) -> bool:
        """Whether every atom has three numbers of eight columns and three decimals."""
        places = self._atoms[:, _PLACE].tobytes().translate(_DIGITS_AS_ZEROS)
        return bool(np.isin(np.frombuffer(places, dtype=np.uint64), _NUMBERS).all())

    def has_plain_names(self) -> bool:
        """Whether all names are of letters and digits, those of atoms also of primes behind these."""
        if self._atoms[:, _RESIDUE].tobytes().translate(None, delete=_PLAIN):
            return False
        names = self._atoms[:, _NAME]
        others = names.tobytes().translate(None, delete=_PLAIN)
        if not others or others.strip(_PRIMES):
            return not others
        begins = names[:, 1:][names[:, :-1] == _SPACE].tobytes() + names[:, 0].tobytes()
        return not begins.translate(None, delete=_PLAIN)

    def has_segments(self) -> bool:
        """Whether an atom has a segment."""
        return bool((self._atoms[:, _SEGMENT] != _SPACE).any())


def _packed(record: str) -> np.uint64:
    """The name of a record as one number."""
    return np.frombuffer(record.encode().ljust(8, b"\0"), dtype=np.uint64)[0]


def _rows(data: bytes) -> np.ndarray:
    """The first 80 columns of each line."""
    is_end = np.frombuffer(data, dtype=np.uint8) == _NEWLINE
    lines = np.count_nonzero(is_end)
    if len(data) == lines * (_WIDTH + 1) and is_end[_WIDTH :: _WIDTH + 1].all():
        return np.frombuffer(data, dtype=np.uint8).reshape(lines, _WIDTH + 1)[:, :_WIDTH]
    padded = [line[:_WIDTH].ljust(_WIDTH) for line in data.split(b"\n")]
    return np.frombuffer(b"".join(padded), dtype=np.uint8).reshape(-1, _WIDTH)
