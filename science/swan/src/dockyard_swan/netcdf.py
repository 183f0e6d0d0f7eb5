"""Reads the fields, tables and spectra that SWAN wrote as NetCDF."""

from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from dockyard_swan.quantities import NAMES_IN_NETCDF
from dockyard_swan.sheets import Numbers, Sheet

_X, _Y = ("x", "longitude"), ("y", "latitude")
#: How many numbers of a spectrum are read at once: those of all points may not have room in the memory of a task.
_MOST_NUMBERS = 1_000_000


def netcdf_sheets(path: Path) -> Iterator[Sheet]:
    """The numbers of all variables that change in time, one time after the other; spectra some places at a time."""
    # Only the tool's own environment has it.
    import netCDF4

    with netCDF4.Dataset(path) as file:
        # Of a stationary run SWAN writes the number of the run in the place of a time.
        axis = "time" if "time" in file.variables else "run"
        clock = file.variables[axis]
        times = [""] * len(clock)
        if axis == "time":
            dates = np.asarray(netCDF4.num2date(clock[:], clock.units))
            times = [date.strftime("%Y%m%d.%H%M%S") for date in dates]
        places = _places(file)
        changing = [
            (variable, _near(variable, places))
            for variable in file.variables.values()
            if variable.dimensions[:1] == (axis,) and variable.ndim > 1
        ]
        for at, time in enumerate(times):
            for variable, near in changing:
                is_spectrum = not near or variable.ndim > 1 + near[0].ndim
                for part in _parts(variable.shape[1:]) if is_spectrum else [slice(None)]:
                    values = np.ma.masked_array(variable[at, part])
                    told_as = NAMES_IN_NETCDF.get(variable.name)
                    yield Sheet(variable.name, told_as, values, time, *(each[part] for each in near))


def _places(file: Any) -> tuple[Numbers, Numbers] | None:
    """X and y of all points; None where the file has none."""
    axes = [file.variables[name] for names in (_X, _Y) for name in names if name in file.variables]
    if len(axes) != 2:
        return None
    x, y = (np.asarray(axis[:]) for axis in axes)
    # The places of a regular grid stand along its two axes.
    is_regular = all(axis.dimensions == (axis.name,) for axis in axes)
    return tuple(np.meshgrid(x, y)) if is_regular else (x, y)


def _near(variable: Any, places: tuple[Numbers, Numbers] | None) -> tuple[Numbers, ...]:
    """X and y where the variable has the points of the file; nothing for one of other points."""
    if places is None or variable.shape[1 : 1 + places[0].ndim] != places[0].shape:
        return ()
    return places


def _parts(shape: tuple[int, ...]) -> Iterator[slice]:
    rows = max(1, _MOST_NUMBERS // max(1, prod(shape[1:])))
    for first in range(0, shape[0], rows):
        yield slice(first, first + rows)
