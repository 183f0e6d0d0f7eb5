"""Plays what SWAN wrote, so that tests need no SWAN; with `SWAN_RECORD=PROGRAM` runs that program and records it.

It is called as the program is, without arguments, in its folder. What is played is found by the digest of all files
there, so a test that asks SWAN something new has to be recorded: `SWAN_RECORD=/path/to/swan.exe pytest swan/tests`.
"""

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import time
from pathlib import Path

RECORDED = Path(__file__).parent / "recorded"
#: Told of the programs that were recorded.
BUILD = RECORDED / "BUILD"


def write_program(folder: Path) -> Path:
    """Write a program that plays; answers its path."""
    program = folder / "swan.exe"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{Path(__file__).resolve()}'\n")
    program.chmod(0o755)
    return program


def _files() -> dict[str, bytes]:
    return {path.as_posix(): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


def _key(files: dict[str, bytes]) -> str:
    told = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def _record(program: str, before: dict[str, bytes], file: Path) -> None:
    ended = subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    made = {name: data for name, data in _files().items() if before.get(name) != data and name != "swaninit"}
    made |= {"stdout": ended.stdout, "code": str(ended.returncode).encode()}
    RECORDED.mkdir(exist_ok=True)
    with tarfile.open(file, "w:xz") as archive:
        for name, data in made.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    version = next(
        (line.split() for line in made["PRINT"].decode("latin-1").splitlines() if "VERSION NUMBER" in line),
        [],
    )
    digest = hashlib.sha256(Path(program).read_bytes()).hexdigest()
    told = f"SWAN {version[-1] if version else 'unknown'}, program of SHA-256 {digest}\n"
    known = BUILD.read_text() if BUILD.exists() else ""
    BUILD.write_text(known if told in known else known + told)


def main() -> int:
    """Play, or record and play."""
    files = _files()
    file = RECORDED / f"{_key(files)}.tar.xz"
    program = os.environ.get("SWAN_RECORD")
    if program and not file.exists():
        _record(program, files, file)
        for name in _files().keys() - files.keys():
            Path(name).unlink()
    if not file.exists():
        sys.stdout.write("this run of SWAN was not recorded\n")
        return 3
    with tarfile.open(file) as archive:
        played = {info.name: archive.extractfile(info).read() for info in archive}
    for name, data in played.items():
        if name not in {"stdout", "code"}:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(data)
    for line in played["stdout"].splitlines(keepends=True):
        sys.stdout.buffer.write(line)
        sys.stdout.flush()
    if os.environ.get("SWAN_SLOW"):
        time.sleep(float(os.environ["SWAN_SLOW"]))
    return int(played["code"])


if __name__ == "__main__":
    raise SystemExit(main())
