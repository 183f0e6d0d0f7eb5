"""The places of a set of output points, for tables that do not tell XP and YP themselves."""

from pathlib import Path

from dockyard_swan.case import Case, Written
from dockyard_swan.commands import Command
from dockyard_waves.paths import inside


def places_of(case: Case, root: Path, written: Written) -> list[tuple[float, float]]:
    """The places for which the file is written, in the order of its rows; none where they are those of a grid."""
    name = written.command.texts()[0].text
    for command in [*case.file.all("POIN"), *case.file.all("CURV")]:
        texts = command.texts()
        if texts and texts[0].text == name:
            return _curve(command) if command.keyword == "CURV" else _points(command, root)
    return []


def _points(command: Command, root: Path) -> list[tuple[float, float]]:
    texts = command.texts()
    if command.find("FILE") is None:
        numbers = [entry.number for entry in command.entries if entry.number is not None]
    else:
        # Behind the two numbers of a line anything may stand.
        rows = (root / inside(texts[1].path, "")).read_text(encoding="latin-1").replace(",", " ").splitlines()
        try:
            numbers = [float(word) for row in rows for word in row.split()[:2]]
        except ValueError:
            return []
    return list(zip(numbers[::2], numbers[1::2], strict=False))


def _curve(command: Command) -> list[tuple[float, float]]:
    """A curve is told by its corners, each with the number of intervals from the one before."""
    numbers = [entry.number for entry in command.entries if entry.number is not None]
    places = [(x, y) for x, y in [numbers[:2]]] if len(numbers) >= 2 else []
    for at in range(2, len(numbers) - 2, 3):
        parts, x, y = round(numbers[at]), *numbers[at + 1 : at + 3]
        x0, y0 = places[-1]
        places += [(x0 + (x - x0) * k / parts, y0 + (y - y0) * k / parts) for k in range(1, parts + 1)]
    return places
