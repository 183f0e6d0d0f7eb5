"""Fortran files of records, each between its length before and behind: joined, and compared.

The length may stand in either order of bytes, because a build chooses it; the first record tells which.
"""

import struct
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO

_BYTES = 4


def _order_of(file: BinaryIO, size: int) -> str:
    """The order of bytes in which the first record has the same length before and behind."""
    for order in ("<", ">"):
        file.seek(0)
        (length,) = struct.unpack(f"{order}i", file.read(_BYTES).ljust(_BYTES, b"\0"))
        if 0 <= length <= size - 2 * _BYTES:
            file.seek(_BYTES + length)
            if file.read(_BYTES) == struct.pack(f"{order}i", length):
                file.seek(0)
                return order
    file.seek(0)
    raise ValueError("it has no records of Fortran")


def records(path: Path) -> Iterator[bytes]:
    """The records of a file, with their lengths; raises ValueError where it has none."""
    for order, data in payloads(path):
        length = struct.pack(f"{order}i", len(data))
        yield length + data + length


def payloads(path: Path) -> Iterator[tuple[str, bytes]]:
    """The records of a file without their lengths, each with the order of bytes; raises ValueError as above."""
    size = path.stat().st_size
    if size == 0:
        return
    with path.open("rb") as file:
        order = _order_of(file, size)
        while head := file.read(_BYTES):
            (length,) = struct.unpack(f"{order}i", head)
            yield order, file.read(length)
            file.read(_BYTES)


def append(part: Path, whole: Path, head_records: int) -> None:
    """Add the records of a piece behind its head to what the pieces before it wrote; the heads are the same."""
    if not whole.exists():
        whole.parent.mkdir(parents=True, exist_ok=True)
        part.rename(whole)
        return
    with whole.open("ab") as target:
        for number, record in enumerate(records(part)):
            if number >= head_records:
                target.write(record)
    part.unlink()


def difference(one: Path, other: Path) -> str | None:
    """In what two files differ; None where they are equal."""
    if one.read_bytes() == other.read_bytes():
        return None
    try:
        pairs = list(zip_longest(records(one), records(other)))
    except (ValueError, struct.error):
        return "its bytes differ"
    differing = [number for number, (left, right) in enumerate(pairs, start=1) if left != right]
    return f"{len(differing)} of {len(pairs)} records differ, the first is record {differing[0]}"
