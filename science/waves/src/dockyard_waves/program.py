"""Runs the program of a wave model in a folder of its own, and follows what it prints.

The program is the one of the pack that the worker names; PATH is never searched for another. It ends with its session.
"""

import ctypes
import json
import math
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dockyard_session.errors import ScienceError, one_line

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1
#: The last characters of what a program printed that are kept for a message.
_TAIL_CHARACTERS = 2000


@dataclass(frozen=True)
class Pack:
    """The installed programs with what tells them from others; `environment` is what they need to start."""

    version: str
    digest: str
    source: str
    programs: Mapping[str, Path]
    environment: Mapping[str, str]
    #: The variant of the site's builds; None for the one without a name.
    variant: str | None = None


@dataclass(frozen=True)
class Ended:
    """How a program ended: its exit code, negative for a signal, and the end of what it printed."""

    code: int
    printed: str


def installed_pack(environment: Mapping[str, str] = os.environ) -> Pack:
    """The pack that the worker names in `DOCKYARD_PACK`."""
    told: dict[str, Any] = json.loads(environment["DOCKYARD_PACK"])
    return Pack(
        version=told["version"],
        digest=told["digest"],
        source=told["source"],
        programs={name: Path(path) for name, path in told["programs"].items()},
        environment=told["environment"],
        variant=told["variant"],
    )


class TimeUpError(Exception):
    """A program has taken all the processor time that it had."""


@dataclass
class Budget:
    """The processor seconds that some runs have together: other work on the machine makes them no fewer."""

    seconds: float


def children_seconds() -> float:
    """The processor seconds of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_program(
    pack: Pack, name: str, folder: Path, on_line: Callable[[str], bool], budget: Budget | None = None
) -> Ended:
    """Run a program without arguments in the folder; each line that it prints is told, and False stops it.

    Raises ENGINE_OUT_OF_MEMORY where the system killed it, and TimeUpError where the budget is used up. All other ends
    are for the caller to judge.
    """
    if budget is None:
        return _run(pack, name, folder, on_line, None)
    if budget.seconds <= 0:
        raise TimeUpError
    before = children_seconds()
    ended = _run(pack, name, folder, on_line, math.ceil(budget.seconds))
    budget.seconds -= children_seconds() - before
    if ended.code == -signal.SIGXCPU:
        raise TimeUpError
    return ended


def _run(
    pack: Pack, name: str, folder: Path, on_line: Callable[[str], bool], most_seconds: int | None
) -> Ended:
    process = subprocess.Popen(  # noqa: S603 - the program of the pack, without arguments
        [str(pack.programs[name])],
        cwd=folder,
        env=os.environ | dict(pack.environment) | {"LC_ALL": "C", "TMPDIR": ".", "OMP_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="latin-1",
        preexec_fn=lambda: _begin(most_seconds),  # noqa: PLW1509 - a session has one thread
    )
    tail, is_stopped = "", False
    if process.stdout is not None:
        for line in process.stdout:
            tail = (tail + line)[-_TAIL_CHARACTERS:]
            if not is_stopped and not on_line(line.rstrip("\n")):
                is_stopped = True
                process.kill()
    code = process.wait()
    if code == -signal.SIGKILL and not is_stopped:
        message = (
            f"{name} was killed, most likely for want of memory: take a coarser grid, or fewer directions."
        )
        raise ScienceError("ENGINE_OUT_OF_MEMORY", message)
    return Ended(code, tail)


def crashed(name: str, ended: Ended) -> ScienceError:
    """The failure of a program that broke down."""
    how = f"signal {-ended.code}" if ended.code < 0 else f"exit status {ended.code}"
    # Neither a backtrace nor marks of progress say what happened.
    lines = [
        line
        for line in ended.printed.splitlines()
        if line.strip() and not line.startswith(("#", "+", "\tat ")) and "acktrace" not in line
    ]
    said = f": {one_line(lines[-1], 200)}" if lines else "."
    return ScienceError("ENGINE_CRASHED", f"{name} ended with {how}{said}")


def _begin(most_seconds: int | None) -> None:
    """In the new process: let it end with its parent, and after so much processor time."""
    if most_seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (most_seconds, most_seconds + 1))
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
