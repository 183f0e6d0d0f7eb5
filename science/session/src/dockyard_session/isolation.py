"""Runs the work on ligands in a forked copy of this process.

What is warm here (libraries, force fields, Vina's maps) is warm there at no cost. A molecule on which a library hangs,
crashes or eats the memory ends the copy only; the next one is forked from the same untouched state. A copy does many
ligands, because forking anew for each costs a tenth of a second of page faults. It ends with its parent, and stays in
its process group, so it cannot outlive a cancel. What it prints on stdout is handed over while it works, which is how
Vina's progress bar is read.
"""

import contextlib
import ctypes
import os
import pickle
import selectors
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from dockyard_session.errors import ScienceError

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1
_READ_BYTES = 65536

# After this number of tasks the copy is replaced, so that memory that a library never frees cannot pile up.
_TASKS_PER_CHILD = 200

#: Called by the child with the name of the stage it enters.
EnterStage = Callable[[str], None]
#: Runs in the child on the argument of `run`; argument and result must survive pickle.
Handle = Callable[[Any, EnterStage], Any]


@dataclass(frozen=True)
class StageLimit:
    """How long a stage may take, and the failure when it takes longer."""

    seconds: float
    code: str
    message: str


@dataclass(frozen=True)
class Watch:
    """What the parent does while the child works: limits by stage, listeners for stages and printed bytes."""

    limits: Mapping[str, StageLimit]
    on_stage: Callable[[str], None]
    on_text: Callable[[bytes], None]


class Isolation:
    """One child process at a time that does tasks by `handle`, forked when first needed and after each loss."""

    def __init__(self, handle: Handle) -> None:
        """Remember what to do; nothing is forked yet."""
        self._handle = handle
        self._child: _Child | None = None

    def run(self, task: Any, *, stage: str, watch: Watch) -> Any:
        """Let the child do a task that begins in `stage` and answer with its result.

        Raises the child's own ScienceError, ENGINE_CRASHED, ENGINE_OUT_OF_MEMORY, or the code of a limit.
        """
        if self._child is None or self._child.tasks_done >= _TASKS_PER_CHILD:
            self.close()
            self._child = _fork(self._handle)
        try:
            kind, value = self._child.do(task, stage, watch)
        except BaseException:
            # Whatever interrupted the wait, the child may be in the middle of its work, so it is ended.
            self.close()
            raise
        if kind == "done":
            return value
        if kind == "lost":
            self.close()
        code, message = value
        raise ScienceError(code, message)

    def close(self) -> None:
        """End the child, if there is one."""
        child, self._child = self._child, None
        if child is not None:
            child.end()


class _Child:
    """The parent's end of a child process."""

    def __init__(self, pid: int, request_fd: int, text_fd: int, answer_fd: int) -> None:
        self.pid = pid
        self.tasks_done = 0
        self._fds = (request_fd, text_fd, answer_fd)
        self._received = b""
        os.set_blocking(text_fd, False)

    def do(self, task: Any, stage: str, watch: Watch) -> tuple[str, Any]:
        """Send a task and follow it to its end: ("done", value), ("failed" or "lost", (code, message))."""
        request_fd, text_fd, answer_fd = self._fds
        self.tasks_done += 1
        since = time.monotonic()
        with contextlib.suppress(BrokenPipeError):
            _send(request_fd, task)
        with selectors.DefaultSelector() as selector:
            selector.register(text_fd, selectors.EVENT_READ)
            selector.register(answer_fd, selectors.EVENT_READ)
            while True:
                ready = selector.select(_seconds_left(watch.limits.get(stage), since))
                # The text comes first, because what the child printed before its answer is in the pipe before the
                # answer.
                if self._pass_text_on(watch) or not any(key.fd == answer_fd for key, _ in ready):
                    continue
                for kind, value in self._answers():
                    if kind != "stage":
                        self._pass_text_on(watch)
                        return kind, value
                    stage, since = value, time.monotonic()
                    watch.on_stage(stage)
                if self._is_gone:
                    return "lost", self._cause(stage)

    def end(self) -> None:
        """End the child and close its files."""
        for fd in self._fds:
            os.close(fd)
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            self._reap()

    _is_gone = False

    def _pass_text_on(self, watch: Watch) -> bool:
        """Pass on what the child printed; True when there was something."""
        try:
            data = os.read(self._fds[1], _READ_BYTES)
        except BlockingIOError:
            return False
        if data:
            watch.on_text(data)
        return data != b""

    def _answers(self) -> list[tuple[str, Any]]:
        data = os.read(self._fds[2], _READ_BYTES)
        self._is_gone = data == b""
        self._received += data
        answers = []
        while len(self._received) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._received)[0]
            if len(self._received) < end:
                break
            answers.append(pickle.loads(self._received[_LENGTH.size : end]))  # noqa: S301 - our own child wrote it
            self._received = self._received[end:]
        return answers

    def _reap(self) -> int:
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def _cause(self, stage: str) -> tuple[str, str]:
        status = self._reap()
        if status == -signal.SIGKILL:
            return (
                "ENGINE_OUT_OF_MEMORY",
                f"The process was killed while {stage}, most likely for want of memory.",
            )
        how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        return "ENGINE_CRASHED", f"The process ended with {how} while {stage}."


_LENGTH = struct.Struct("<Q")


def flush_output() -> None:
    """Write out what Python and the C libraries have buffered, so that the lines of both stay in order."""
    sys.stdout.flush()
    sys.stderr.flush()
    _LIBC.fflush(None)


def _send(fd: int, message: Any) -> None:
    body = pickle.dumps(message)
    data = memoryview(_LENGTH.pack(len(body)) + body)
    while data:
        data = data[os.write(fd, data) :]


def _seconds_left(limit: StageLimit | None, since: float) -> float | None:
    if limit is None:
        return None
    left = since + limit.seconds - time.monotonic()
    if left <= 0:
        raise ScienceError(limit.code, limit.message)
    return left


def _fork(handle: Handle) -> _Child:
    request_read, request_write = os.pipe()
    text_read, text_write = os.pipe()
    answer_read, answer_write = os.pipe()
    # Both processes would print bytes that are left in the buffers.
    flush_output()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        for fd in (request_write, text_read, answer_read):
            os.close(fd)
        _run_child(handle, parent, request_read, text_write, answer_write)
    for fd in (request_read, text_write, answer_write):
        os.close(fd)
    return _Child(pid, request_write, text_read, answer_read)


def _run_child(handle: Handle, parent: int, request_fd: int, text_fd: int, answer_fd: int) -> NoReturn:
    """The whole life of the child; never returns into the parent's code."""
    try:
        if sys.platform == "linux":
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            # Where memory runs out, the system kills this child and not the warm process.
            Path("/proc/self/oom_score_adj").write_text("800", encoding="ascii")
        os.dup2(text_fd, 1)
        # The parent's stream objects may write to other descriptors than 1 and 2.
        sys.stdout, sys.stderr = (
            os.fdopen(fd, "w", buffering=1, errors="backslashreplace", closefd=False) for fd in (1, 2)
        )
        _close_all_but(request_fd, text_fd, answer_fd)
        with os.fdopen(request_fd, "rb") as requests:
            while header := requests.read(_LENGTH.size):
                task = pickle.loads(requests.read(_LENGTH.unpack(header)[0]))  # noqa: S301 - from our own parent
                answer = _attempt(handle, task, answer_fd)
                flush_output()
                _send(answer_fd, answer)
    finally:
        os._exit(0)


def _close_all_but(*kept: int) -> None:
    """Close the parent's descriptors in the child: a pipe that stayed open here would look alive to its reader."""
    low = 3
    for fd in sorted(kept):
        os.closerange(low, fd)
        low = fd + 1
    os.closerange(low, os.sysconf("SC_OPEN_MAX"))


def _attempt(handle: Handle, task: Any, answer_fd: int) -> tuple[str, Any]:
    try:
        return "done", handle(task, lambda name: _send(answer_fd, ("stage", name)))
    except ScienceError as error:
        return "failed", (error.code, error.message)
    except MemoryError:
        message = "The memory of the instance did not suffice for this ligand."
        return "lost", ("ENGINE_OUT_OF_MEMORY", message)
    except BaseException as error:
        # The parent must learn of every failure; the log gets the traceback.
        traceback.print_exc()
        return "lost", ("ENGINE_CRASHED", f"{type(error).__name__}: {error}")
