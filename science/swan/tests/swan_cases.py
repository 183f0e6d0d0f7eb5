"""A small case of SWAN for tests, with a wind that changes every hour, and what tests change in it."""

import struct
import subprocess
import zipfile
from pathlib import Path

from dockyard_session.protocol import TaskRequest
from dockyard_swan.case import Case
from dockyard_swan.commands import read_commands
from dockyard_swan.reading import read_case
from dockyard_swan.tool import open_session
from dockyard_waves.program import Pack
from player import write_program

COMMANDS = """$ A case for tests $ PROJECT 'small' '01'
MODE NONSTATIONARY TWODIMENSIONAL
CGRID REGULAR 0. 0. 0. 5000. 2000. 5 3 CIRCLE 12 0.06 0.6 9
INPGRID BOTTOM REGULAR 0. 0. 0. 5 3 1000. 666.7
READINP BOTTOM 1. 'bottom.dat' 3 0 FREE
INPGRID WIND REGULAR 0. 0. 0. 1 1 5000. 2000. NONSTAT 20260101.000000 1 HR 20260101.050000
READINP WIND 1. 'wind.dat' 3 0 FREE
BOUND SHAPE JONSWAP 3.3 PEAK DSPR POWER
BOUND SIDE W CCW CONSTANT FILE 'swell.tpar' 1
GEN3 WESTH
PROP BSBT
NUM STOPC 0.005 0.01 0.005 99.5 NONSTAT 1
POINTS 'P' 2500. 1000. &
       4000. 1000.   ! two places
TABLE 'P' HEADER 'out/points.tbl' TIME XP YP DEP HS RTP DIR OUTPUT 20260101.000000 30 MIN
TABLE 'P' NOHEADER 'plain.tbl' HS RTP OUTPUT 20260101.003000 50 MIN
TABLE 'P' SWAN 'swan.tbl' HS RTP OUTPUT 20260101.000000 1 HR
SPECOUT 'P' SPEC2D ABS 'points.spc' OUTPUT 20260101.000000 1 HR
BLOCK 'COMPGRID' NOHEADER 'fields.mat' LAYOUT 3 XP YP HSIGN DIR OUTPUT 20260101.000000 1 HR
BLOCK 'COMPGRID' HEADER 'fields.txt' LAYOUT 3 HSIGN OUTPUT 20260101.000000 2 HR
COMPUTE NONSTAT 20260101.000000 10 MIN 20260101.050000
HOTFILE 'end.hot' UNFORMATTED
STOP
anything may stand here
"""


COMPUTE = "COMPUTE NONSTAT 20260101.000000 10 MIN 20260101.050000"
# What is changed for a case without times, which is read and run with no proof.
STATIONARY = {
    "MODE NONSTATIONARY": "MODE STATIONARY",
    COMPUTE: "COMPUTE",
    "NONSTAT 1\n": "STAT 30\n",
    "INPGRID WIND REGULAR 0. 0. 0. 1 1 5000. 2000. NONSTAT 20260101.000000 1 HR 20260101.050000": "WIND 10 20",
    "READINP WIND 1. 'wind.dat' 3 0 FREE\n": "",
    "CONSTANT FILE 'swell.tpar' 1": "CONSTANT PAR 1 8 0 4",
    " OUTPUT 20260101.000000 30 MIN": "",
    " OUTPUT 20260101.003000 50 MIN": "",
    " OUTPUT 20260101.000000 1 HR": "",
    " OUTPUT 20260101.000000 2 HR": "",
    "HEADER 'out/points.tbl' TIME": "HEADER 'out/points.tbl'",
}


def _map(nx, ny, value):
    return "".join(" ".join(f"{value(i, j):.3f}" for i in range(nx)) + "\n" for j in range(ny))


FILES = {
    "bottom.dat": _map(6, 4, lambda i, j: 20 - 3 * i + 0.1 * j),
    "wind.dat": "".join(
        _map(2, 2, lambda i, j, h=hour: 8 + h + 0.3 * i)
        + _map(2, 2, lambda i, j, h=hour: 2 - 0.7 * h + 0.2 * j)
        for hour in range(6)
    ),
    "swell.tpar": "TPAR\n"
    + "".join(
        f"20260101.0{hour}0000 {1 + 0.15 * hour:.2f} {8 + 0.3 * hour:.1f} {5 * hour}. 4.\n"
        for hour in range(6)
    ),
}


def write_case(folder: Path, changes=(), files=()):
    """Write the case with texts exchanged, and files that are others or, with None, not there; answers the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    text = COMMANDS
    for old, new in dict(changes).items():
        assert old in text, old
        text = text.replace(old, new)
    for name, content in {"case.swn": text, **FILES, **dict(files)}.items():
        if content is not None:
            (folder / name).write_text(content)
    return folder


def read(folder: Path) -> Case:
    """Read the case of a folder."""
    return read_case(read_commands("case.swn", (folder / "case.swn").read_bytes()))


def player_pack(folder: Path) -> Pack:
    """A pack that plays."""
    folder.mkdir(parents=True, exist_ok=True)
    return Pack("41.51", "0" * 64, "variable", {"swan.exe": write_program(folder)}, {})


def packed(folder: Path, archive: Path, prefix="") -> Path:
    """The files of a folder as a zip."""
    with zipfile.ZipFile(archive, "w") as written:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                written.write(file, prefix + file.relative_to(folder).as_posix())
    return archive


def matrix(name, *values):
    parts = [(6, bytes(8)), (5, struct.pack("<2i", 1, len(values))), (1, name.encode())]
    parts += [(7, struct.pack(f"<{len(values)}f", *values))]
    body = b"".join(
        struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8) for kind, data in parts
    )
    return struct.pack("<II", 14, len(body)) + body


def write_state(file: Path, number: float, *, has_time: bool = True) -> None:
    """Write a state of four points whose third has this number in its spectrum."""
    spectra = [[1.0] * 40 for _ in range(4)]
    spectra[2][7] = number
    records = [
        b"41.51".ljust(20),
        *(struct.pack("<2f", 100 * k, 50) for k in range(4)),
        *([b"20260101.010000".ljust(20)] if has_time else []),
    ]
    for count, spectrum in enumerate(spectra, start=2):
        records += [struct.pack("<i", count), struct.pack("<40f", *spectrum)]
    frame = [struct.pack("<i", len(record)) for record in records]
    file.write_bytes(
        b"".join(part for at, record in enumerate(records) for part in (frame[at], record, frame[at]))
    )


class LostError(BaseException):
    """The instance is lost."""


class Worker:
    """Keeps checkpoints as the worker does; loses a task when `lose_at` percent are done."""

    def __init__(self, folder: Path):
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

    def __init__(self, folder: Path, archive: Path, **spec):
        self.folder, self.source = folder, {"case/source": archive}
        self.tool = open_session(
            {
                "commandFile": None,
                "sourceName": archive.name,
                "files": {},
                "taskCount": 1,
                "pieceSeconds": 0.01,
                "mostNumbers": 1_000_000,
                "secondsPerNumber": 4e-7,
                **spec,
            }
        )
        self.worker, self.runs = Worker(folder), 0

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
        out, _outputs, summary = self.do("prepare")
        self.source["prepared/plan.json"] = out / "plan.json"
        return summary

    def task(self, index=0, folder=""):
        """Run a task from what is kept."""
        return self.do("task", {"index": index, "folder": folder}, self.worker.kept)


def bare(folder, work, pack):
    """What the program writes by itself."""
    write_case(work)
    for file in folder.iterdir():
        (work / file.name).write_bytes(file.read_bytes())
    (work / "INPUT").write_bytes((work / "case.swn").read_bytes())
    (work / "out").mkdir()
    subprocess.run([pack.programs["swan.exe"]], cwd=work, check=True, stdout=subprocess.DEVNULL)
    return work
