"""The numbers of fields, tables and spectra as SWAN wrote them: as NetCDF, as MATLAB, or as text without heads."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dockyard_swan.case import Written
from dockyard_swan.matlab import matrices
from dockyard_swan.textmaps import text_maps


@dataclass(frozen=True)
class Sheet:
    """The numbers that SWAN tells of what it calls `name`, with the time and their places where the file has them."""

    name: str
    numbers: Sequence[float]
    time: str = ""
    x: Sequence[float] = ()
    y: Sequence[float] = ()

    def place(self, at: int) -> str:
        """Where a number is, in words."""
        return f" at x {self.x[at]:g} y {self.y[at]:g}" if self.x and self.y else ""


def sheets(written: Written, path: Path, exceptions: frozenset[float]) -> Iterator[Sheet]:
    """The numbers of a file, one quantity and time after the other; nothing of a file of another kind."""
    ending = path.suffix.lower()
    if ending == ".nc":
        # A build without NetCDF writes text under such a name.
        with path.open("rb") as file:
            if file.read(4)[1:] not in {b"HDF", b"DF\x01", b"DF\x02"}:
                return
        from dockyard_swan.netcdf import netcdf_sheets

        yield from netcdf_sheets(path)
    elif ending == ".mat":
        yield from matlab_sheets(path)
    elif written.kind == "field":
        for name, numbers in text_maps(written, path):
            yield Sheet(name, [number for number in numbers if number not in exceptions])


def matlab_sheets(path: Path) -> Iterator[Sheet]:
    """The numbers of a MATLAB file; those that are none are left out, because SWAN writes them at dry points."""
    places: dict[str, Sequence[float]] = {}
    for matrix, numbers in matrices(path):
        name, _, time = matrix.partition("_")
        if name in {"Xp", "Yp"}:
            places[name] = numbers
            continue
        told = [at for at, number in enumerate(numbers) if not math.isnan(number)]
        x, y = ([places[each][at] for at in told] if each in places else [] for each in ("Xp", "Yp"))
        yield Sheet(name, [numbers[at] for at in told], time.replace("_", "."), x, y)
