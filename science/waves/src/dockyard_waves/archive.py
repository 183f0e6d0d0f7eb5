"""Unpacks the archive of a case: zip, tar, tar.gz or tar.xz.

Nothing is written outside the folder, no link or device is made, and an archive that unpacks to more than a case may
have is given up while it is read, whatever sizes it tells of itself.
"""

import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from lzma import LZMAError
from pathlib import Path
from typing import IO

from dockyard_session.errors import ScienceError
from dockyard_waves.paths import inside, refused

#: The most files of a case, and the most bytes that all of them have together.
MOST_FILES = 5000
MOST_BYTES = 4 * 1024**3

_BLOCK_BYTES = 1024 * 1024
_ZIP = b"PK\x03\x04"
_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
_TAR_MAGIC_AT, _TAR_MAGIC = 257, b"ustar"
_UNREADABLE = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, LZMAError, EOFError, OSError, NotImplementedError, RuntimeError,
)  # fmt: skip


@dataclass(frozen=True)
class Bounds:
    """What a case may have."""

    files: int = MOST_FILES
    bytes: int = MOST_BYTES


def is_archive(path: Path) -> bool:
    """Whether the file begins as an archive does that is unpacked here."""
    with path.open("rb") as file:
        head = file.read(_TAR_MAGIC_AT + len(_TAR_MAGIC))
    return head.startswith((_ZIP, _GZIP, _XZ)) or head[_TAR_MAGIC_AT:] == _TAR_MAGIC


def unpack(path: Path, folder: Path, bounds: Bounds | None = None) -> list[str]:
    """Unpack below the folder; answers the names of the files, sorted.

    Raises CASE_UNREADABLE where the archive is damaged or too large, CASE_PATH_REFUSED for a link, a device, or a name
    that leads out of the case.
    """
    limits = bounds or Bounds()
    with path.open("rb") as file:
        is_zip = file.read(len(_ZIP)) == _ZIP
    names: list[str] = []
    try:
        left = limits.bytes
        for name, content in _zip_members(path) if is_zip else _tar_members(path):
            if len(names) >= limits.files:
                raise _too_large(f"more than {limits.files} files")
            left -= _write(folder, name, content, left, limits)
            names.append(name)
    except _UNREADABLE as error:
        raise ScienceError("CASE_UNREADABLE", f"The archive of the case cannot be read: {error}.") from error
    return sorted(set(names))


def _zip_members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
                raise refused("The archive", info.filename, "it is a link or a device, not a file")
            if info.is_dir():
                continue
            if info.flag_bits & 1:
                raise ScienceError("CASE_UNREADABLE", f"The archive's file '{info.filename}' is encrypted.")
            with archive.open(info) as content:
                yield inside(info.filename, "The archive"), content


def _tar_members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with tarfile.open(path, "r|*") as archive:
        for info in archive:
            if info.isdir():
                continue
            if not info.isreg():
                raise refused("The archive", info.name, "it is a link or a device, not a file")
            content = archive.extractfile(info)
            if content is not None:
                yield inside(info.name, "The archive"), content


def _write(folder: Path, name: str, content: IO[bytes], left: int, limits: Bounds) -> int:
    target = folder / name
    if any(parent.is_file() for parent in target.parents) or target.is_dir():
        raise ScienceError("CASE_UNREADABLE", f"The archive has '{name}' both as a file and as a folder.")
    target.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with target.open("wb") as file:
        while block := content.read(_BLOCK_BYTES):
            written += len(block)
            if written > left:
                raise _too_large(f"more than {limits.bytes} bytes")
            file.write(block)
    return written


def _too_large(what: str) -> ScienceError:
    return ScienceError(
        "CASE_UNREADABLE", f"The archive unpacks to {what}, which is more than a case may have."
    )
