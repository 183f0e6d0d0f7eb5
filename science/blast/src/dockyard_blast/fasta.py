"""Reads queries in FASTA, and refuses what BLAST itself would pass over in silence.

BLAST drops letters that are none, takes nucleotides for a protein, skips records without a sequence and ends with 0 on
an empty file. So queries are read here first, and BLAST gets what was understood. What ordinary files have is taken:
lower case, `*`, ambiguity codes, CRLF, blank lines, `;` comments, lines of any length, blanks and position numbers in
sequences, gaps (`-` and `.`, which are left out), a sequence without a title line.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dockyard_blast.titles import plain
from dockyard_session.errors import ScienceError

Molecule = Literal["prot", "nucl"]

MAX_BYTES = 64 * 1024 * 1024
MAX_RECORDS = 100_000
#: The longest query: titin has 35,000 residues, the chromosome of E. coli 4.6 million bases.
MAX_LETTERS: dict[Molecule, int] = {"prot": 100_000, "nucl": 10_000_000}
MAX_TITLE = 4096

_LETTERS: dict[Molecule, str] = {"prot": "ABCDEFGHIJKLMNOPQRSTUVWXYZ*", "nucl": "ACGTURYKMSWBDHVN"}
_NAMES: dict[Molecule, str] = {"prot": "a protein", "nucl": "a nucleotide sequence"}
_BASES = frozenset("ACGTUN")
_PROTEIN_ONLY = frozenset("EFIJLOPQZ*")
#: Blanks, and the numbers of positions that stand by themselves.
_IGNORED = re.compile(r"(?<!\S)[0-9]+(?!\S)|\s+")
#: A line of a sequence without a title line; what else begins without one is no FASTA, such as a PDB or GenBank file.
_PLAIN = re.compile(r"\s*[0-9]*[\sA-Za-z*.-]*[0-9]*\s*")
_GAPS = re.compile(r"[-.]+")
#: What ends a word or a line in ASCII or in Unicode; other blanks are letters of a title.
_BLANKS = frozenset("\t\v\f \x1c\x1d\x1e\x1f\x85\u2028\u2029")
#: A shorter text of bases may be a peptide; so may one of fewer different bases, such as a repeat of alanine.
_LEAST_BASES = 30
_LEAST_DIFFERENT = 3
_MOSTLY = 0.95


@dataclass(frozen=True)
class Record:
    """One query; `number` counts from 1, `line` is where the record begins."""

    number: int
    line: int
    title: str
    letters: str

    @property
    def name(self) -> str:
        """The first word of the title, by which hits name the query."""
        return self.title.split(" ", 1)[0]


@dataclass(frozen=True)
class Queries:
    """All queries of a file, with what a customer should know of them."""

    records: tuple[Record, ...]
    warnings: tuple[tuple[str, str], ...]


def read_queries(path: Path, molecule: Molecule) -> Queries:
    """Read a whole file; raises QUERY_EMPTY, QUERY_INVALID, QUERY_TYPE_MISMATCH or QUERY_TOO_LARGE."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise ScienceError("QUERY_TOO_LARGE", f"The file has {size} bytes; at most {MAX_BYTES} are read.")
    return parse_queries(path.read_bytes(), molecule)


def parse_queries(data: bytes, molecule: Molecule) -> Queries:
    """Read the bytes of a file."""
    text = _text_of(data)
    notes = _Notes([], [], [], [])
    records = [_checked(raw, molecule, notes) for raw in _records(text)]
    if not records:
        raise ScienceError("QUERY_EMPTY", "The file has no sequence.")
    if molecule == "prot" and _are_bases("".join(record.letters for record in records)):
        raise _mismatch(records[0], molecule)
    notes.doubles.extend(_check_names(records))
    return Queries(tuple(records), notes.warnings())


@dataclass(frozen=True)
class _Notes:
    """The numbers of records of which the customer should know something."""

    gapped: list[int]
    masked: list[int]
    doubles: list[int]
    cut: list[int]

    def warnings(self) -> tuple[tuple[str, str], ...]:
        """A warning for each kind of record that there is."""
        found: list[tuple[str, str]] = []
        if self.gapped:
            text = (
                f"Gaps (- and .) were left out of {_count(self.gapped)}; BLAST aligns sequences without gaps."
            )
            found.append(("QUERY_GAPS_REMOVED", text))
        if self.masked:
            text = f"X was read as N in {_count(self.masked)}; X is no letter of a nucleotide sequence."
            found.append(("QUERY_MASKED_LETTERS", text))
        if self.doubles:
            text = f"Name and sequence of an earlier query are repeated in {_count(self.doubles)}; each was searched."
            found.append(("QUERY_REPEATED", text))
        if self.cut:
            text = f"The title was cut after {MAX_TITLE} characters in {_count(self.cut)}."
            found.append(("QUERY_TITLE_CUT", text))
        return tuple(found)


def write_fasta(path: Path, records: Iterable[Record]) -> None:
    """Write records as BLAST reads them.

    BLAST takes a line that begins with `>?` for a gap and joins the sequences around the line. A blank in front of such
    a title keeps it a title, and BLAST drops the blank.
    """
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            title = plain(record.title)
            blank = " " if title.startswith("?") else ""
            file.write(f">{blank}{title}\n{record.letters}\n")


def _text_of(data: bytes) -> str:
    if not data.strip():
        raise ScienceError("QUERY_EMPTY", "The file has no sequence.")
    if data.startswith(b"\x1f\x8b"):
        raise _invalid(1, 1, "the file is compressed; unpack it first")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _invalid(1, 1, "the file is UTF-16; save it as plain text (UTF-8)")
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        number = max(1, data[: data.index(b"\0")].count(b">"))
        raise _invalid(number, line, "the file is binary and no FASTA text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True)
class _Raw:
    """A record as it stands in the file; its lines follow the line `above`."""

    number: int
    line: int
    title: str
    above: int
    lines: list[str]


def _records(text: str) -> Iterator[_Raw]:
    raw: _Raw | None = None
    for at, content in enumerate(text.split("\n"), start=1):
        if content.startswith(">"):
            if raw is not None:
                yield raw
            number = 1 if raw is None else raw.number + 1
            if number > MAX_RECORDS:
                raise ScienceError(
                    "QUERY_TOO_LARGE", f"There are more than {MAX_RECORDS} queries in the file."
                )
            raw = _Raw(number, at, _title(content[1:]) or f"Query_{number}", at, [])
        elif raw is not None:
            raw.lines.append("" if content.startswith(";") else content)
        elif content.strip() and not content.startswith(";"):
            # A sequence without a title line is a query of its own, as it is for BLAST.
            raw = _Raw(1, at, "Query_1", at - 1, [content])
    if raw is not None:
        yield raw


def _title(text: str) -> str:
    """A title on one line, without control characters."""
    letters = (" " if letter in _BLANKS else "?" if _is_control(letter) else letter for letter in text)
    return "".join(letters).strip(" ")


def _is_control(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cs")


def _checked(raw: _Raw, molecule: Molecule, notes: "_Notes") -> Record:
    if raw.above < raw.line:
        _check_plain(raw)
    letters = "".join(_IGNORED.sub("", line) for line in raw.lines)
    if _GAPS.search(letters) is not None:
        notes.gapped.append(raw.number)
        letters = _GAPS.sub("", letters)
    if letters == "":
        raise _invalid(raw.number, raw.line, "it has no sequence")
    if len(letters) > MAX_LETTERS[molecule]:
        where = f"Record {raw.number} (line {raw.line})"
        most = MAX_LETTERS[molecule]
        raise ScienceError(
            "QUERY_TOO_LARGE", f"{where} has {len(letters)} letters; at most {most} are searched."
        )
    upper = letters.upper()
    title = raw.title[:MAX_TITLE].rstrip(" ")
    if title != raw.title:
        notes.cut.append(raw.number)
    record = Record(raw.number, raw.line, title, letters)
    _check_type(record, upper, molecule)
    if molecule == "nucl" and "X" in upper:
        # Programs that mask vectors write X. BLAST would drop each X, and every place behind one would be wrong.
        notes.masked.append(raw.number)
        record = Record(raw.number, raw.line, title, letters.replace("X", "N").replace("x", "n"))
    strange = set(record.letters.upper()) - set(_LETTERS[molecule])
    if strange:
        letter, line = _first_strange(raw, strange)
        raise _invalid(raw.number, line, f"{letter!r} is no letter of {_NAMES[molecule]}")
    return record


def _check_plain(raw: _Raw) -> None:
    for at, line in enumerate(raw.lines, start=1):
        if _PLAIN.fullmatch(line) is None:
            raise _invalid(
                raw.number, raw.above + at, "the line is no sequence, and no line of > stands before it"
            )


def _check_type(record: Record, upper: str, molecule: Molecule) -> None:
    if molecule == "prot":
        if _are_bases(upper):
            raise _mismatch(record, molecule)
        return
    protein = sum(upper.count(letter) for letter in _PROTEIN_ONLY)
    bases = sum(upper.count(letter) for letter in _BASES | {"X"})
    is_long = len(upper) >= _LEAST_BASES
    if (protein >= 2 and protein * 20 >= len(upper)) or (is_long and bases * 2 < len(upper)):
        raise _mismatch(record, molecule)


def _are_bases(letters: str) -> bool:
    upper = letters.upper()
    bases = sum(upper.count(base) for base in _BASES)
    different = sum(base in upper for base in "ACG") + ("T" in upper or "U" in upper)
    return len(upper) >= _LEAST_BASES and different >= _LEAST_DIFFERENT and bases >= _MOSTLY * len(upper)


def _check_names(records: list[Record]) -> list[int]:
    """Two sequences of one name could not be told apart in the hits; the same record twice can."""
    first: dict[str, tuple[int, bytes]] = {}
    doubles = []
    for record in records:
        digest = hashlib.sha256(record.letters.upper().encode()).digest()
        number, known = first.setdefault(record.name, (record.number, digest))
        if number == record.number:
            continue
        if known != digest:
            message = f"it has the name {record.name[:80]!r} of record {number}, and another sequence"
            raise _invalid(record.number, record.line, message)
        doubles.append(record.number)
    return doubles


def _first_strange(raw: _Raw, strange: set[str]) -> tuple[str, int]:
    for at, line in enumerate(raw.lines, start=1):
        for letter in _IGNORED.sub("", line):
            if letter.upper() in strange:
                return letter, raw.above + at
    return min(strange), raw.line


def _count(numbers: list[int]) -> str:
    return (
        f"record {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} records (the first is {numbers[0]})"
    )


def _mismatch(record: Record, molecule: Molecule) -> ScienceError:
    found, program = ("a nucleotide sequence", "blastn") if molecule == "prot" else ("a protein", "blastp")
    where = f"Record {record.number} (line {record.line})"
    return ScienceError(
        "QUERY_TYPE_MISMATCH", f"{where} is {found}, not {_NAMES[molecule]}; {program} searches such."
    )


def _invalid(number: int, line: int, why: str) -> ScienceError:
    return ScienceError("QUERY_INVALID", f"Record {number}, line {line}: {why}.")
