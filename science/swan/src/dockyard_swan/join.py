"""Joins what the pieces of a run wrote to the file that one run writes: the head once, and then the records of each."""

import re
import shutil
from pathlib import Path
from typing import BinaryIO

from dockyard_swan.case import Case, Written

#: The head of a MATLAB file, which is written once.
_MAT_HEAD_BYTES = 128
_TIME = re.compile(rb"^ *\d{8}\.\d{6}")


def append(case: Case, written: Written, part: Path, whole: Path) -> None:
    """Add what a piece wrote to what the pieces before it wrote."""
    whole.parent.mkdir(parents=True, exist_ok=True)
    if written.kind == "restart" or not whole.exists():
        shutil.move(part, whole)
        return
    with part.open("rb") as source, whole.open("ab") as target:
        target.write(_after_head(case, written, source))
        shutil.copyfileobj(source, target)
    part.unlink()


def _after_head(case: Case, written: Written, file: BinaryIO) -> bytes:
    """Read past the head; answers what of the records was read with it."""
    if written.form == "matlab":
        file.read(_MAT_HEAD_BYTES)
        return b""
    if written.kind == "field":
        return b""
    is_dated = written.kind == "spectrum" or written.style.startswith("SWAN")
    for line in file:
        if _TIME.match(line) if is_dated else case.is_row(line.decode("latin-1")):
            return bytes(line)
    return b""
