"""Looks that fields which are interpolated in time last as long as the run: ww3_shel would go on with the last of them.

Levels and ice hold until the next time that they have, so theirs may end before.
"""

import re
import struct
from pathlib import Path

from dockyard_session.errors import ScienceError
from dockyard_wavewatch3.case import FIELD_FILE, Case
from dockyard_wavewatch3.records import payloads
from dockyard_wavewatch3.times import seconds_of, text_of

#: The files of fields that are interpolated, with what they hold and how ww3_prep calls that.
_FILES = {
    "wind.ww3": ("wind", "WN"),
    "current.ww3": ("current", "CUR"),
    "momentum.ww3": ("wind stress", "TAU"),
    "density.ww3": ("air density", "RHO"),
}
_TIME_BYTES = 8


def check_forcing(case: Case, made: Path) -> None:
    """Raise CASE_INVALID with the file, and the line of ww3_prep that names it, where a field ends too early."""
    for name, (what, called) in _FILES.items():
        times = _times_of(made / name) if (made / name).is_file() else []
        # A field of one time does not change.
        if len(times) > 1 and times[-1] < case.shell.end:
            ends, end = text_of(times[-1]), text_of(case.shell.end)
            told = f"the {what} ends at {ends}, and the run of {case.shell.name} at {end}."
            raise ScienceError("CASE_INVALID", f"{_place_of(case, called) or name}: {told}")


def _times_of(path: Path) -> list[int]:
    """The times of a file of fields: records of two whole numbers."""
    times: list[int] = []
    try:
        for order, data in payloads(path):
            if len(data) == _TIME_BYTES:
                day, clock = struct.unpack(f"{order}2i", data)
                times.append(seconds_of(str(day), str(clock), path.name))
    except (ValueError, struct.error, ScienceError):
        return []
    return times


def _place_of(case: Case, called: str) -> str | None:
    """The line of ww3_prep that names the file of the field."""
    for step in case.before:
        if step.program != "ww3_prep":
            continue
        lines = (case.root / step.file).read_text(encoding="latin-1").split("\n")
        if not any(re.match(rf"\s*'{called}", line) for line in lines):
            continue
        for number, line in enumerate(lines, start=1):
            named = FIELD_FILE.match(line)
            if named is not None:
                return f"{step.file}, line {number}, '{named[1]}'"
        return step.file
    return None
