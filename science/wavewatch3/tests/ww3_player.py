"""Plays what WAVEWATCH III wrote, so that tests need none; with `WW3_RECORD=FOLDER` runs its programs and records them.

A program is called as the real one is, without arguments, in its folder. What is played is found by its name and the
digest of all files there, so a test that asks something new has to be recorded.
"""

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

RECORDED = Path(__file__).parent / "recorded"
#: Told of the programs that were recorded.
BUILD = RECORDED / "BUILD"
PROGRAMS = (
    *("ww3_grid", "ww3_strt", "ww3_bound", "ww3_prep", "ww3_shel", "ww3_outf", "ww3_outp"),
    *("ww3_prnc", "ww3_ounf", "ww3_ounp"),
)


def write_programs(folder: Path) -> dict[str, str]:
    """Write programs that play; answers their paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PROGRAMS:
        program = folder / name
        program.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{Path(__file__).resolve()}' {name}\n")
        program.chmod(0o755)
    return {name: str(folder / name) for name in PROGRAMS}


def _files() -> dict[str, bytes]:
    return {path.as_posix(): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


def _key(name: str, files: dict[str, bytes]) -> str:
    told = {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
    return hashlib.sha256(json.dumps([name, told], sort_keys=True).encode()).hexdigest()[:16]


def _record(program: Path, before: dict[str, bytes], file: Path) -> None:
    ended = subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    made = {name: data for name, data in _files().items() if before.get(name) != data}
    # A backtrace has the folders in which the program was built.
    printed = re.sub(rb"/\S*/(?=\w+\.F90)", b"", ended.stdout + ended.stderr)
    made |= {"stdout": printed, "code": str(ended.returncode).encode()}
    RECORDED.mkdir(exist_ok=True)
    with tarfile.open(file, "w:xz") as archive:
        for name, data in made.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    digest = hashlib.sha256((program.parent / "ww3_shel").read_bytes()).hexdigest()
    told = f"WAVEWATCH III 7.14, PR3 and UQ without source terms, ww3_shel of SHA-256 {digest}\n"
    known = BUILD.read_text() if BUILD.exists() else ""
    BUILD.write_text(known if told in known else known + told)


def main() -> int:
    """Play, or record and play."""
    name, files = sys.argv[1], _files()
    file = RECORDED / f"{_key(name, files)}.tar.xz"
    folder = os.environ.get("WW3_RECORD")
    if folder and not file.exists():
        _record(Path(folder) / name, files, file)
        for path in _files().keys() - files.keys():
            Path(path).unlink()
    if not file.exists():
        sys.stdout.write(f"this run of {name} was not recorded\n")
        return 3
    with tarfile.open(file) as archive:
        played = {info.name: archive.extractfile(info).read() for info in archive}
    for path, data in played.items():
        if path not in {"stdout", "code"}:
            Path(path).unlink(missing_ok=True)
            Path(path).write_bytes(data)
    sys.stdout.buffer.write(played["stdout"])
    return int(played["code"])


if __name__ == "__main__":
    raise SystemExit(main())
