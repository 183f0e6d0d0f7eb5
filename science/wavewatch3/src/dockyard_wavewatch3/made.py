"""The archive of what was made for the cases of a job, from which each task unpacks its own part.

A file that several cases have alike, as those of one grid, is in it once.
"""

import shutil
import tarfile
from pathlib import Path

from dockyard_session.canonical import sha256_file, sha256_hex
from dockyard_wavewatch3.run import is_written, lay_out


class MadeArchive:
    """The archive that is being written."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        """Write into this file."""
        self._tar = tar
        self._names: dict[str, str] = {}

    def add(self, index: int, folder: Path) -> None:
        """Add the files of a case that are no links to those of the case itself."""
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or path.is_symlink():
                continue
            info = tarfile.TarInfo(f"{index}/{path.relative_to(folder).as_posix()}")
            first = self._names.setdefault(sha256_file(path), info.name)
            if first != info.name:
                info.type, info.linkname = tarfile.LNKTYPE, first
                self._tar.addfile(info)
                continue
            info.size = path.stat().st_size
            with path.open("rb") as content:
                self._tar.addfile(info, content)


def unpack_made(archive: Path, index: int, case_folder: Path, made: Path) -> None:
    """Lay out a case with what was made for it."""
    lay_out(case_folder, made, leave_out=is_written)
    with tarfile.open(archive) as tar:
        for info in tar:
            number, _, name = info.name.partition("/")
            content = tar.extractfile(info) if number == str(index) else None
            if content is None:
                continue
            target = made / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            with target.open("wb") as file:
                shutil.copyfileobj(content, file)


def case_sha256(made: Path) -> str:
    """The digest of all that the run reads."""
    told = [
        f"{path.relative_to(made)} {sha256_file(path)}" for path in sorted(made.rglob("*")) if path.is_file()
    ]
    return sha256_hex("\n".join(told).encode())
