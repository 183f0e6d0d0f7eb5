"""Looks that fields which are interpolated in time last as long as the run: ww3_shel would go on with the last of them.

Levels and ice hold until the next time that they have, so theirs may end before.
"""

import re
import struct
from pathlib import Path

from dockyard_session.errors import ScienceError
from dockyard_wavewatch3.case import FIELD_FILE, NETCDF_FILE, Case
from dockyard_wavewatch3.records import payloads
from dockyard_wavewatch3.times import seconds_of, text_of

#: The files of fields that are interpolated, with what they hold, and what ww3_prep and ww3_prnc call that.
_FILES = {
    "wind.ww3": ("wind", r"'WN", "WINDS"),
    "current.ww3": ("current", r"'CUR", "CURRENTS"),
    "momentum.ww3": ("wind stress", r"'TAU", "ATM_MOMENTUM"),
    "density.ww3": ("air density", r"'RHO", "AIR_DENSITY"),
}
#: Files of fields that hold until their next time.
_HELD = ("level.ww3", "ice.ww3", "ice1.ww3", "ice2.ww3", "ice3.ww3", "ice4.ww3", "ice5.ww3", "mud_density.ww3",
         "mud_thickness.ww3", "mud_viscosity.ww3")  # fmt: skip
#: The spectra at the boundary; a time of theirs has the number of spectra behind it.
_NEST, _COUNT_BYTES = "nest.ww3", 4
_TIME_BYTES = 8


def check_forcing(case: Case, made: Path) -> None:
    """Raise CASE_INVALID with the file, and the line that names it, where a field ends too early."""
    for name, (what, called, entry) in _FILES.items():
        times = _times_of(made / name) if (made / name).is_file() else []
        # A field of one time does not change.
        if len(times) > 1 and times[-1] < case.shell.end:
            ends, end = text_of(times[-1]), text_of(case.shell.end)
            told = f"the {what} ends at {ends}, and the run of {case.shell.name} at {end}."
            asks = rf"\s*{called}|.*FIELD\s*%\s*{entry}\s*=\s*\.?T"
            raise ScienceError("CASE_INVALID", f"{_place_of(case, asks) or name}: {told}")


def forcing_times(made: Path) -> list[list[int]]:
    """The times of each file of fields, or of spectra at the boundary, that changes."""
    found = [_times_of(made / name) for name in (*_FILES, *_HELD) if (made / name).is_file()]
    if (made / _NEST).is_file():
        found.append(_times_of(made / _NEST, _COUNT_BYTES))
    return [times for times in found if len(times) > 1]


def _times_of(path: Path, more_bytes: int = 0) -> list[int]:
    """The times of a file: records of two whole numbers, and of so many bytes behind them."""
    times: list[int] = []
    try:
        for order, data in payloads(path):
            if len(data) == _TIME_BYTES + more_bytes:
                day, clock = struct.unpack(f"{order}2i", data[:_TIME_BYTES])
                times.append(seconds_of(str(day), str(clock), path.name))
    except (ValueError, struct.error, ScienceError):
        return []
    return times


def _place_of(case: Case, asks: str) -> str | None:
    """The line that names the file of the field, in the file of ww3_prep or ww3_prnc that asks for it."""
    for step in case.before:
        file = {"ww3_prep": FIELD_FILE, "ww3_prnc": NETCDF_FILE}.get(step.program)
        lines = (case.root / step.file).read_text(encoding="latin-1").split("\n")
        if file is None or not any(re.match(asks, line, re.I) for line in lines):
            continue
        for number, line in enumerate(lines, start=1):
            named = file.search(line)
            if named is not None:
                return f"{step.file}, line {number}, '{named[1]}'"
        return step.file
    return None
