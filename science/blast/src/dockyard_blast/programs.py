"""Runs the programs of the pack: with the pack's own libraries, in the task's folder, and not for longer than allowed.

The session learns of its pack from the variable DOCKYARD_PACK alone, so nothing is ever looked for on PATH.
"""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from dockyard_session.errors import ScienceError, one_line

_PACK = "DOCKYARD_PACK"
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)
_SHOWN = 300


@dataclass(frozen=True)
class Pack:
    """The installed programs, and what a reader of results should know of them."""

    name: str
    version: str
    digest: str
    programs: Mapping[str, str]
    environment: Mapping[str, str]

    def provenance(self) -> dict[str, str]:
        """Which program made a result."""
        return {"name": self.name, "version": self.version, "packSha256": self.digest}


class Deadline:
    """The moment until which the work of a task may last."""

    def __init__(self, seconds: float) -> None:
        """Begin to count now."""
        self._seconds = seconds
        self._until = time.monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left; raises ENGINE_TIMEOUT when there are none."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise self.over()
        return left

    def over(self) -> ScienceError:
        """The failure of a task that took too long."""
        return ScienceError(
            "ENGINE_TIMEOUT", f"The search took longer than the {self._seconds:g} s it may take."
        )


def current_pack() -> Pack:
    """The pack of this session."""
    value: dict[str, Any] = json.loads(os.environ[_PACK])
    return Pack(
        name=value["name"],
        version=value["version"],
        digest=value["digest"],
        programs=value["programs"],
        environment=value["environment"],
    )


def run_program(
    pack: Pack,
    program: str,
    arguments: Sequence[str],
    *,
    folder: Path,
    deadline: Deadline,
    largest_file_bytes: int | None = None,
    standard_input: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run one program to its end in `folder`.

    Raises ENGINE_TIMEOUT, ENGINE_OUT_OF_MEMORY when the system killed it, and OUTPUT_TOO_LARGE when it wrote a file of
    more than `largest_file_bytes`. Its other failures are the caller's to judge.
    """
    environment = {
        # Reports, messages and numbers in one form; no settings of a home folder, no databases of others.
        "LC_ALL": "C",
        "HOME": str(folder),
        "NCBI_CONFIG__BLAST__BLASTDB": str(folder),
        "BLASTDB": str(folder),
        "BLAST_USAGE_REPORT": "false",
        **pack.environment,
    }
    source = Path(os.devnull) if standard_input is None else standard_input
    with source.open("rb") as given:
        process = _start([pack.programs[program], *arguments], folder, environment, given, largest_file_bytes)
    try:
        stdout, stderr = process.communicate(timeout=deadline.left())
    except subprocess.TimeoutExpired:
        raise deadline.over() from None
    finally:
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.wait()
    if stderr:
        sys.stdout.write(stderr)
    if process.returncode == -signal.SIGXFSZ:
        raise too_large(largest_file_bytes or 0)
    if process.returncode == -signal.SIGKILL:
        message = f"{program} was killed, most likely for want of memory."
        raise ScienceError("ENGINE_OUT_OF_MEMORY", message)
    return subprocess.CompletedProcess(program, process.returncode, stdout, stderr)


def _start(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    given: IO[bytes],
    largest_file_bytes: int | None,
) -> "subprocess.Popen[str]":
    return subprocess.Popen(  # noqa: S603 - an absolute path of the pack, and arguments that were checked
        command,
        cwd=folder,
        env=environment,
        stdin=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        preexec_fn=_bound(largest_file_bytes),  # noqa: PLW1509 - the session has one thread
    )


def check_run(done: subprocess.CompletedProcess[str]) -> None:
    """Raise ENGINE_CRASHED unless the program ended well."""
    if done.returncode == 0:
        return
    if done.returncode == 4 or "bad_alloc" in done.stderr:  # BLAST's own word for memory
        raise ScienceError("ENGINE_OUT_OF_MEMORY", f"{done.args} could not get the memory that it needs.")
    raise ScienceError(
        "ENGINE_CRASHED", f"{done.args} ended with exit code {done.returncode}: {last_words(done)}"
    )


def last_words(done: subprocess.CompletedProcess[str]) -> str:
    """What a program said last."""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return one_line(lines[-1], _SHOWN) if lines else "it said nothing"


def too_large(limit_bytes: int) -> ScienceError:
    """The failure of a task whose results are larger than the request allows."""
    message = (
        f"The results are larger than the {limit_bytes} bytes of blastMaxOutputBytes; ask for fewer hits."
    )
    return ScienceError("OUTPUT_TOO_LARGE", message)


def _bound(largest_file_bytes: int | None) -> Any:
    parent = os.getpid()

    def prepare() -> None:
        import resource

        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        if largest_file_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file_bytes, largest_file_bytes))

    return prepare
