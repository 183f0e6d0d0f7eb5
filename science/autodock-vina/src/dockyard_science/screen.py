"""What Vina prints while it docks: the text of dock.log, with a progress bar for each state and shape of the ligand."""

import re
import sys
from collections.abc import Callable

# Vina draws 51 stars below a ruler, however much there is to do.
_STARS = 51
_BAR = re.compile(rb"\|----[-|]*\|\s*(\*+)")
_PART = re.compile(rb"^(state|shape) (\d+) of (\d+)(?:: .*)?$", re.MULTILINE)


def part_line(what: str, number: int, count: int, more: str = "") -> str:
    """The line before the docking of a state or shape where there are several, counted from 1, `more` behind it."""
    return f"{what} {number} of {count}{': ' if more else ''}{more}"


class Screen:
    """Keeps what is printed, shows it in the task's log, and tells `progress` the share done (0 to 1)."""

    def __init__(self, progress: Callable[[float], None]) -> None:
        """Begin with no text."""
        self.text = bytearray()
        self._progress = progress

    def show(self, data: bytes) -> None:
        """Take a piece of output, which may begin and end anywhere."""
        self.text += data
        # Standard output goes to the task's log.
        sys.stdout.write(data.decode("utf-8", "replace"))
        sys.stdout.flush()
        if b"*" in data:
            self._progress(self._share())

    def _share(self) -> float:
        """How much is docked of all states, each in all of its shapes; a ligand without any is one."""
        done, width, since = 0.0, 1.0, 0
        begun, of_state = 0.0, 1.0
        for line in _PART.finditer(self.text):
            number, count, since = int(line[2]) - 1, int(line[3]), line.end()
            if line[1] == b"state":
                begun, of_state = number / count, 1 / count
                done, width = begun, of_state
            else:
                done, width = begun + of_state * number / count, of_state / count
        bar = _BAR.search(self.text, since)
        return done + width * (min(len(bar[1]) / _STARS, 1.0) if bar else 0.0)
