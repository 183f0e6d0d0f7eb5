"""Reads the texts that ww3_outp and ww3_outf wrote: ranges for summary.json, and numbers that are none."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dockyard_session.errors import ScienceError
from dockyard_wavewatch3.times import seconds_of, text_of

_TIME = re.compile(r"Time *: *(\d{4}/\d{2}/\d{2} \d{2}:\d{2}:\d{2})")
_DATED = re.compile(r"^\s*(\d{8}\s+\d+\s+\d+\s+\d+)\s+(\S.*)$")
_NONE = re.compile(r"(?<![\w.])[-+]?(?:nan|infinity)(?![\w.])", re.I)
#: The columns of a table of mean wave parameters, by what they are called here.
_COLUMNS = {
    "Hs": "significantWaveHeightMetres", "L": "meanWaveLengthMetres", "Tr": "meanPeriodSeconds",
    "Dir.": "directionDegrees", "Spr.": "spreadDegrees", "fp": "peakPeriodSeconds",
}  # fmt: skip
#: A row of the statistics of a field: its time, the least value and the greatest, and of more than two points their
#: mean and how far they stray.
_HEIGHTS = re.compile(r"^ (\d{8}(?: \d\d){3}) +(\S.*)$")
#: A row of a field that is told point by point: its place, and the number of its units.
_POINT = re.compile(r"^ +(\S+) +([^\s*]+) *(-?\d+|\*+)\s*$")
#: Heights and depths are told in hundredths of a metre.
_UNIT_METRES = 0.01
#: A point of output that ww3_outp names in what it prints.
_NAMED = re.compile(r"^ {6}\S.{39} *(-?[\d.]+(?:E3)?) +(-?[\d.]+(?:E3)?)\s*$")
#: As many times, or columns and rows of the grid, as there may be.
_ALL = 999_999
#: Heights that no sea has had; a build with the switch O9 tells small energies below 0 as heights below 0.
_LEAST_METRES, _MOST_METRES = -1.0, 60.0
#: Where a build breaks waves, or limits them by the depth, they are at most twice as high as the water is deep; in
#: thinner water, at the end of a beach, one step may leave higher ones.
_BREAKING = frozenset({"DB1", "DB2", "MLIM"})
_MOST_HEIGHT_OF_DEPTH, _SHALLOW_METRES = 2.0, 1.0
#: What a case may say of breaking: how strong it is, of itself 1, and heights of what share of the depth break.
_OF_BREAKING = re.compile(r"\b(BJALFA|BJGAM|FMICHE) *= *([\d.]+(?:E[-+]?\d+)?)", re.IGNORECASE)
_COMMENT = re.compile(r"[$!].*")
_WEAK = {
    "BJALFA": lambda alpha: alpha < 1, "BJGAM": lambda gamma: gamma > 1, "FMICHE": lambda gamma: gamma > 1.6,
}  # fmt: skip
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
    return _input_of(begin, stride, _ALL, f"HS\n 2 0\n 1 {_ALL} 1 {_ALL}")


def places_input(time: int) -> str:
    """The file with which ww3_outf tells the height and the depth at each point at one time."""
    return _input_of(time, 1, 1, f"HS DPT\n 3 0\n 1 {_ALL} 1 {_ALL} 5 1")


def _input_of(begin: int, stride: int, times: int, output: str) -> str:
    return f"$ heights\n {text_of(begin)} {stride} {times}\n N\n {output}\n"


@dataclass(frozen=True)
class Broken:
    """A time of the fields at which a height is no number, or one that no sea has, and the worst that is told of it."""

    time: int
    said: str


def highest_of(file: Path) -> dict[str, Any] | Broken | None:
    """The greatest height of all points and times with its time, as ww3_outf wrote them; None where it wrote none."""
    highest: dict[str, Any] | None = None
    for line in file.read_text(encoding="latin-1").splitlines() if file.is_file() else []:
        row = _HEIGHTS.match(line)
        if row is None:
            continue
        words = row[2].split()
        at = " ".join(row[1].split())
        odd = next((word for word in words if not _LEAST_METRES < _number_of(word) <= _MOST_METRES), None)
        if odd is not None:
            day, *clock = at.split()
            return Broken(seconds_of(day, "".join(clock), file.name), odd)
        metres = _number_of(words[1])
        if highest is None or metres > highest["metres"]:
            highest = {"metres": metres, "at": at}
    return highest


def diverged(broken: Broken, points: Path | None) -> ScienceError:
    """The failure of a run whose fields are broken, with the place by what ww3_outf wrote point by point."""
    where = ""
    for x, y, metres in _points(points):
        if not _LEAST_METRES < metres <= _MOST_METRES:
            said = "no number" if math.isnan(metres) else f"{metres:g} m"
            where = f", the first at x {x:g} y {y:g} ({said})"
            break
    told = f"The fields have waves of {broken.said} m at {text_of(broken.time)}{where}."
    return ScienceError("MODEL_DIVERGED", told)


def breaks_waves(switches: str | None, parameters: str) -> bool:
    """Whether a build breaks waves in shallow water, or limits them by its depth, with the parameters of a case."""
    told = [
        (name.upper(), _number_of(number))
        for name, number in _OF_BREAKING.findall(_COMMENT.sub("", parameters))
    ]
    return not _BREAKING.isdisjoint((switches or "").split()) and not any(
        _WEAK[name](number) for name, number in told
    )


def check_depths(time: int, heights: Path | None, depths: Path | None) -> None:
    """Raise MODEL_DIVERGED where waves have no room in their water, by what ww3_outf wrote point by point."""
    depth_at = {(x, y): depth for x, y, depth in _points(depths)}
    for x, y, metres in _points(heights):
        depth = depth_at.get((x, y), math.inf)
        if depth >= _SHALLOW_METRES and metres > _MOST_HEIGHT_OF_DEPTH * depth:
            where = f"at x {x:g} y {y:g}, in water of {depth:g} m, where waves break"
            raise ScienceError("MODEL_DIVERGED", f"Waves of {metres:g} m at {text_of(time)} {where}.")


def _points(file: Path | None) -> Iterator[tuple[float, float, float]]:
    """Place and metres of each point of a field; NaN where stars stand for a number that has no room."""
    for line in [] if file is None else file.read_text(encoding="latin-1").splitlines():
        point = _POINT.match(line)
        if point is not None:
            metres = math.nan if "*" in point[3] else int(point[3]) * _UNIT_METRES
            yield float(point[1]), float(point[2]), metres


def _number_of(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return math.nan


def place_of(printed: str) -> tuple[float, float] | None:
    """The place of the point that ww3_outp says its output is for; None where there are several, or none is told."""
    _, _, told = printed.partition("Requested output for")
    named = [match for line in told.splitlines() if (match := _NAMED.match(line))]
    return (float(named[0][1]), float(named[0][2])) if len(named) == 1 else None


def table_of(name: str, file: Path, place: tuple[float, float] | None = None) -> dict[str, Any] | None:
    """The points of a table of mean parameters with their ranges; None for another file.

    A table of one point has a row for each time, and its place is the one that is given; one of several points has a
    block for each time, with their places.
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
        at_place = place if dated is not None else (values[0], values[1])
        x, y = (None, None) if at_place is None else at_place
        point = points.setdefault(at_place, {"x": x, "y": y, "ranges": {}})
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
