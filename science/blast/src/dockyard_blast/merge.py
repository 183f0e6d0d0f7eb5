"""Puts the reports of all tasks together, in the order of the queries, without reading them as a whole."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from dockyard_blast.search import ALIGNMENTS, HITS, REPORT, head_and_foot

_BLOCK = 1024 * 1024
_OPEN = '{"BlastOutput2":[\n'
_CLOSE = "]}\n"


def merge_reports(folders: Sequence[Path], out: Path) -> None:
    """Write the three reports of all folders, which are in the order of the queries."""
    with Path(out, HITS).open("wb") as whole:
        for folder in folders:
            with Path(folder, HITS).open("rb") as part:
                shutil.copyfileobj(part, whole, _BLOCK)
    _merge_json([Path(folder, REPORT) for folder in folders], Path(out, REPORT))
    _merge_alignments([Path(folder, ALIGNMENTS) for folder in folders], Path(out, ALIGNMENTS))


def _merge_json(parts: Sequence[Path], whole: Path) -> None:
    """Every report stands on a line of its own, so none is parsed."""
    with whole.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_OPEN)
        before = ""
        for part in parts:
            with part.open(encoding="utf-8", newline="\n") as lines:
                for line in lines:
                    if line in (_OPEN, _CLOSE):
                        continue
                    file.write(before + line.rstrip("\n").removesuffix(","))
                    before = ",\n"
        file.write("\n" + _CLOSE)


def _merge_alignments(parts: Sequence[Path], whole: Path) -> None:
    """Head and foot are the same in each part, as all tasks search one database with one setting."""
    with whole.open("w", encoding="utf-8", newline="\n") as file:
        for index, part in enumerate(parts):
            text = part.read_text(encoding="utf-8")
            head, foot = head_and_foot(text)
            if index == 0:
                file.write(text[:head])
            file.write(text[head:foot])
            if index == len(parts) - 1:
                file.write(text[foot:])
