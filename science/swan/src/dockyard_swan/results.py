"""Reads what SWAN wrote: tables and MATLAB fields, for the ranges in summary.json, and numbers that are none.

Only numbers that SWAN has printed are told; its exception values are left out.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dockyard_session.errors import ScienceError
from dockyard_swan.case import Case, Written
from dockyard_swan.hotfile import broken_place
from dockyard_swan.matlab import matrices
from dockyard_swan.places import places_of
from dockyard_swan.textmaps import text_maps, width
from dockyard_swan.times import text_of

#: A wave height that no sea has: the highest that was ever measured is below 20 m.
HIGHEST_WAVE_METRES = 40.0
#: The most points of a table that are told one by one.
MOST_POINTS = 50

_BROKEN = re.compile(rb"\b(?:NaN|[+-]?Inf(?:inity)?)\b", re.IGNORECASE)
_EXCEPTIONS = frozenset({-9.0, -10.0, -99.0, -999.0, -9999.0})
_TIME = re.compile(r"^\d{8}\.\d{6}$")
#: SWAN's keywords of quantities with the names and units that they have in summary.json.
_TOLD = {
    "HS": "significantWaveHeightMetres",
    "HSIG": "significantWaveHeightMetres",
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


@dataclass
class Range:
    """The least, the greatest and the last of some numbers."""

    least: float = math.inf
    greatest: float = -math.inf
    last: float | None = None
    count: int = 0

    def take(self, value: float) -> None:
        """Count a number in."""
        self.least, self.greatest = min(self.least, value), max(self.greatest, value)
        self.last, self.count = value, self.count + 1

    def told(self) -> dict[str, float | None]:
        """As it stands in summary.json."""
        none = self.count == 0
        return {
            "least": None if none else self.least,
            "greatest": None if none else self.greatest,
            "last": self.last,
        }


@dataclass
class Point:
    """The ranges of the quantities at one point of a table."""

    x: float | None = None
    y: float | None = None
    ranges: dict[str, Range] = field(default_factory=dict)


def name_of(quantity: str) -> str | None:
    """The name of a quantity in summary.json; None for one that is not told."""
    for letters in sorted(_TOLD, key=len, reverse=True):
        if quantity.upper().startswith(letters):
            return _TOLD[letters]
    return None


def check_sound(case: Case, folder: Path, begin: int | None) -> None:
    """Raise MODEL_DIVERGED where an output has a number that is none, or waves that no sea has."""
    since = "" if begin is None else f", in the part of the run that begins at {text_of(begin)}"
    for written in case.writes:
        path = folder / written.path
        if written.kind == "restart" or not path.is_file() or path.suffix.lower() == ".nc":
            continue
        if path.suffix.lower() == ".mat":
            _check_matrices(written, path)
            continue
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if _BROKEN.search(line) and not line.startswith((b"%", b"$")):
                    shown = line.decode("latin-1").strip()[:80]
                    raise ScienceError(
                        "MODEL_DIVERGED", f"{written.path}, line {number}: a number is none{since}: {shown}"
                    )
        if written.kind == "table":
            _check_heights(written, path, since, _own_exceptions(case))
        elif written.kind == "field":
            _check_maps(written, path, since, _own_exceptions(case))


def check_state(state: Path, time: int) -> None:
    """Raise MODEL_DIVERGED where a spectrum has a number that is none: SWAN tells its waves as 0 m high."""
    place = broken_place(state)
    if place is not None:
        raise ScienceError(
            "MODEL_DIVERGED", f"The spectrum {place} has a number that is none, at {text_of(time)}."
        )


def _own_exceptions(case: Case) -> frozenset[float]:
    """The numbers of QUANTITY, among which a case may name its own exception value."""
    entries = (entry for command in case.file.all("QUANT") for entry in command.entries)
    return frozenset(entry.number for entry in entries if entry.number is not None)


def _check_heights(written: Written, path: Path, since: str, exceptions: frozenset[float]) -> None:
    columns = [name_of(word) for word in written.quantities]
    if "significantWaveHeightMetres" not in columns:
        return
    for number, (time, values) in enumerate(table_rows(written, path), start=1):
        height = values.get("significantWaveHeightMetres")
        if height is not None and height > HIGHEST_WAVE_METRES and height not in exceptions:
            when = f" at {time}" if time else since
            if "x" in values and "y" in values:
                when += f" at x {values['x']:g} y {values['y']:g}"
            told = f"of {height:g} m" if math.isfinite(height) else "that has no room in its column"
            raise ScienceError(
                "MODEL_DIVERGED",
                f"{written.path}, row {number}: a significant wave height {told}{when}, which no sea has.",
            )


def _check_maps(written: Written, path: Path, since: str, exceptions: frozenset[float]) -> None:
    """Look for waves that no sea has in a text without heads."""
    for name, numbers in text_maps(written, path):
        most = max((number for number in numbers if number not in exceptions), default=0)
        if name_of(name) == "significantWaveHeightMetres" and most > HIGHEST_WAVE_METRES:
            raise ScienceError(
                "MODEL_DIVERGED",
                f"{written.path}: a significant wave height of {most:g} m{since}, which no sea has.",
            )


def _check_matrices(written: Written, path: Path) -> None:
    """Look for numbers without bound and waves that no sea has; NaN says nothing, as SWAN writes it at dry points."""
    places: dict[str, Sequence[float]] = {}
    for matrix, numbers in matrices(path):
        quantity, _, time = matrix.partition("_")
        if quantity in {"Xp", "Yp"}:
            places[quantity] = numbers
            continue
        is_height = name_of(_QUANTITIES.get(quantity, quantity)) == "significantWaveHeightMetres"
        most = HIGHEST_WAVE_METRES if is_height else math.inf
        at = next((k for k, value in enumerate(numbers) if math.isinf(value) or value > most), None)
        if at is None:
            continue
        x, y = (places.get(each, ())[at : at + 1] for each in ("Xp", "Yp"))
        where = f"at x {x[0]:g} y {y[0]:g}" if x and y else f"at number {at + 1} of the field"
        when = f" at {time.replace('_', '.')}" if time else ""
        raise ScienceError(
            "MODEL_DIVERGED",
            f"{written.path}: {quantity} is {numbers[at]:g}{when} {where}, which no sea has.",
        )


def table_rows(written: Written, path: Path) -> list[tuple[str | None, dict[str, float]]]:
    """The rows of a table: their time where it is told, and the numbers that are told, with `x` and `y`."""
    words = list(written.quantities)
    rows: list[tuple[str | None, dict[str, float]]] = []
    time: str | None = None
    is_indexed = written.style.startswith("IND")
    with path.open(encoding="latin-1") as file:
        is_head = written.style.startswith("SWAN")
        for line in file:
            cells = line.split()
            if not cells or line.startswith(("%", "$")):
                continue
            if written.style.startswith("SWAN") and _TIME.match(cells[0]):
                is_head, time = False, cells[0]
                continue
            if is_head:
                continue
            cells = cells[len(cells) - width(words) :] if is_indexed else cells
            row, told = _row(words, cells)
            rows.append((told or time, row))
    return rows


def _row(words: list[str], cells: list[str]) -> tuple[dict[str, float], str | None]:
    values: dict[str, float] = {}
    time: str | None = None
    at = 0
    for word in words:
        if at >= len(cells):
            break
        cell = cells[at]
        at += 2 if width([word]) == 2 else 1
        if word.startswith("TIME"):
            time = cell
            continue
        name = {"XP": "x", "YP": "y"}.get(word[:2]) or name_of(word)
        if name is None:
            continue
        try:
            # Stars stand for a number that has no room in its column.
            value = math.inf if set(cell) == {"*"} else float(cell)
        except ValueError:
            continue
        if value == math.inf and name == "significantWaveHeightMetres":
            values[name] = value
        if math.isfinite(value) and (value not in _EXCEPTIONS or name in {"x", "y"}):
            values[name] = value
    return values, time


def tables_of(case: Case, root: Path, folder: Path) -> list[dict[str, object]]:
    """Of each table its ranges, and of its first points theirs; `root` is the folder of the case."""
    found: list[dict[str, object]] = []
    for written in case.writes:
        path = folder / written.path
        if written.kind != "table" or not path.is_file():
            continue
        points: dict[tuple[float | None, float | None], Point] = {}
        whole: dict[str, Range] = {}
        rows = table_rows(written, path)
        places = places_of(case, root, written)
        for at, (_time, values) in enumerate(rows):
            place = values.get("x"), values.get("y")
            if place == (None, None) and places and len(rows) % len(places) == 0:
                place = places[at % len(places)]
            point = points.setdefault(place, Point(*place))
            for name, value in values.items():
                if name not in {"x", "y"}:
                    whole.setdefault(name, Range()).take(value)
                    point.ranges.setdefault(name, Range()).take(value)
        # In one dimension a table has no y.
        has_places = all(x is not None for x, _y in points)
        shown = list(points.values())[:MOST_POINTS] if has_places else []
        found.append(
            {
                "file": written.path,
                "rows": len(rows),
                "ranges": {name: each.told() for name, each in sorted(whole.items())},
                "points": [
                    {"x": p.x, "y": p.y, "ranges": {n: r.told() for n, r in sorted(p.ranges.items())}}
                    for p in shown
                ],
            }
        )
    return found


def fields_of(case: Case, folder: Path) -> list[dict[str, object]]:
    """Of each file of fields, MATLAB or text without heads, the ranges of its quantities over all times."""
    found: list[dict[str, object]] = []
    for written in case.writes:
        path = folder / written.path
        if written.kind != "field" or not path.is_file():
            continue
        ranges: dict[str, Range] = {}
        for name, numbers in matrices(path) if path.suffix.lower() == ".mat" else text_maps(written, path):
            told = name_of(_QUANTITIES.get(name.partition("_")[0], name))
            if told is None:
                continue
            total = ranges.setdefault(told, Range())
            finite = [value for value in numbers if math.isfinite(value) and value not in _EXCEPTIONS]
            if finite:
                total.least, total.greatest = min(total.least, *finite), max(total.greatest, *finite)
                total.last, total.count = None, total.count + len(finite)
        if ranges:
            told_ranges = {name: each.told() for name, each in sorted(ranges.items())}
            found.append({"file": written.path, "ranges": told_ranges})
    return found


#: Names of SWAN's matrices that are no beginning of a keyword.
_QUANTITIES = {"Hsig": "HSIG", "TPsmoo": "TPS", "Tp": "RTP", "RTpeak": "RTP", "Depth": "DEP", "PkDir": "PDIR"}
