"""What SWAN calls its quantities, in its commands and in its files, and what they are called in summary.json."""

import re

from dockyard_swan.case import Case

HEIGHT = "significantWaveHeightMetres"

#: SWAN's keywords of quantities with the names and units that they have in summary.json.
_TOLD = {
    "HS": HEIGHT,
    "HSIG": HEIGHT,
    "HSWE": "swellHeightMetres",
    "TPS": "peakPeriodSeconds",
    "RTP": "peakPeriodSeconds",
    "TM01": "meanPeriodTm01Seconds",
    "TM02": "meanPeriodTm02Seconds",
    "TMM10": "meanPeriodTmm10Seconds",
    "DIR": "directionDegrees",
    "PDIR": "peakDirectionDegrees",
    "DSPR": "directionalSpreadingDegrees",
    "DEP": "depthMetres",
    "WLEN": "waveLengthMetres",
}

#: Names in its files that are no beginning of a keyword: in MATLAB files, and in NetCDF.
_IN_FILES = {
    "TPsmoo": "TPS", "Tp": "RTP", "RTpeak": "RTP", "PkDir": "PDIR",
    "tp": "RTP", "theta0": "DIR", "thetap": "PDIR", "spread": "DSPR", "L": "WLEN",
}  # fmt: skip
_OF_A_PARTITION = re.compile(r"p(?:dir|hs)\d|HsPT\d+")
_EXCEPTIONS = frozenset({-9.0, -10.0, -99.0, -999.0, -9999.0})


def name_of(quantity: str) -> str | None:
    """The name of a quantity in summary.json; None for one that is not told."""
    if _OF_A_PARTITION.fullmatch(quantity):
        return None
    word = _IN_FILES.get(quantity, quantity).upper()
    return next((_TOLD[each] for each in sorted(_TOLD, key=len, reverse=True) if word.startswith(each)), None)


def exceptions_of(case: Case) -> frozenset[float]:
    """The numbers with which SWAN says that it tells none: its own, and those of QUANTITY, which may name others."""
    found = set(_EXCEPTIONS)
    for command in case.file.all("QUANT"):
        numbers = [(entry.name, entry.number) for entry in command.entries if entry.number is not None]
        found.update(number for name, number in numbers if (name or "").upper() == "EXCV")
        # Without names it is the third, behind the least and the greatest that are expected.
        found.update([number for name, number in numbers if name is None][2:3])
    return frozenset(found)
