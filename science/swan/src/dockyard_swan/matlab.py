"""Reads the numbers of a MATLAB file (level 5, not compressed) as SWAN writes it, one matrix after the other."""

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_HEAD_BYTES = 128
_TAG = struct.Struct("<II")
_MATRIX = 14
_TYPES: dict[int, np.dtype[np.float32] | np.dtype[np.float64]] = {7: np.dtype("<f4"), 9: np.dtype("<f8")}


def matrices(path: Path) -> Iterator[tuple[str, NDArray[np.floating]]]:
    """Name and numbers of each matrix; a matrix of other numbers than reals is left out."""
    with path.open("rb") as file:
        file.seek(_HEAD_BYTES)
        while len(head := file.read(_TAG.size)) == _TAG.size:
            kind, size = _TAG.unpack(head)
            body = file.read(size)
            if kind == _MATRIX:
                parts = list(_parts(body))
                if len(parts) > 3 and parts[3][0] in _TYPES:
                    of, data = _TYPES[parts[3][0]], parts[3][1]
                    numbers: NDArray[np.floating] = np.frombuffer(data, of, len(data) // of.itemsize)
                    yield parts[2][1].decode("latin-1").rstrip("\0 "), numbers


def _parts(body: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + _TAG.size <= len(body):
        kind, size = _TAG.unpack_from(body, at)
        if kind >> 16:
            # A small part stands in its own tag.
            yield kind & 0xFFFF, body[at + 4 : at + 4 + (kind >> 16)]
            at += _TAG.size
            continue
        yield kind, body[at + _TAG.size : at + _TAG.size + size]
        at += _TAG.size + size + -size % 8
