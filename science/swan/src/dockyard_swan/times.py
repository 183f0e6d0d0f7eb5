"""Times of SWAN in its ISO notation, `19870530.153000`, as whole seconds, and steps with their units."""

import re
import struct
from datetime import UTC, datetime, timedelta

_ISO = re.compile(r"^(\d{4})(\d{2})(\d{2})(?:\.(\d{1,6}))?$")
_START = datetime(1, 1, 1, tzinfo=UTC)
_UNITS = {"S": 1, "M": 60, "H": 3600, "D": 86400}


def seconds_of(text: str) -> int | None:
    """The time in seconds since the year 1; None where the text is no time."""
    match = _ISO.match(text)
    if match is None:
        return None
    clock = (match[4] or "").ljust(6, "0")
    try:
        day = datetime(int(match[1]), int(match[2]), int(match[3]), tzinfo=UTC)
        hour, minute, second = int(clock[:2]), int(clock[2:4]), int(clock[4:])
        if hour > 23 or minute > 59 or second > 59:
            return None
    except ValueError:
        return None
    return int((day - _START).total_seconds()) + hour * 3600 + minute * 60 + second


def text_of(seconds: int) -> str:
    """The time in ISO notation."""
    return (_START + timedelta(seconds=seconds)).strftime("%Y%m%d.%H%M%S").rjust(15, "0")


def is_exact(number: float) -> bool:
    """Whether SWAN keeps a number as it is written: it reads numbers in single precision, and 0.3 HR are not 1080 s."""
    return struct.unpack("f", struct.pack("f", number))[0] == number


def step_seconds(number: float, unit: str) -> float:
    """A step in seconds; the unit is told by its first letter."""
    return number * _UNITS.get(unit[:1].upper(), 1)
