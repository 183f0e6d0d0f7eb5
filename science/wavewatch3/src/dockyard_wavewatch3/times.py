"""Times as WAVEWATCH III writes them, as seconds: 19680606 003000. Day 00 is the day before the first of a month."""

from calendar import timegm
from datetime import UTC, datetime, timedelta

from dockyard_session.errors import ScienceError


def seconds_of(day: str, clock: str, place: str) -> int:
    """The seconds of a time; raises CASE_INVALID with the place where it is none."""
    # The programs read two whole numbers, so 4000 is 00:40:00.
    moment = _moment_of(day, clock.zfill(6))
    if moment is None:
        raise ScienceError("CASE_INVALID", f"{place}: '{day} {clock}' is no time; write YYYYMMDD HHMMSS.")
    return timegm(moment.timetuple())


def _moment_of(day: str, clock: str) -> datetime | None:
    try:
        first = datetime(int(day[:4]), int(day[4:6]), 1, tzinfo=UTC)
        number = int(day[6:8])
        hours, minutes, seconds = int(clock[:2]), int(clock[2:4]), int(clock[4:6])
    except ValueError:
        return None
    # A time such as 240000 is the begin of the next day.
    if number > 31 or hours > 24 or minutes > 59 or seconds > 59:
        return None
    return first + timedelta(days=number - 1, hours=hours, minutes=minutes, seconds=seconds)


def text_of(seconds: int) -> str:
    """The time as WAVEWATCH III writes it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%d %H%M%S")
