"""The numbers of fields, tables and spectra as SWAN wrote them: as NetCDF, as MATLAB, or as text without heads."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dockyard_swan.case import Case, Written
from dockyard_swan.matlab import matrices
from dockyard_swan.quantities import are_exceptions, exceptions_of, name_of_word, names_in_matlab
from dockyard_swan.textmaps import text_maps

Numbers = NDArray[np.floating]
#: What follows on the name of a matrix where the run has times.
_TIME = re.compile(r"_(\d{8})_(\d{6})$")


@dataclass(frozen=True)
class Sheet:
    """The numbers of what SWAN calls `name` at one time; those that it does not tell are masked.

    `told_as` is its name in summary.json, None for what is not told there. The places are those of the first axes,
    because a place of a spectrum has many numbers; a file may have none.
    """

    name: str
    told_as: str | None
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


def sheets(case: Case, written: Written, path: Path) -> Iterator[Sheet]:
    """The numbers of a file, one quantity and time after the other; nothing of a file of another kind."""
    if written.form == "netcdf":
        # A build without NetCDF writes text under such a name.
        with path.open("rb") as file:
            if file.read(4)[1:] not in {b"HDF", b"DF\x01", b"DF\x02"}:
                return
        from dockyard_swan.netcdf import netcdf_sheets

        yield from netcdf_sheets(path)
    elif written.form == "matlab":
        yield from matlab_sheets(path, names_in_matlab(case))
    elif written.form == "text" and written.kind == "field":
        exceptions = exceptions_of(case)
        for word, numbers in text_maps(case, written, path):
            untold = are_exceptions(numbers, exceptions)
            yield Sheet(word, name_of_word(word), np.ma.masked_array(numbers, untold))


def matlab_sheets(path: Path, names: dict[str, str]) -> Iterator[Sheet]:
    """The numbers of a MATLAB file; those that are none are not told, because SWAN writes them at dry points."""
    places: dict[str, Numbers] = {}
    for matrix, numbers in matrices(path):
        found = _TIME.search(matrix)
        name, time = (matrix, "") if found is None else (matrix[: found.start()], f"{found[1]}.{found[2]}")
        if name in {"Xp", "Yp"}:
            places[name] = numbers
        else:
            told = np.ma.masked_array(numbers, np.isnan(numbers))
            yield Sheet(name, names.get(name), told, time, places.get("Xp"), places.get("Yp"))
