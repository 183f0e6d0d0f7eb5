"""Judges what SWAN wrote: numbers that are none, and waves that no sea has."""

import math
import re
from pathlib import Path

from dockyard_session.errors import ScienceError
from dockyard_swan.case import Case, Written
from dockyard_swan.cut import END_FIELDS, HOT_OUT
from dockyard_swan.hotfile import broken_place
from dockyard_swan.matlab import matrices
from dockyard_swan.quantities import HEIGHT
from dockyard_swan.ranges import table_rows
from dockyard_swan.sheets import sheets
from dockyard_swan.times import text_of

#: A wave height that no sea has: the highest that was ever measured is below 20 m.
HIGHEST_WAVE_METRES = 40.0
#: Where waves break SWAN's are at most 1.5 times as high as the water is deep, at a boundary that sends in more (seen);
#: in thinner water, at the end of a beach, one step may leave higher ones.
MOST_HEIGHT_OF_DEPTH, SHALLOW_METRES = 2.2, 1.0

_BROKEN = re.compile(rb"\b(?:NaN|[+-]?Inf(?:inity)?)\b", re.IGNORECASE)


def check_sound(case: Case, folder: Path, begin: int | None) -> None:
    """Raise MODEL_DIVERGED where an output has a number that is none, or waves that no sea has."""
    since = "" if begin is None else f", in the part of the run that begins at {text_of(begin)}"
    for written in case.writes:
        path = folder / written.path
        if written.kind == "restart" or not path.is_file():
            continue
        if written.form in {"text", "raw"}:
            _check_text(case, written, path, since)
        _check_sheets(case, written, path, since)
        if written.kind == "table" and written.form == "text":
            _check_heights(case, written, path, since)


def _check_text(case: Case, written: Written, path: Path, since: str) -> None:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            # A head may tell names of the case's own.
            if _BROKEN.search(line) and case.is_row(line.decode("latin-1")):
                shown = line.decode("latin-1").strip()[:80]
                raise ScienceError(
                    "MODEL_DIVERGED", f"{written.path}, line {number}: a number is none{since}: {shown}"
                )


def _check_sheets(case: Case, written: Written, path: Path, since: str) -> None:
    for sheet in sheets(case, written, path):
        is_height = sheet.told_as == HEIGHT
        found = sheet.beyond(HIGHEST_WAVE_METRES if is_height else math.inf)
        if found is None:
            continue
        number, place = found
        told = f"a significant wave height of {number:g} m" if is_height else f"{sheet.name} is {number:g}"
        when = f" at {sheet.time}" if sheet.time else since
        raise ScienceError("MODEL_DIVERGED", f"{written.path}: {told}{place}{when}, which no sea has.")


def _check_heights(case: Case, written: Written, path: Path, since: str) -> None:
    for number, (time, values) in enumerate(table_rows(case, written, path), start=1):
        height = values.get(HEIGHT)
        if height is not None and height > HIGHEST_WAVE_METRES:
            when = f" at {time}" if time else since
            if "x" in values and "y" in values:
                when += f" at x {values['x']:g} y {values['y']:g}"
            told = f"of {height:g} m" if math.isfinite(height) else "that has no room in its column"
            raise ScienceError(
                "MODEL_DIVERGED",
                f"{written.path}, row {number}: a significant wave height {told}{when}, which no sea has.",
            )


def check_end(case: Case, work: Path, time: int | None) -> None:
    """Raise MODEL_DIVERGED by the state and the fields that a piece leaves at its end.

    A spectrum with a number that is none has waves of 0 m in SWAN's outputs, and in NetCDF any height.
    """
    when = "" if time is None else f" at {text_of(time)}"
    place = broken_place(work / HOT_OUT)
    if place is not None:
        raise ScienceError("MODEL_DIVERGED", f"The spectrum {place} has a number that is none{when}.")
    if not (work / END_FIELDS).is_file():
        return
    # QUANTITY may give them other names.
    fields = [numbers for _name, numbers in matrices(work / END_FIELDS)][-4:]
    for x, y, depth, height in zip(*fields, strict=True):
        # At dry points both are NaN, and so in no relation.
        if height > HIGHEST_WAVE_METRES:
            why = "which no sea has"
        elif case.breaks_waves and depth >= SHALLOW_METRES and height > MOST_HEIGHT_OF_DEPTH * depth:
            why = f"in water of {depth:.4g} m, where waves break"
        else:
            continue
        raise ScienceError("MODEL_DIVERGED", f"Waves of {height:.4g} m{when} at x {x:g} y {y:g}, {why}.")
