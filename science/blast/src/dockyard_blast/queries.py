"""Cuts the queries into the tasks of a job: whole queries, in their order, balanced by letters."""

import json
from pathlib import Path
from typing import Any

from dockyard_blast.fasta import Molecule, Queries, Record
from dockyard_session.errors import ScienceError

#: The queries as they were understood, one title and one line of letters each.
CLEANED = "queries.fasta"
#: Which part of that file each task searches.
PARTS = "queries.json"


def cut(records: tuple[Record, ...], parts: int) -> list[tuple[int, int]]:
    """Bounds of the parts, `to` exclusive; raises TASK_COUNT_MISMATCH when there are more parts than queries."""
    count = len(records)
    if parts > count:
        message = f"taskCount is {parts}, but the file has {count} queries; a task is at least one query."
        raise ScienceError("TASK_COUNT_MISMATCH", message)
    total = sum(len(record.letters) for record in records)
    bounds, sum_before, at = [0], 0, 0
    for part in range(1, parts):
        # Each part gets a query, and leaves one for each part behind it.
        at, sum_before = at + 1, sum_before + len(records[at].letters)
        while (
            at < count - (parts - part)
            and 2 * sum_before + len(records[at].letters) <= 2 * total * part // parts
        ):
            sum_before += len(records[at].letters)
            at += 1
        bounds.append(at)
    return list(zip(bounds, [*bounds[1:], count], strict=True))


def write_queries(queries: Queries, molecule: Molecule, parts: int, out: Path) -> list[tuple[int, int]]:
    """Write the queries and which part of them each task searches."""
    bounds = cut(queries.records, parts)
    places = [0]
    with Path(out, CLEANED).open("wb") as file:
        for record in queries.records:
            file.write(f">{record.title}\n{record.letters}\n".encode())
            places.append(file.tell())
    table = {
        "schema": "dockyard.blast.queries/v1",
        "type": molecule,
        "queries": len(queries.records),
        "letters": sum(len(record.letters) for record in queries.records),
        "parts": [
            {
                "first": first + 1,
                "queries": to - first,
                "letters": sum(len(record.letters) for record in queries.records[first:to]),
                "offset": places[first],
                "bytes": places[to] - places[first],
            }
            for first, to in bounds
        ],
    }
    Path(out, PARTS).write_text(json.dumps(table, separators=(",", ":")) + "\n", encoding="ascii")
    return bounds


def read_part(cleaned: Path, table: Path, ordinal: int) -> list[Record]:
    """The queries of one task, with their numbers in the whole file."""
    part: dict[str, Any] = json.loads(table.read_text(encoding="ascii"))["parts"][ordinal]
    with cleaned.open("rb") as file:
        file.seek(part["offset"])
        lines = file.read(part["bytes"]).decode().removesuffix("\n").split("\n")
    titles, letters = lines[0::2], lines[1::2]
    return [
        Record(part["first"] + index, 0, title[1:], sequence)
        for index, (title, sequence) in enumerate(zip(titles, letters, strict=True))
    ]
