"""What Vina prints while it docks: the text of dock.log, and in it a progress bar."""

import re
import sys
from collections.abc import Callable

# Vina draws 51 stars below a ruler, however much there is to do.
_STARS = 51
_BAR = re.compile(rb"\|----[-|]*\|\s*(\*+)")


class Screen:
    """Keeps what is printed, shows it in the task's log, and tells `progress` the share done (0 to 1)."""

    def __init__(self, progress: Callable[[float], None]) -> None:
        """Begin empty."""
        self.text = bytearray()
        self._progress = progress

    def show(self, data: bytes) -> None:
        """Take a piece of output, cut anywhere."""
        self.text += data
        # Standard output is the task's log.
        sys.stdout.write(data.decode("utf-8", "replace"))
        sys.stdout.flush()
        bar = _BAR.search(self.text)
        if bar and b"*" in data:
            self._progress(min(len(bar[1]) / _STARS, 1.0))
