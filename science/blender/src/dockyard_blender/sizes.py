"""How large the pictures of a scene say that they are, read from their first bytes and not by opening them.

A file of a few bytes may say that it has 100,000 x 100,000 pixels, and Blender takes the memory for them before it
finds the pixels missing.
"""

import re
import struct
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO, cast

from dockyard_session.errors import ScienceError

_PNG, _EXR, _JPEG, _RADIANCE = b"\x89PNG\r\n\x1a\n", b"\x76\x2f\x31\x01", b"\xff\xd8", b"#?"
#: The data window among the attributes of an EXR: name, type and length, then four numbers.
_WINDOW = re.compile(rb"\0dataWindow\0box2i\0\x10\0\0\0(.{16})", re.DOTALL)
_HEAD_BYTES = 64 * 1024
#: Bytes of a pixel of 8 bits, and of one with more, in memory.
_PLAIN_BYTES, _DEEP_BYTES = 4, 8
#: A JPEG has its size before its pixels, behind a few segments of texts.
_MOST_SEGMENTS = 10_000
_SIZES_OF_JPEG = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})


def check_picture(said: str, file: BinaryIO, most_bytes: float) -> None:
    """Raise SCENE_NEEDS_MEMORY where a picture would take more memory than there is; `said` names it."""
    size = size_of_picture(file)
    if size is None:
        return
    width, height, pixel_bytes = size
    needed = width * height * pixel_bytes
    if needed > most_bytes:
        raise ScienceError(
            "SCENE_NEEDS_MEMORY",
            f"{said} says that it has {width} x {height} pixels, which take {needed / 1e9:.1f} GB of memory; a frame"
            f" may use {most_bytes / 1e9:.1f} GB. Take a smaller picture, or ask for more with parameters.memoryGiB.",
        )


def size_of_picture(file: BinaryIO) -> tuple[int, int, int] | None:
    """Width, height and bytes of a pixel of a PNG, EXR, JPEG or Radiance picture; None for anything else."""
    head = file.read(_HEAD_BYTES)
    try:
        if head.startswith(_PNG):
            width, height, depth = struct.unpack_from(">IIB", head, 16)
            return width, height, _PLAIN_BYTES if depth <= 8 else _DEEP_BYTES
        if head.startswith(_EXR):
            found = _WINDOW.search(head)
            left, top, right, bottom = struct.unpack("<4i", found[1]) if found else (0, 0, 0, 0)
            return right - left + 1, bottom - top + 1, _DEEP_BYTES
        if head.startswith(_JPEG):
            return _jpeg_size(file)
        if head.startswith(_RADIANCE):
            lines = re.search(rb"\n\n[-+]Y (\d+) [-+]X (\d+)\n", head)
            return None if lines is None else (int(lines[2]), int(lines[1]), _DEEP_BYTES)
    except struct.error:
        # The file breaks off; Blender finds that, too.
        return None
    return None


def _jpeg_size(file: BinaryIO) -> tuple[int, int, int] | None:
    for code, place in islice(_segments(file), _MOST_SEGMENTS):
        if code in _SIZES_OF_JPEG:
            file.seek(place + 1)
            height, width = cast("tuple[int, int]", struct.unpack(">HH", file.read(4)))
            return width, height, _PLAIN_BYTES
    return None


def _segments(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """The segments before the pixels: each with its code, and the place of its contents."""
    place = len(_JPEG)
    while True:
        file.seek(place)
        mark, code, length = struct.unpack(">BBH", file.read(4))
        if mark != 0xFF:
            return
        yield code, place + 4
        place += 2 + length
