"""The one error type for expected failures: bad input, not a fault of this code."""

MESSAGE_CHARACTERS = 500


class ScienceError(Exception):
    """A task cannot be done because of what it was given; `code` is one of the documented failure codes.

    The message names the residue, component or atom in plain words. It is brought to one line of at most
    500 characters, because it is stored, listed and shown as it is.
    """

    def __init__(self, code: str, message: str) -> None:
        """Keep `code` unchanged and `message` as one line."""
        self.code = code
        self.message = one_line(message)
        super().__init__(f"{code}: {self.message}")

    def __reduce__(self) -> tuple[type["ScienceError"], tuple[str, str]]:
        """Let pickle carry the error, so that a ligand may be prepared in another process."""
        return (type(self), (self.code, self.message))


def one_line(text: str, limit: int = MESSAGE_CHARACTERS) -> str:
    """Bring a text to one line of at most `limit` characters, without control characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
