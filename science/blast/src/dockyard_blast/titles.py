"""Letters beyond ASCII in titles, which the programs of BLAST do not know.

makeblastdb writes a # for each byte of such a letter, and queries get the same. The reports get the letters back: each
sign # that a program shows of a title stands for what the title has there, also where the program wraps the title or
breaks it off.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

#: The titles of a database with such letters, beside its volumes: a line for each, with the number of its sequence.
TITLES = "titles.jsonl"

#: What stands for each sign # of a title; the further bytes of a letter stand for nothing.
Letters = Sequence[str]

_QUERY = re.compile(r"(?<=\A\n\nQuery= ).*?(?=\n\nLength=)", re.DOTALL)
_SUMMARY = re.compile(r"(?<=\(Bits\)  Value)([^\n]*\n\n)(.*?)(?=\n\n)", re.DOTALL)
_ROW = re.compile(r"(.*?)(\s{2,}\S+\s+\S+\s*)")
_HIT = re.compile(r"(?<=\n>).*?(?=\nLength=)", re.DOTALL)


def plain(title: str) -> str:
    """A title as the programs take it."""
    return "".join(letter if letter.isascii() else "#" * len(letter.encode()) for letter in title)


def letters_of(title: bytes) -> Letters:
    """What the signs # of a title stand for; a title that is no UTF-8 is read as Latin-1."""
    try:
        text, sizes = title.decode(), None
    except UnicodeDecodeError:
        text, sizes = title.decode("latin-1"), 1
    found: list[str] = []
    for letter in text:
        if letter == "#":
            found.append(letter)
        elif not letter.isascii():
            found += [letter, *[""] * ((sizes or len(letter.encode())) - 1)]
    return found


def restored(shown: str, letters: Letters) -> str:
    """A title, or the beginning of one, with its own letters."""
    left = iter(letters)
    return re.sub("#", lambda _sign: next(left, "#"), shown)


def write_titles(path: Path, titles: Iterable[tuple[int, Letters]]) -> None:
    """Write what the titles of a database have; nothing where none has such a letter."""
    lines = [json.dumps([number, letters], separators=(",", ":")) + "\n" for number, letters in titles]
    if lines:
        path.write_text("".join(lines), encoding="ascii")


def read_titles(path: Path) -> Mapping[int, Letters]:
    """What the titles of a database have, by the numbers of their sequences."""
    if not path.exists():
        return {}
    return dict(json.loads(line) for line in path.read_text(encoding="ascii").splitlines())


def restore_hits(found: list[dict[str, Any]], titles: Mapping[int, Letters]) -> list[list[Letters]]:
    """Give the titles in the reports of `searches_of` their letters; answers the letters of each hit of each query."""
    return [
        [_restore_hit(hit, titles) for hit in report["results"]["search"].get("hits", [])] for report in found
    ]


def _restore_hit(hit: dict[str, Any], titles: Mapping[int, Letters]) -> Letters:
    descriptions = hit["description"]
    number = str(descriptions[0].get("id", "")).rpartition("BL_ORD_ID|")[2]
    letters = titles.get(int(number), ()) if number.isdigit() else ()
    if len(letters) != sum(one["title"].count("#") for one in descriptions):
        return ()
    left = iter(letters)
    for one in descriptions:
        one["title"] = restored(one["title"], [next(left) for _ in range(one["title"].count("#"))])
    return letters


def restore_rows(
    rows: str, found: list[dict[str, Any]], queries: Sequence[Letters], hits: Sequence[Sequence[Letters]]
) -> str:
    """The table of hits, in which each alignment of the reports has a row, with the letters of names."""
    owners = [
        (query, letters)
        for report, query, of_query in zip(found, queries, hits, strict=True)
        for hit, letters in zip(report["results"]["search"].get("hits", []), of_query, strict=True)
        for _hsp in hit["hsps"]
    ]
    lines = rows.splitlines(keepends=True)
    return "".join(_with_names(line, *owner) for line, owner in zip(lines, owners, strict=True))


def _with_names(line: str, query: Letters, subject: Letters) -> str:
    names = line.split("\t", 2)
    return "\t".join([restored(names[0], query), restored(names[1], subject), names[2]])


def restore_section(section: str, query: Letters, hits: Sequence[Letters]) -> str:
    """The alignments of one query with the letters of its title and of the titles of its hits."""
    section = _QUERY.sub(lambda title: restored(title[0], query), section, count=1)
    if not any(hits):
        return section
    section = _SUMMARY.sub(lambda rows: rows[1] + _summary(rows[2], hits), section, count=1)
    left = iter(hits)
    return _HIT.sub(lambda title: restored(title[0], next(left, ())), section)


def _summary(rows: str, hits: Sequence[Letters]) -> str:
    left = iter(hits)
    return "\n".join(_row(line, next(left, ())) for line in rows.split("\n"))


def _row(line: str, letters: Letters) -> str:
    """A row of the summary, whose numbers stay in their columns."""
    parts = _ROW.fullmatch(line)
    return line if parts is None else restored(parts[1], letters).ljust(len(parts[1])) + parts[2]
