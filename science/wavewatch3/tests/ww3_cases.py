"""The case of the example, small, and a job of one session on it."""

import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy
from scipy.io import netcdf_file

from dockyard_session.protocol import TaskRequest
from dockyard_waves.program import installed_pack
from dockyard_wavewatch3.tool import open_session
from ww3_player import write_programs

MAKE = Path(__file__).parents[3] / "examples/ww3/make_case.py"


class LostError(Exception):
    """The worker is lost."""


class Worker:
    """Hears of progress, keeps checkpoints, and is lost where a test says so."""

    def __init__(self, folder):
        self.folder, self.kept, self.checkpoints, self.lose_at = folder, {}, 0, None
        self.is_working = False
        self.out = folder

    def progress(self, percent):
        if self.lose_at is not None and percent >= self.lose_at:
            self.lose_at = None
            raise LostError

    def working(self):
        self.is_working = True

    def keep(self, files):
        assert self.is_working, "what is kept is work"
        self.checkpoints += 1
        here = self.folder / f"kept{self.checkpoints}"
        self.kept = {}
        for name in files:
            copy = here / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((self.out / name).read_bytes())
            self.kept[f"checkpoint/{name}"] = copy
        return True


class Job:
    """A job of one session, from its archive to the outputs of its tasks."""

    def __init__(self, folder, archive, **spec):
        self.folder, self.source = folder, {"case/source": archive}
        given = {"sourceName": archive.name, "files": {}, "taskCount": 1, "pieceSeconds": 0.01}
        self.tool = open_session({**given, "mostNumbers": 1_000_000, "secondsPerNumber": 2e-6, **spec})
        self.worker, self.runs, self.plan = Worker(folder), 0, {}

    def do(self, kind, spec=None, inputs=None):
        """Do a step or a task; answers its folder of outputs, outputs and summary."""
        self.runs += 1
        folder = self.folder / f"run{self.runs}"
        (folder / "out").mkdir(parents=True)
        self.worker.out = folder / "out"
        task = TaskRequest("t", kind, "0", self.runs, folder, spec or {}, {**self.source, **(inputs or {})})
        outputs, summary = self.tool.run(task, self.worker)
        return folder / "out", outputs, summary

    def prepare(self):
        """Prepare; answers the summary."""
        out, outputs, summary = self.do("prepare")
        self.plan = {f"prepared/{output['path']}": out / output["path"] for output in outputs}
        return summary

    def task(self, index=0, folder=""):
        """Run a case, from where an earlier attempt was kept."""
        return self.do("task", {"index": index, "folder": folder}, {**self.plan, **self.worker.kept})


def make_case(folder, *options):
    """Make the example's case."""
    told = ["--hours", "1", "--cells", "6", "--directions", "8", *options]
    subprocess.run([sys.executable, MAKE, "--out", folder, *told], check=True)
    return folder


def changed(folder, name, changes):
    """Change a file of a case."""
    file = folder / name
    text = file.read_text()
    for before, after in changes.items():
        assert before in text, before
        text = text.replace(before, after)
    file.write_text(text)
    return folder


def make_nest(folder, *options):
    """Make a case in the middle of the example's, with spectra of the outer one at its boundary each half hour."""
    outer = make_case(folder / "outer", "--cells", "12", *options)
    changed(outer, "ww3_grid.inp", {"   0. 0. 0. 0. 0\n": "   3000. 1000. 0. 1000. 5\n   0. 0. 0. 0. 0\n"})
    # The kinds of output after the points are tracks, states and spectra for nests.
    text = (outer / "ww3_shel.inp").read_text()
    head, kinds = text.split("'STOPSTRING'\n")
    lines = kinds.split("\n")
    lines[2] = lines[2].replace(" 0 ", " 1800 ")
    (outer / "ww3_shel.inp").write_text(head + "'STOPSTRING'\n" + "\n".join(lines))
    inner = shutil.copytree(outer, folder / "inner")
    for name in ("ww3_grid", "ww3_strt", "ww3_shel"):
        subprocess.run([installed_pack().programs[name]], cwd=outer, check=True, stdout=subprocess.DEVNULL)
    shutil.copyfile(outer / "nest1.ww3", inner / "nest.ww3")
    (inner / "ww3_shel.inp").write_text(
        text.replace("   2000.0 3000.0 'DEEP'", "   5000. 3000. 'DEEP'").replace("   10000.0", "   8000.")
    )
    changed(
        inner,
        "ww3_grid.inp",
        {
            "   3000. 1000. 0. 1000. 5\n": "",
            "   13 7\n": "   7 5\n",
            "  0. 0. 1.\n": "  3000. 1000. 1.\n",
            # Spectra come in on the western side.
            "   1 2 F\n   1 6 T\n": "   1 1 F\n   1 5 T\n",
        },
    )
    rows = (outer / "bottom.dat").read_text().splitlines()[1:6]
    (inner / "bottom.dat").write_text("".join(" ".join(row.split()[3:10]) + "\n" for row in rows))
    return inner


def write_wind(path, hours):
    """A wind of 5 m/s in both directions over the example's grid, each hour, as a file of NetCDF."""
    with netcdf_file(path, "w") as file:
        for name, size in (("time", hours + 1), ("y", 3), ("x", 3)):
            file.createDimension(name, size)
        for name in ("x", "y"):
            file.createVariable(name, "f8", (name,))[:] = [-1000, 4000, 9000]
        time = file.createVariable("time", "f8", ("time",))
        time[:] = [hour / 24 for hour in range(hours + 1)]
        time.units, time.calendar = "days since 2026-01-01 00:00:00", "standard"
        for name in ("uwnd", "vwnd"):
            field = file.createVariable(name, "f4", ("time", "y", "x"))
            field._FillValue = numpy.float32(-999)
            field[:] = 5


PRNC = """&FORCING_NML
  FORCING%FIELD%WINDS = T
  FORCING%GRID%LATLON = T
/
&FILE_NML
  FILE%FILENAME = 'wind.nc'
  FILE%LONGITUDE = 'x'
  FILE%LATITUDE = 'y'
  FILE%VAR(1) = 'uwnd'
  FILE%VAR(2) = 'vwnd'
/
"""
OUNF = """&FIELD_NML
  FIELD%TIMESTART = '20260101 000000'
  FIELD%TIMESTRIDE = '1800'
  FIELD%LIST = 'HS DIR WND'
/
&FILE_NML
  FILE%NETCDF = 4
/
"""
OUNP = """&POINT_NML
  POINT%TIMESTART = '20260101 000000'
  POINT%TIMESTRIDE = '1800'
  POINT%TYPE = 2
/
&FILE_NML
/
&PARAM_NML
/
"""


def with_netcdf(folder, hours=1):
    """The case with the wind of a file of NetCDF, and outputs in NetCDF, too."""
    shell = folder / "ww3_shel.inp"
    lines = [line for line in shell.read_text().split("\n") if "'WND'" not in line]
    lines[3] = "   T F"
    shell.write_text("\n".join(lines))
    for name, text in (("ww3_prnc.nml", PRNC), ("ww3_ounf.nml", OUNF), ("ww3_ounp.nml", OUNP)):
        (folder / name).write_text(text)
    write_wind(folder / "wind.nc", hours)
    return folder


def packed(folder, archive):
    """The archive of a case."""
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder, arcname=".")
    return archive


def use_programs(monkeypatch, folder):
    """Name programs that play as the session's pack."""
    told = {"version": "7.14", "digest": "0" * 64, "source": "variable", "variant": None, "environment": {}}
    told["programs"] = write_programs(folder)
    monkeypatch.setenv("DOCKYARD_PACK", json.dumps(told))
