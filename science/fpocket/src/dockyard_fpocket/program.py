"""Runs the program fpocket on one file, in a folder of its own.

The program is the one of the pack that the worker names; PATH is never searched for another. It works with relative
names, because it copies them into short buffers, and keeps its temporary files in its folder, because their names can
be foretold. It ends with its session, also where that is killed.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dockyard_fpocket.clock import CLOCK_VARIABLE, build_clock, loads_libraries
from dockyard_session.errors import ScienceError, one_line

#: The file that the program reads, and the folder that it writes.
SELECTED = "selected.pdb"
ANSWER = "selected_out"

#: With fewer atoms there is no sphere that touches four, and the program ends with an error.
FEWEST_ATOMS = 4

# The loader prints this where it does not take the library.
_REFUSED = b"cannot be preloaded"

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Pack:
    """The installed program with what tells it from others; `environment` is what it needs to start."""

    version: str
    digest: str
    source: str
    program: Path
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """What the program left: its folder (None where it made none), all that it printed, whether the clock was fixed."""

    folder: Path | None
    log: bytes
    clock_fixed: bool


def installed_pack(environment: Mapping[str, str] = os.environ) -> Pack:
    """The pack that the worker names in `DOCKYARD_PACK`."""
    told: dict[str, Any] = json.loads(environment["DOCKYARD_PACK"])
    return Pack(
        version=told["version"],
        digest=told["digest"],
        source=told["source"],
        program=Path(told["programs"]["fpocket"]),
        environment=told["environment"],
    )


def run_fpocket(pack: Pack, folder: Path, clock_seconds: int, atom_records: int) -> Answer:
    """Run the program on `selected.pdb` of the folder, with its clock fixed where that can be done.

    Raises POCKETS_NO_ATOMS where the file has nothing that the program reads, ENGINE_CRASHED or ENGINE_OUT_OF_MEMORY
    where the program fails.
    """
    clock = build_clock(folder / "clock") if loads_libraries(pack.program) else None
    log = folder / "fpocket.log"
    with log.open("wb") as printed:
        done = subprocess.run(  # noqa: S603 - the program of the pack, with names of our own
            [str(pack.program), "-f", SELECTED],
            cwd=folder,
            env=_environment(pack, clock, clock_seconds),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            check=False,
            preexec_fn=_die_with_parent,
        )
    text = log.read_bytes()
    if done.returncode != 0:
        raise _failure(done.returncode, text, atom_records)
    made = folder / ANSWER
    is_fixed = clock is not None and _REFUSED not in text
    return Answer(made if made.is_dir() else None, text, is_fixed)


def _environment(pack: Pack, clock: Path | None, clock_seconds: int) -> dict[str, str]:
    """The variables of the program; the session's marker is among them, by which the worker finds the program."""
    fixed = {} if clock is None else {"LD_PRELOAD": str(clock), CLOCK_VARIABLE: str(clock_seconds)}
    return os.environ | dict(pack.environment) | fixed | {"TMPDIR": ".", "LC_ALL": "C"}


def _failure(code: int, log: bytes, atom_records: int) -> ScienceError:
    if code > 0 and atom_records < FEWEST_ATOMS:
        message = (
            "The selection has no atoms that fpocket reads: it takes ATOM records, and of HETATM records only metals,"
            " cofactors and modified residues of its own list. Choose other chains, or another file."
        )
        return ScienceError("POCKETS_NO_ATOMS", message)
    if -code == signal.SIGKILL:
        return ScienceError("ENGINE_OUT_OF_MEMORY", "fpocket was killed, most likely for want of memory.")
    lines = [line for line in log.decode("utf-8", "replace").splitlines() if line.startswith("!")]
    how = f"signal {-code}" if code < 0 else f"exit status {code}"
    said = f": {one_line(lines[-1], 200)}" if lines else "."
    return ScienceError("ENGINE_CRASHED", f"fpocket ended with {how}{said}")


def _die_with_parent() -> None:
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
