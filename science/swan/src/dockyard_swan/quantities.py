"""What SWAN calls its quantities, in its commands and in its files, and what they are called in summary.json."""

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dockyard_swan.case import Case

HEIGHT = "significantWaveHeightMetres"


@dataclass(frozen=True)
class Quantity:
    """A quantity by the letters of its keyword, and what it is called in MATLAB files and in NetCDF."""

    told: str
    keyword: str
    matlab: str
    netcdf: str


_TOLD = (
    Quantity(HEIGHT, "HS", "Hsig", "hs"),
    Quantity("swellHeightMetres", "HSWE", "Hswell", "hswe"),
    Quantity("smoothedPeakPeriodSeconds", "TPS", "TPsmoo", "tps"),
    Quantity("peakPeriodSeconds", "RTP", "RTpeak", "tp"),
    Quantity("meanPeriodTm01Seconds", "TM01", "Tm01", "tm01"),
    Quantity("meanPeriodTm02Seconds", "TM02", "Tm02", "tm02"),
    Quantity("meanPeriodTmm10Seconds", "TMM10", "Tm_10", "tmm10"),
    Quantity("directionDegrees", "DIR", "Dir", "theta0"),
    Quantity("peakDirectionDegrees", "PDI", "PkDir", "thetap"),
    Quantity("directionalSpreadingDegrees", "DSPR", "Dspr", "spread"),
    Quantity("depthMetres", "DEP", "Depth", "depth"),
    Quantity("waveLengthMetres", "WLEN", "Wlen", "L"),
)
NAMES_IN_NETCDF = {each.netcdf: each.told for each in _TOLD}
_VECTORS = ("VEL", "FOR", "TRA", "WIND")
#: A quantity of all partitions of the spectrum; of how many, the version of SWAN decides.
_OF_PARTITIONS = re.compile(r"PT(?!\d\d)")
_EXCEPTIONS = frozenset({-9.0, -10.0, -99.0, -999.0, -9999.0})
#: How far the figures of a text may be from the exception value that they stand for.
_SHARE_OF_ROUNDING = 5e-4


def name_of_word(word: str) -> str | None:
    """The name in summary.json of a quantity that a command asks for; None for one that is not told."""
    found = [each for each in _TOLD if word.startswith(each.keyword)]
    return max(found, key=lambda each: len(each.keyword)).told if found else None


def names_in_matlab(case: Case) -> dict[str, str]:
    """The names in summary.json by those of MATLAB files, which QUANTITY may change."""
    names = {each.matlab: each.told for each in _TOLD}
    for command in case.file.all("QUANT"):
        words = [entry for entry in command.entries if not entry.is_text and entry.number is None]
        for text in command.texts()[:1]:
            for told in filter(None, (name_of_word(word.text.upper()) for word in words)):
                names[text.text.strip()] = told
    return names


def columns(words: list[str], count: int | None = None) -> list[int] | None:
    """How many numbers each quantity has at a point, of which there are `count`; None where that is not known."""
    widths = [2 if word.startswith(_VECTORS) else 1 for word in words]
    parted = [at for at, word in enumerate(words) if _OF_PARTITIONS.match(word)]
    if parted:
        if count is None:
            return None
        each, left = divmod(count - sum(widths) + len(parted), len(parted))
        if left or each < 1:
            return None
        for at in parted:
            widths[at] = each
    return widths


def exceptions_of(case: Case) -> frozenset[float]:
    """The numbers with which SWAN says that it tells none: its own, and those of QUANTITY, which may name others."""
    found = set(_EXCEPTIONS)
    for command in case.file.all("QUANT"):
        numbers = [(entry.name, entry.number) for entry in command.entries if entry.number is not None]
        found.update(number for name, number in numbers if (name or "").upper() == "EXCV")
        # Without names it is the third, behind the least and the greatest that are expected.
        found.update([number for name, number in numbers if name is None][2:3])
    return frozenset(found)


def is_exception(number: float, exceptions: frozenset[float]) -> bool:
    """Whether a number of a text says that none is told."""
    return any(math.isclose(number, each, rel_tol=_SHARE_OF_ROUNDING) for each in exceptions)


def are_exceptions(numbers: NDArray[np.floating], exceptions: frozenset[float]) -> NDArray[np.bool_]:
    """Which numbers of a text say that none is told."""
    found = np.zeros(numbers.shape, dtype=bool)
    for each in exceptions:
        found |= np.isclose(numbers, each, rtol=_SHARE_OF_ROUNDING, atol=0)
    return found
