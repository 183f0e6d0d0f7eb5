"""Files of pictures without what differs from run to run: dates, times, paths and names of machines.

Blender writes them into texts of PNG, attributes of EXR and comments of JPEG. The pixels are not touched. The chunk
offsets of an EXR are absolute, so they move with the header.
"""

import struct
from collections.abc import Callable
from pathlib import Path

_PNG = b"\x89PNG\r\n\x1a\n"
#: Chunks of PNG that say something of the pixels, or how to show them.
_PNG_KEPT = frozenset(
    {
        b"IHDR",
        b"PLTE",
        b"tRNS",
        b"IDAT",
        b"IEND",
        b"gAMA",
        b"cHRM",
        b"sRGB",
        b"iCCP",
        b"cICP",
        b"sBIT",
        b"pHYs",
    }
)
_EXR = b"\x76\x2f\x31\x01"
_MULTIPART = 0x1000
#: Attributes of EXR that say something of the pixels.
_EXR_KEPT = frozenset(
    {
        b"channels",
        b"compression",
        b"dataWindow",
        b"displayWindow",
        b"lineOrder",
        b"pixelAspectRatio",
        b"screenWindowCenter",
        b"screenWindowWidth",
        b"chromaticities",
        b"whiteLuminance",
        b"multiView",
        b"view",
        b"type",
        b"name",
        b"version",
        b"chunkCount",
        b"tiles",
        b"BlenderMultiChannel",
        b"xDensity",
    }
)
#: The names of objects by their colours in mattes.
_EXR_KEPT_PREFIX = b"cryptomatte/"
_LINES_OF_CHUNK = {0: 1, 1: 1, 2: 1, 3: 16, 4: 32, 5: 16, 6: 32, 7: 32, 8: 32, 9: 256}
_JPEG_START, _JPEG_SCAN = b"\xff\xd8", 0xDA
#: Comments, and the application segments that hold texts: EXIF and XMP, IPTC.
_JPEG_DROPPED = frozenset({0xFE, 0xE1, 0xED})


class PictureError(Exception):
    """The file is not what its format says; Blender has not written it to its end."""


def canonical_png(data: bytes) -> bytes:
    """A PNG without its texts and times."""
    if not data.startswith(_PNG):
        raise PictureError("no PNG")
    parts, place = [_PNG], len(_PNG)
    while place < len(data):
        if place + 8 > len(data):
            raise PictureError("a PNG that breaks off")
        length, kind = struct.unpack_from(">I4s", data, place)
        end = place + 12 + length
        if end > len(data):
            raise PictureError("a PNG that breaks off")
        if kind in _PNG_KEPT:
            parts.append(data[place:end])
        place = end
    return b"".join(parts)


def canonical_exr(data: bytes) -> bytes:
    """A single-part EXR without the attributes that say nothing of the pixels."""
    if not data.startswith(_EXR):
        raise PictureError("no EXR")
    if struct.unpack_from("<I", data, 4)[0] & _MULTIPART:
        raise PictureError("an EXR of several parts")
    kept, attributes, place = [data[:8]], {}, 8
    while data[place] != 0:
        start = place
        name_end = data.index(b"\0", place)
        type_end = data.index(b"\0", name_end + 1)
        (size,) = struct.unpack_from("<I", data, type_end + 1)
        place = type_end + 5 + size
        name = data[start:name_end]
        attributes[name] = data[type_end + 5 : place]
        if name in _EXR_KEPT or name.startswith(_EXR_KEPT_PREFIX):
            kept.append(data[start:place])
    place += 1
    header = b"".join(kept) + b"\0"
    chunks = _chunks_of(attributes)
    offsets = struct.unpack_from(f"<{chunks}Q", data, place)
    moved = struct.pack(f"<{chunks}Q", *(offset - (place - len(header)) for offset in offsets))
    return header + moved + data[place + 8 * chunks :]


def _chunks_of(attributes: dict[bytes, bytes]) -> int:
    """How many chunks an EXR of scan lines has; Blender writes no tiles."""
    if b"tiles" in attributes:
        raise PictureError("an EXR of tiles")
    _, top, _, bottom = struct.unpack("<4i", attributes[b"dataWindow"])
    lines = _LINES_OF_CHUNK[attributes[b"compression"][0]]
    return int(-(-(bottom - top + 1) // lines))


def canonical_jpeg(data: bytes) -> bytes:
    """A JPEG without comments and texts."""
    if not data.startswith(_JPEG_START):
        raise PictureError("no JPEG")
    parts, place = [_JPEG_START], 2
    while True:
        mark, code, length = struct.unpack_from(">BBH", data, place)
        if mark != 0xFF:
            raise PictureError("a JPEG whose segments do not follow each other")
        if code == _JPEG_SCAN:
            return b"".join([*parts, data[place:]])
        end = place + 2 + length
        if code not in _JPEG_DROPPED:
            parts.append(data[place:end])
        place = end


_BY_ENDING: dict[str, Callable[[bytes], bytes]] = {
    ".png": canonical_png,
    ".exr": canonical_exr,
    ".jpg": canonical_jpeg,
}


def make_canonical(path: Path) -> None:
    """Write the file again without what differs from run to run; raises PictureError where it is not whole."""
    try:
        data = _BY_ENDING[path.suffix](path.read_bytes())
    except (struct.error, IndexError, KeyError, ValueError) as error:
        raise PictureError(str(error)) from error
    path.write_bytes(data)
