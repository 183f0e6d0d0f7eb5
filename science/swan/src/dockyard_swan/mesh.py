"""The sides of an unstructured mesh: the markers of its boundary, by which BOUND SIDE names them."""

from collections.abc import Iterator
from pathlib import Path

from dockyard_swan.commands import Command
from dockyard_waves.paths import inside


def sides_of(command: Command, folder: Path) -> set[int] | None:
    """The markers of the mesh that READGRID UNSTRUCTURED names; None where its files do not tell them."""
    texts = command.texts()
    try:
        if command.find("TRIA") is not None:
            found = set(_triangle(_rows(folder / inside(f"{texts[-1].path}.node", ""))))
        elif command.find("EASY") is not None:
            rows = _rows(folder / inside(f"{texts[-1].path}.n", ""))
            next(rows)
            found = {int(row[-1]) for row in rows if len(row) > 3}
        else:
            found = set(range(1, _boundaries(_rows(folder / "fort.14")) + 1))
    except (ValueError, IndexError, StopIteration):
        # A mesh that is no mesh is for SWAN to tell.
        return None
    return found - {0}


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="latin-1") as file:
        for line in file:
            row = line.split("#")[0].split()
            if row:
                yield row


def _triangle(rows: Iterator[list[str]]) -> Iterator[int]:
    count, _dimensions, _attributes, markers = map(int, next(rows)[:4])
    for _vertex, row in zip(range(count), rows, strict=False):
        yield int(row[-1]) if markers else 0


def _boundaries(rows: Iterator[list[str]]) -> int:
    """The boundaries behind vertices and cells: those that are open, and those of land."""
    next(rows)
    cells, vertices = map(int, next(rows)[:2])
    for _skipped in range(cells + vertices):
        next(rows)
    count = 0
    for _kind in ("open", "land"):
        boundaries = int(next(rows)[0])
        next(rows)
        for _boundary in range(boundaries):
            for _vertex in range(int(next(rows)[0])):
                next(rows)
        count += boundaries
    return count
