"""What Vina prints while it docks: the text of dock.log, with a progress bar for each shape of the ligand."""

import re
import sys
from collections.abc import Callable

# Vina draws 51 stars below a ruler, however much there is to do.
_STARS = 51
_BAR = re.compile(rb"\|----[-|]*\|\s*(\*+)")
_SHAPE = re.compile(rb"^shape (\d+) of (\d+)$", re.MULTILINE)


def shape_line(number: int, count: int) -> str:
    """The line that stands before the docking of a shape where there are several; numbers count from 1."""
    return f"shape {number} of {count}"


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
        """How much of all shapes is docked; a ligand without shapes of its own is one."""
        done, count, since = 0, 1, 0
        for line in _SHAPE.finditer(self.text):
            done, count, since = int(line[1]) - 1, int(line[2]), line.end()
        bar = _BAR.search(self.text, since)
        return (done + (min(len(bar[1]) / _STARS, 1.0) if bar else 0.0)) / count
