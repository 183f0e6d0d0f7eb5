"""Reads the texts that ww3_outp and ww3_outf wrote: ranges for summary.json, and numbers that are none."""

import math
import re
from pathlib import Path
from typing import Any

from dockyard_session.errors import ScienceError
from dockyard_wavewatch3.times import text_of

_TIME = re.compile(r"Time *: *(\d{4}/\d{2}/\d{2} \d{2}:\d{2}:\d{2})")
_DATED = re.compile(r"^\s*(\d{8}\s+\d+\s+\d+\s+\d+)\s+(\S.*)$")
_NONE = re.compile(r"(?<![\w.])[-+]?(?:nan|infinity)(?![\w.])", re.I)
#: The columns of a table of mean wave parameters, by what they are called here.
_COLUMNS = {
    "Hs": "significantWaveHeightMetres", "L": "meanWaveLengthMetres", "Tr": "meanPeriodSeconds",
    "Dir.": "directionDegrees", "Spr.": "spreadDegrees", "fp": "peakPeriodSeconds",
}  # fmt: skip
#: A row of the statistics of a field: its time, the least value and the greatest.
_HEIGHTS = re.compile(r"^ (\d{8}(?: \d\d){3}) +\S+ +(\S+) ")
#: As many times, or columns and rows of the grid, as there may be.
_ALL = 999_999
#: Heights that no sea has had.
_MOST_METRES = 60.0
#: The most points that a report tells of.
_MOST_POINTS = 200


def check_text(name: str, file: Path) -> None:
    """Raise MODEL_DIVERGED with the place where a text has a number that is none."""
    with file.open(encoding="latin-1") as lines:
        for number, line in enumerate(lines, start=1):
            found = _NONE.search(line)
            if found is not None:
                said = f"{name}, line {number}: '{found[0]}' is no number: {line.strip()[:100]}"
                raise ScienceError("MODEL_DIVERGED", said)


def heights_input(begin: int, stride: int) -> str:
    """The file with which ww3_outf tells the least and the greatest height of all points at each time of the fields."""
    return f"$ heights\n {text_of(begin)} {stride} {_ALL}\n N\n HS\n 2 0\n 1 {_ALL} 1 {_ALL}\n"


def highest_of(file: Path) -> dict[str, Any] | None:
    """The greatest height of all points and times with its time, by what ww3_outf wrote; None where it wrote nothing.

    Raises MODEL_DIVERGED where a height is no number, or one that no sea has.
    """
    highest: dict[str, Any] | None = None
    for line in file.read_text(encoding="latin-1").splitlines() if file.is_file() else []:
        row = _HEIGHTS.match(line)
        if row is None:
            continue
        at, said = " ".join(row[1].split()), row[2]
        try:
            metres = float(said)
        except ValueError:
            metres = math.nan
        if not 0 <= metres <= _MOST_METRES:
            raise ScienceError("MODEL_DIVERGED", f"The fields have waves of {said} m at {at}.")
        if highest is None or metres > highest["metres"]:
            highest = {"metres": metres, "at": at}
    return highest


def table_of(name: str, file: Path) -> dict[str, Any] | None:
    """The points of a table of mean parameters with their ranges; None for another file.

    A table of one point has a row for each time; one of several points has a block for each time, with their places.
    """
    points: dict[tuple[float, float] | None, dict[str, Any]] = {}
    columns: list[str] = []
    rows, at = 0, ""
    for line in file.read_text(encoding="latin-1").splitlines():
        words = line.split()
        if "Hs" in words and words[0] in {"Long.", "X", "X-grid", "Date"}:
            columns = words
            continue
        time = _TIME.search(line)
        at = at if time is None else time[1]
        values = _values_of(columns, line, words)
        if values is None:
            continue
        rows += 1
        dated = _DATED.match(line) if columns[0] == "Date" else None
        place = None if dated is not None else (values[0], values[1])
        point = points.setdefault(place, {"x": place and place[0], "y": place and place[1], "ranges": {}})
        named = [column for column in columns if column not in {"Date", "Time"}]
        row = dict(zip(named, values, strict=False))
        # Where there are no waves, all that is told of them is written as 0.
        is_calm = row.get("L") == 0 or row.get("fp") == 0
        for column in [each for each in _COLUMNS if each in row]:
            value = None if is_calm and column != "Hs" else row[column]
            _widen(point["ranges"], column, value, f"{name}: at {at if dated is None else dated[1]}")
    return {"file": name, "rows": rows, "points": list(points.values())[:_MOST_POINTS]} if rows else None


def _values_of(columns: list[str], line: str, words: list[str]) -> list[float] | None:
    """The numbers of a row behind its time; None for a line that is no row."""
    if not columns:
        return None
    dated = _DATED.match(line)
    if (columns[0] == "Date") != (dated is not None):
        return None
    try:
        values = [float(word) for word in (words if dated is None else dated[2].split())]
    except ValueError:
        return None
    return values if len(values) >= len(columns) - (0 if dated is None else 2) else None


def _widen(ranges: dict[str, Any], column: str, value: float | None, place: str) -> None:
    name = _COLUMNS[column]
    before = ranges.get(name)
    if value is None:
        if before is not None:
            before["last"] = None
        return
    if column == "Hs" and not 0 <= value <= _MOST_METRES:
        raise ScienceError("MODEL_DIVERGED", f"{place} the waves are {value:g} m high.")
    told = round(1 / value, 3) if column == "fp" else value
    ranges[name] = {
        "least": told if before is None else min(before["least"], told),
        "greatest": told if before is None else max(before["greatest"], told),
        "last": told,
    }
