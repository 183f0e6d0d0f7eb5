"""The numbers of fields, tables and spectra as SWAN wrote them: as NetCDF, as MATLAB, or as text without heads."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dockyard_swan.case import Written
from dockyard_swan.matlab import matrices
from dockyard_swan.textmaps import text_maps

Numbers = NDArray[np.floating]


@dataclass(frozen=True)
class Sheet:
    """The numbers of what SWAN calls `name` at one time; those that it does not tell are masked.

    The places are those of the first axes, because a place of a spectrum has many numbers; a file may have none.
    """

    name: str
    numbers: np.ma.MaskedArray
    time: str = ""
    x: Numbers | None = None
    y: Numbers | None = None

    def told(self) -> Numbers:
        """The numbers that are told, without their places."""
        return np.asarray(self.numbers.compressed())

    def beyond(self, most: float) -> tuple[float, str] | None:
        """The first number that is none, or greater than this one, with its place in words."""
        numbers = np.ma.getdata(self.numbers)
        is_wrong = ~(np.isfinite(numbers) & (numbers <= most)) & ~np.ma.getmaskarray(self.numbers)
        if not is_wrong.any():
            return None
        at = np.unravel_index(is_wrong.argmax(), is_wrong.shape)
        place = ""
        if self.x is not None and self.y is not None:
            place = f" at x {self.x[at[: self.x.ndim]]:g} y {self.y[at[: self.y.ndim]]:g}"
        return float(numbers[at]), place


def sheets(written: Written, path: Path, exceptions: frozenset[float]) -> Iterator[Sheet]:
    """The numbers of a file, one quantity and time after the other; nothing of a file of another kind."""
    if written.form == "netcdf":
        # A build without NetCDF writes text under such a name.
        with path.open("rb") as file:
            if file.read(4)[1:] not in {b"HDF", b"DF\x01", b"DF\x02"}:
                return
        from dockyard_swan.netcdf import netcdf_sheets

        yield from netcdf_sheets(path)
    elif written.form == "matlab":
        yield from matlab_sheets(path)
    elif written.kind == "field":
        for name, numbers in text_maps(written, path):
            yield Sheet(name, np.ma.masked_array(numbers, np.isin(numbers, list(exceptions))))


def matlab_sheets(path: Path) -> Iterator[Sheet]:
    """The numbers of a MATLAB file; those that are none are not told, because SWAN writes them at dry points."""
    places: dict[str, Numbers] = {}
    for matrix, numbers in matrices(path):
        name, _, time = matrix.partition("_")
        if name in {"Xp", "Yp"}:
            places[name] = numbers
        else:
            told = np.ma.masked_array(numbers, np.isnan(numbers))
            yield Sheet(name, told, time.replace("_", "."), places.get("Xp"), places.get("Yp"))
