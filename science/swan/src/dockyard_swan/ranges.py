"""Reads what SWAN wrote for summary.json: the ranges of tables, of their points, and of fields.

Only numbers that SWAN tells are told; its exception values are left out.
"""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from dockyard_swan.case import Case, Written
from dockyard_swan.places import places_of
from dockyard_swan.quantities import HEIGHT, columns, exceptions_of, is_exception, name_of_word
from dockyard_swan.sheets import Sheet, sheets

#: The most points of a table that are told one by one.
MOST_POINTS = 50

_INDEX_WIDTH = 8
_TIME = re.compile(r"^\d{8}\.\d{6}$")

#: A row of a table: its time where it is told, and its numbers by their names in summary.json, with `x` and `y`.
Row = tuple[str | None, dict[str, float]]


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


def table_rows(case: Case, written: Written, path: Path) -> Iterator[Row]:
    """The rows of a table: their time where it is told, and the numbers that are told, with `x` and `y`."""
    if written.form == "netcdf":
        yield from _sheet_rows(sheets(case, written, path))
        return
    words, exceptions = list(written.quantities), exceptions_of(case)
    time: str | None = None
    is_indexed, is_swan = written.style.startswith("IND"), written.style.startswith("SWAN")
    with path.open(encoding="latin-1") as file:
        for line in _behind_head(file) if is_swan else file:
            cells = line.split()
            if not case.is_row(line):
                continue
            if is_swan and _TIME.match(cells[0]):
                time = cells[0]
                continue
            # An indexed row begins with its number, which leaves no blank before a time.
            row, told = _row(words, line[_INDEX_WIDTH:].split() if is_indexed else cells, exceptions)
            yield told or time, row


def _behind_head(lines: Iterator[str]) -> Iterator[str]:
    """The lines behind the head of SWAN's standard format, which tells name, unit and exception of each quantity."""
    for line in lines:
        if line.startswith("QUANT"):
            count = int(next(lines, "0").split()[0])
            return islice(lines, 3 * count, None)
    return iter(())


def _row(
    words: list[str], cells: list[str], exceptions: frozenset[float]
) -> tuple[dict[str, float], str | None]:
    values: dict[str, float] = {}
    time: str | None = None
    at = 0
    for word, width in zip(words, columns(words, len(cells)) or [], strict=False):
        if at >= len(cells):
            break
        cell = cells[at]
        at += width
        if word.startswith("TIME"):
            time = cell
            continue
        name = {"XP": "x", "YP": "y"}.get(word[:2]) or name_of_word(word)
        if name is None:
            continue
        try:
            # Stars stand for a number that has no room in its column.
            value = math.inf if set(cell) == {"*"} else float(cell)
        except ValueError:
            continue
        if value == math.inf and name == HEIGHT:
            values[name] = value
        if math.isfinite(value) and (name in {"x", "y"} or not is_exception(value, exceptions)):
            values[name] = value
    return values, time


def _sheet_rows(told: Iterable[Sheet]) -> Iterator[Row]:
    """The rows of each time; at a time there is a sheet of each quantity."""
    rows: list[Row] = []
    seen: set[str] = set()
    for sheet in told:
        if sheet.x is None or sheet.y is None:
            continue
        if not seen or sheet.name in seen:
            yield from rows
            places = zip(sheet.x.flat, sheet.y.flat, strict=True)
            rows, seen = [(sheet.time, {"x": float(x), "y": float(y)}) for x, y in places], set()
        seen.add(sheet.name)
        if sheet.told_as is not None:
            for at in (~np.ma.getmaskarray(sheet.numbers)).ravel().nonzero()[0]:
                rows[at][1][sheet.told_as] = float(sheet.numbers.flat[at])
    yield from rows


def tables_of(case: Case, root: Path, folder: Path) -> list[dict[str, object]]:
    """Of each table its ranges, and of its first points theirs; `root` is the folder of the case."""
    found: list[dict[str, object]] = []
    for written in case.writes:
        path = folder / written.path
        if written.kind != "table" or not path.is_file():
            continue
        points: dict[tuple[float | None, float | None], Point] = {}
        whole: dict[str, Range] = {}
        places, count = places_of(case, root, written), 0
        if places and sum(1 for _ in table_rows(case, written, path)) % len(places):
            places = []
        for _time, values in table_rows(case, written, path):
            # A table has fewer figures of them than the case.
            place = places[count % len(places)] if places else (values.get("x"), values.get("y"))
            count += 1
            is_shown = place in points or len(points) < MOST_POINTS
            point = points.setdefault(place, Point(*place)) if is_shown else Point()
            for name, value in values.items():
                if name not in {"x", "y"}:
                    whole.setdefault(name, Range()).take(value)
                    point.ranges.setdefault(name, Range()).take(value)
        # In one dimension a table has no y.
        has_places = all(x is not None for x, _y in points)
        shown = list(points.values()) if has_places else []
        found.append(
            {
                "file": written.path,
                "rows": count,
                "ranges": {name: each.told() for name, each in sorted(whole.items())},
                "points": [
                    {"x": p.x, "y": p.y, "ranges": {n: r.told() for n, r in sorted(p.ranges.items())}}
                    for p in shown
                ],
            }
        )
    return found


def fields_of(case: Case, folder: Path) -> list[dict[str, object]]:
    """Of each file of fields the ranges of its quantities over all times; of a text only where it has no heads."""
    found: list[dict[str, object]] = []
    for written in case.writes:
        path = folder / written.path
        if written.kind != "field" or not path.is_file():
            continue
        ranges: dict[str, Range] = {}
        for sheet in sheets(case, written, path):
            if sheet.told_as is None:
                continue
            total, told = ranges.setdefault(sheet.told_as, Range()), sheet.told()
            if told.size:
                total.least = min(total.least, float(told.min()))
                total.greatest = max(total.greatest, float(told.max()))
                total.count += told.size
        if ranges:
            told_ranges = {name: each.told() for name, each in sorted(ranges.items())}
            found.append({"file": written.path, "ranges": told_ranges})
    return found
