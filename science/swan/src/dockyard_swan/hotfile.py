"""Compares unformatted hotfiles: Fortran records, each between its length before and behind.

The record of the time is left out: SWAN writes into it the last time that it has printed, whatever the state's time is.
"""

import re
import struct
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

_TIME = re.compile(rb"^\d{8}\.\d{6} *$")
_LENGTH = struct.Struct("<i")


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


def _records(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while head := file.read(_LENGTH.size):
            (length,) = _LENGTH.unpack(head)
            yield file.read(length)
            file.read(_LENGTH.size)
