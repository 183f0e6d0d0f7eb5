"""Runs the work on one ligand in a forked copy of this process.

What is warm here (libraries, force fields, Vina's maps) is warm there at no cost, and every ligand starts from the
same state whatever was docked before it. A molecule on which a library hangs, crashes or eats the memory ends its
own process only. The child ends with its parent, and stays in its process group, so it cannot outlive a cancel.
What it prints on stdout is handed over piece by piece while it works, which is how Vina's progress bar is read.
"""

import contextlib
import ctypes
import json
import os
import selectors
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from dockyard_science.errors import ScienceError

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1
_READ_BYTES = 65536

#: Called by the child with the name of the stage it enters.
EnterStage = Callable[[str], None]
#: Runs in the child; its answer must be JSON data.
Work = Callable[[EnterStage], Any]


@dataclass(frozen=True)
class StageLimit:
    """How long a stage may take, and the failure when it takes longer."""

    seconds: float
    code: str
    message: str


@dataclass
class _Child:
    """The parent's view of a child: its answer as it comes in, line by line."""

    pid: int
    text_fd: int
    answer_fd: int
    stage: str
    stage_since: float
    buffer: bytes = b""
    answer: dict[str, Any] | None = None
    open_fds: set[int] = field(default_factory=set)


def run_isolated(
    work: Work,
    *,
    stage: str,
    limits: Mapping[str, StageLimit],
    on_stage: Callable[[str], None],
    on_text: Callable[[bytes], None],
) -> Any:
    """Run `work` in a forked child and answer with what it returned.

    `stage` is the stage it starts in; `limits` holds the time limits of stages by name. Raises the child's own
    ScienceError, or one of ENGINE_CRASHED, ENGINE_OUT_OF_MEMORY and the code of a limit.
    """
    child = _fork(work, stage)
    try:
        _follow(child, limits, on_stage, on_text)
        status = _reap(child)
    finally:
        _end(child)
    return _answer_of(child, status)


def _fork(work: Work, stage: str) -> _Child:
    text_read, text_write = os.pipe()
    answer_read, answer_write = os.pipe()
    # Bytes left in the buffers would be printed by both processes.
    sys.stdout.flush()
    sys.stderr.flush()
    _LIBC.fflush(None)
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _run_child(work, parent, text_write, answer_write)
    os.close(text_write)
    os.close(answer_write)
    return _Child(pid, text_read, answer_read, stage, time.monotonic(), open_fds={text_read, answer_read})


def _run_child(work: Work, parent: int, text_fd: int, answer_fd: int) -> NoReturn:
    """The whole life of the child; never returns into the parent's code."""
    try:
        if sys.platform == "linux":
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            # Where memory runs out, the ligand is given up and not the warm process.
            Path("/proc/self/oom_score_adj").write_text("800", encoding="ascii")
        os.dup2(text_fd, 1)
        answer = _attempt(work, answer_fd)
        sys.stdout.flush()
        _LIBC.fflush(None)
        _send(answer_fd, answer)
    finally:
        os._exit(0)


def _attempt(work: Work, answer_fd: int) -> dict[str, Any]:
    try:
        value = work(lambda name: _send(answer_fd, {"stage": name}))
    except ScienceError as error:
        return {"code": error.code, "message": error.message}
    except MemoryError:
        return {
            "code": "ENGINE_OUT_OF_MEMORY",
            "message": "The memory of the instance did not suffice for this ligand.",
        }
    except BaseException as error:
        # Whatever it is, the parent must learn of it.
        return {"code": "ENGINE_CRASHED", "message": f"{type(error).__name__}: {error}"}
    return {"value": value}


def _send(fd: int, message: dict[str, Any]) -> None:
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(fd, data) :]


def _follow(
    child: _Child,
    limits: Mapping[str, StageLimit],
    on_stage: Callable[[str], None],
    on_text: Callable[[bytes], None],
) -> None:
    """Read both pipes until the child has closed them."""
    with selectors.DefaultSelector() as selector:
        for fd in (child.text_fd, child.answer_fd):
            selector.register(fd, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select(_seconds_left(child, limits)):
                data = os.read(key.fd, _READ_BYTES)
                if not data:
                    selector.unregister(key.fd)
                elif key.fd == child.text_fd:
                    on_text(data)
                else:
                    _take_answer(child, data, on_stage)


def _seconds_left(child: _Child, limits: Mapping[str, StageLimit]) -> float | None:
    limit = limits.get(child.stage)
    if limit is None or child.answer is not None:
        return None
    left = child.stage_since + limit.seconds - time.monotonic()
    if left <= 0:
        raise ScienceError(limit.code, limit.message)
    return left


def _take_answer(child: _Child, data: bytes, on_stage: Callable[[str], None]) -> None:
    *lines, child.buffer = (child.buffer + data).split(b"\n")
    for line in lines:
        message = json.loads(line)
        if "stage" not in message:
            child.answer = message
            continue
        child.stage, child.stage_since = message["stage"], time.monotonic()
        on_stage(child.stage)


def _reap(child: _Child) -> int:
    _, status = os.waitpid(child.pid, 0)
    child.pid = 0
    return os.waitstatus_to_exitcode(status)


def _end(child: _Child) -> None:
    """Leave neither a process nor an open file behind, whatever happened."""
    for fd in child.open_fds:
        os.close(fd)
    if child.pid:
        os.kill(child.pid, signal.SIGKILL)
        _reap(child)


def _answer_of(child: _Child, status: int) -> Any:
    answer = child.answer
    if answer is None:
        if status == -signal.SIGKILL:
            message = f"The process was killed while {child.stage}, most likely for want of memory."
            raise ScienceError("ENGINE_OUT_OF_MEMORY", message)
        how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        raise ScienceError("ENGINE_CRASHED", f"The process ended with {how} while {child.stage}.")
    if "code" in answer:
        raise ScienceError(answer["code"], answer["message"])
    return answer["value"]
