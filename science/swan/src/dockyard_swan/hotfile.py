"""Compares unformatted hotfiles, and looks into them: Fortran records, each between its length before and behind.

The record of the time is left out: SWAN writes into it the last time that it has printed, whatever the state's time is.
Places stand before it, and behind it the spectrum of each point with the point's number, which begins at 2.
"""

import math
import re
import struct
from array import array
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

_TIME = re.compile(rb"^\d{8}\.\d{6} *$")
_LENGTH = struct.Struct("<i")
_PLACE = struct.Struct("<2f")
_FIRST_NUMBER = 2
#: Version, name and time; a stationary state has no time. Spectra are longer.
_HEAD_BYTES = 20


def difference(one: Path, other: Path) -> str | None:
    """In what two states differ; None where they are equal."""
    records, differing = 0, 0
    for left, right in zip_longest(_records(one), _records(other)):
        if left is None or right is None:
            return "the states have another number of records"
        records += 1
        if left != right and not (_TIME.match(left) and _TIME.match(right)):
            differing += 1
    return f"the states differ in {differing} of {records} records" if differing else None


def broken_place(state: Path) -> str | None:
    """The place of the first point whose spectrum has a number that is none, in words; None where all are numbers."""
    places: list[bytes] = []
    number, found, count = 0, None, 0
    for record in _records(state):
        if len(record) == _PLACE.size:
            places.append(record)
        elif len(record) == _LENGTH.size:
            (number,) = _LENGTH.unpack(record)
        elif len(record) > _HEAD_BYTES:
            count += 1
            if found is None and not math.isfinite(sum(array("f", record))):
                found = number - _FIRST_NUMBER
    if found is None:
        return None
    # Where points are left out of the grid their numbers are not those of the places.
    if count != len(places) or not 0 <= found < count:
        return f"at point {found + 1} of the grid"
    x, y = _PLACE.unpack(places[found])
    return f"at x {x:g} y {y:g}"


def _records(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while head := file.read(_LENGTH.size):
            (length,) = _LENGTH.unpack(head)
            yield file.read(length)
            file.read(_LENGTH.size)
