"""The beginning of a .blend file: whether it is one, and which version of Blender has written it.

Blender opens a file of a later version with mere warnings and draws other pixels, so the version is read before.
"""

import gzip
import re
from pathlib import Path

from dockyard_session.errors import ScienceError

#: Version of Blender: major and minor number.
Version = tuple[int, int]

_ZSTD = b"\x28\xb5\x2f\xfd"
_GZIP = b"\x1f\x8b"
#: Until 4.5 `BLENDER-v405`; from 5.0 on `BLENDER17-01v0500`.
_OLD = re.compile(rb"BLENDER[-_][vV](\d)(\d\d)")
_NEW = re.compile(rb"BLENDER\d\d-\d\dv(\d\d)(\d\d)")
_HEADER_BYTES = 17


def read_version(path: Path) -> Version:
    """The version that has written the file; raises SCENE_UNREADABLE where the file is no scene."""
    head = _head_of(path)
    found = _OLD.match(head) or _NEW.match(head)
    if found is None:
        raise unreadable("it does not begin as a .blend file does")
    return int(found[1]), int(found[2])


def check_version(path: Path, installed: Version) -> Version:
    """Read the version of the file; raises SCENE_TOO_NEW where the installed Blender is older."""
    version = read_version(path)
    if version > installed:
        raise ScienceError(
            "SCENE_TOO_NEW",
            f"The scene was written by Blender {text_of(version)}, and Blender {text_of(installed)} would draw other"
            " pixels without a word. Save it for an older version (File, Save As, in that Blender).",
        )
    return version


def text_of(version: Version) -> str:
    """A version as people write it."""
    return f"{version[0]}.{version[1]}"


def unreadable(why: str) -> ScienceError:
    """The failure of a file that Blender cannot read."""
    return ScienceError("SCENE_UNREADABLE", f"The scene cannot be read: {why}.")


def _head_of(path: Path) -> bytes:
    with path.open("rb") as file:
        head = file.read(4)
        file.seek(0)
        if head == _ZSTD:
            import zstandard
        try:
            if head == _ZSTD:
                with zstandard.ZstdDecompressor().stream_reader(file) as reader:
                    return bytes(reader.read(_HEADER_BYTES))
            if head.startswith(_GZIP):
                with gzip.open(file) as unpacked:
                    return bytes(unpacked.read(_HEADER_BYTES))
        except Exception as error:
            # Each of the readers has errors of its own for a stream that is damaged.
            raise unreadable("it is damaged") from error
        return file.read(_HEADER_BYTES)
