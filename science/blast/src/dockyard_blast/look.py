"""Looks through the FASTA of a database once, for what makeblastdb takes or leaves out without a word."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dockyard_blast.titles import Letters, letters_of
from dockyard_session.errors import ScienceError

_BLOCK_BYTES = 1024 * 1024
_TITLE = re.compile(rb"(?:\A|(?<=[\r\n]))>([^\r\n]*)")
#: A line of a sequence; lines that begin with ; are comments.
_SEQUENCE = re.compile(rb"(?:\A|(?<=[\r\n]))[ \t]*[A-Za-z*-]")
#: Beyond so many sequences their ids take more memory than equal ones are worth.
_MOST_IDS = 5_000_000
_SHOWN = 80


@dataclass
class Looked:
    """What was found; sequences are numbered as makeblastdb numbers them, records from 1 as they stand in the file."""

    titles: list[tuple[int, Letters]] = field(default_factory=list)
    repeated: int = 0
    first_repeated: tuple[int, str] | None = None
    empty: int = 0
    first_empty: int = 0

    def warnings(self) -> tuple[tuple[str, str], ...]:
        """A warning for each kind of record that there is."""
        found: list[tuple[str, str]] = []
        if self.first_repeated is not None:
            number, name = self.first_repeated
            text = (
                f"{_records(self.repeated)} of the database {'has' if self.repeated == 1 else 'have'} the id of an "
                f"earlier one (the first is record {number}, {name!r}); hits.tsv names them alike."
            )
            found.append(("DATABASE_ID_REPEATED", text))
        if self.empty:
            text = (
                f"{_records(self.empty)} of the database without a sequence "
                f"{'was' if self.empty == 1 else 'were'} left out (the first is record {self.first_empty})."
            )
            found.append(("DATABASE_RECORD_EMPTY", text))
        return tuple(found)


def look_through(source: Path) -> Looked:
    """Read the titles of a file. Raises DATABASE_UNREADABLE for one that makeblastdb takes for a gap."""
    looked = Looked()
    names: set[int] = set()
    sequences = 0
    for number, (title, has_sequence) in enumerate(_records_of(source), start=1):
        if title.startswith(b"?"):
            # makeblastdb would join the sequences around such a line.
            message = (
                "A title of the database begins with a question mark, which makeblastdb takes for a gap."
            )
            raise ScienceError("DATABASE_UNREADABLE", message)
        if not has_sequence:
            looked.empty += 1
            looked.first_empty = looked.first_empty or number
            continue
        if not title.isascii():
            looked.titles.append((sequences, letters_of(title)))
        sequences += 1
        name = title.split(maxsplit=1)[0] if title.strip() else b""
        if not name or len(names) == _MOST_IDS:
            continue
        if hash(name) in names:
            looked.repeated += 1
            looked.first_repeated = looked.first_repeated or (
                number,
                name.decode("utf-8", "replace")[:_SHOWN],
            )
        names.add(hash(name))
    return looked


def _records_of(source: Path) -> Iterator[tuple[bytes, bool]]:
    """The title of each record, and whether a sequence follows it."""
    title: bytes | None = None
    has_sequence = False
    for lines in _whole_lines(source):
        at = 0
        for found in _TITLE.finditer(lines):
            has_sequence = has_sequence or _SEQUENCE.search(lines, at, found.start()) is not None
            if title is not None:
                yield title, has_sequence
            title, has_sequence, at = found[1], False, found.end()
        has_sequence = has_sequence or _SEQUENCE.search(lines, at) is not None
    if title is not None:
        yield title, has_sequence


def _whole_lines(source: Path) -> Iterator[bytes]:
    """Blocks that begin where a line begins; of a sequence whose line is longer each block has a part."""
    rest = b""
    with source.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            data = rest + block
            end = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
            rest = data[end:]
            if rest[:1] not in (b"", b">", b";"):
                # The first letter tells that what follows belongs to a sequence.
                end, rest = len(data), rest[:1]
            yield data[:end]
    yield rest


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count} records"
