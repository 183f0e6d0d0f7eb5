"""What conversions share: what is told of a loss, and which molecule a record is.

A conversion changes the format of a file and nothing else. What the other format cannot say is either told by a warning
with a code, or is a reason not to convert at all.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning

#: The file is not what it was called.
UNREADABLE = "CONVERSION_INPUT_UNREADABLE"

#: The other format cannot say what the file says.
IMPOSSIBLE = "CONVERSION_IMPOSSIBLE"

#: Names that one message lists.
NAMED = 5


@dataclass
class Converted:
    """The text in the other format, and what was lost on the way."""

    text: str
    warnings: list[TaskWarning] = field(default_factory=list)

    def warn(self, code: str, message: str) -> None:
        """Tell a loss."""
        self.warnings.append({"code": code, "message": message})


#: Converts a file. Raises ScienceError with one of the two codes.
Converter = Callable[[Path], Converted]


def impossible(message: str) -> ScienceError:
    """The refusal of a file that the other format cannot hold."""
    return ScienceError(IMPOSSIBLE, message)


def unreadable(message: str) -> ScienceError:
    """The refusal of a file that is not what it was called."""
    return ScienceError(UNREADABLE, message)


def some(names: list[str]) -> str:
    """A few names of a list, and how many more there are."""
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def read_text(path: Path) -> str:
    """A file of text; names in it may be of any encoding, because atoms are ASCII."""
    data = path.read_bytes()
    if not data.strip():
        raise unreadable("The file is empty.")
    if data.startswith((b"\x1f\x8b", b"PK\x03\x04")):
        raise unreadable("The file is compressed; unpack it first.")
    if b"\0" in data:
        raise unreadable("The file is binary, and no text.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
