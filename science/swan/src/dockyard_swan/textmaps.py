"""Reads fields that SWAN wrote as text without heads: the numbers of one quantity after those of the other."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dockyard_swan.case import Case, Written
from dockyard_swan.quantities import columns


def text_maps(case: Case, written: Written, path: Path) -> list[tuple[str, NDArray[np.floating]]]:
    """The maps of a text without heads by their quantities; none where the file does not tell them apart."""
    if written.style == "test":
        return []
    words, entries = list(written.quantities), written.command.entries
    at = entries.index(written.command.texts()[1])
    layout = written.command.find("LAY", at)
    until = written.command.find("OUT", at)
    units = [
        each
        for k, each in enumerate(entries[:until])
        if k > at and k - 1 != layout and each.number is not None
    ]
    is_bare = written.style.startswith(("NOHEAD", "FIL"))
    # Maps of several quantities come in turns at each time, and of how many points they are only the first time tells.
    if (
        not is_bare
        or any(each.number != 1 for each in units)
        or (len(words) > 1 and (written.times is not None or len(case.computes) > 1))
    ):
        return []
    try:
        with path.open(encoding="latin-1") as file:
            numbers = np.fromiter((float(word) for line in file for word in line.split()), float)
    except ValueError:
        return []
    widths = columns(words)
    if not widths or len(numbers) % sum(widths):
        return []
    size, begin = len(numbers) // sum(widths), 0
    found: list[tuple[str, NDArray[np.floating]]] = []
    for word, width in zip(words, widths, strict=True):
        found.append((word, numbers[begin : begin + size]))
        begin += size * width
    return found
