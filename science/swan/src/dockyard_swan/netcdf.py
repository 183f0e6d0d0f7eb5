"""Reads the fields, tables and spectra that SWAN wrote as NetCDF."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dockyard_swan.sheets import Sheet

_X, _Y = ("x", "longitude"), ("y", "latitude")


def netcdf_sheets(path: Path) -> Iterator[Sheet]:
    """The numbers of each variable that changes in time, one time after the other; a place of a spectrum has many."""
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
        x, y = (
            next(
                (np.asarray(file.variables[name][:]) for name in names if name in file.variables), np.empty(0)
            )
            for names in (_X, _Y)
        )
        if {"x", "y"} <= set(file.dimensions):
            x, y = np.meshgrid(x, y)
        for name, variable in file.variables.items():
            if variable.dimensions[:1] != (axis,) or name == axis:
                continue
            for at, time in enumerate(times):
                values = np.ma.masked_array(variable[at])
                is_told = ~np.ma.getmaskarray(values)
                where = is_told.nonzero()[: x.ndim]
                has_places = values.shape[: x.ndim] == x.shape == y.shape
                xs, ys = (x[where].tolist(), y[where].tolist()) if has_places else ([], [])
                yield Sheet(name, values.compressed().tolist(), time, xs, ys)
