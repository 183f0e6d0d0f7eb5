"""The tool's end of the session protocol: JSON lines, requests on one descriptor and messages on another.

Standard output and error are log only, so nothing that a library prints can be taken for progress.
"""

import json
import os
import select
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dockyard_session.tool import Output

REQUESTS_FD = 3
MESSAGES_FD = 4

#: The largest summary that a task may have, as JSON.
SUMMARY_BYTES = 8 * 1024

TaskKind = Literal["prepare", "task", "control", "merge"]

_BLOCK_BYTES = 64 * 1024
_PROGRESS_SECONDS = 0.2
_KINDS: tuple[TaskKind, ...] = ("prepare", "task", "control", "merge")


class ProtocolError(Exception):
    """The worker sent something that is not in the session protocol."""


@dataclass(frozen=True)
class OpenRequest:
    """The first request: everything that all tasks share."""

    spec: dict[str, Any]


@dataclass(frozen=True)
class TaskRequest:
    """One task; `folder` is its own, outputs go below `out`, `inputs` are read-only files by their name.

    `leg_until` is the moment of `time.monotonic` at which the leg of a task that keeps checkpoints ends: it is handed
    back at the last checkpoint before, so one that comes later may be work that nobody pays. None where it has no end.
    """

    id: str
    kind: TaskKind
    item_id: str
    attempt: int
    folder: Path
    spec: dict[str, Any]
    inputs: Mapping[str, Path]
    leg_until: float | None = None

    @property
    def out(self) -> Path:
        """The folder of the outputs."""
        return self.folder / "out"


class Channel:
    """Reads requests and sends messages; one task at a time."""

    def __init__(self, requests_fd: int = REQUESTS_FD, messages_fd: int = MESSAGES_FD) -> None:
        """Take over the two descriptors, which no child process inherits."""
        self._requests_fd = requests_fd
        self._messages_fd = messages_fd
        for descriptor in (requests_fd, messages_fd):
            os.set_inheritable(descriptor, False)
        self._rest = b""
        self._progress_at = 0.0

    def is_idle(self) -> bool:
        """Whether no request waits to be read and the worker is still there."""
        return b"\n" not in self._rest and not select.select([self._requests_fd], [], [], 0)[0]

    def next_request(self) -> OpenRequest | TaskRequest | None:
        """Wait for the next request; None when the worker is gone or needs this session no more."""
        line = self._next_line()
        return None if line is None else parse_request(line)

    def _next_line(self) -> bytes | None:
        while b"\n" not in self._rest:
            block = os.read(self._requests_fd, _BLOCK_BYTES)
            if block == b"":
                return None
            self._rest += block
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def ready(self) -> None:
        """Tell the worker that tasks may come."""
        self._send({"type": "ready"})

    def progress(self, task_id: str, percent: float) -> None:
        """Tell how much of the task is done, 0 to 100; messages that follow each other too quickly are left out."""
        now = time.monotonic()
        if now - self._progress_at < _PROGRESS_SECONDS:
            return
        self._progress_at = now
        bounded = round(min(100.0, max(0.0, percent)), 1)
        self._send({"type": "progress", "id": task_id, "percent": bounded})

    def working(self, task_id: str) -> None:
        """Tell that the work of the task begins, from which its seconds count."""
        self._send({"type": "working", "id": task_id})

    def keep(self, task_id: str, files: Sequence[str]) -> bool:
        """Ask for files to be kept as the checkpoint; answers whether they are, False when the worker is gone."""
        self._send({"type": "checkpoint", "id": task_id, "files": list(files)})
        line = self._next_line()
        return line is not None and parse_kept(line, task_id)

    def done(self, task_id: str, outputs: list[Output], summary: dict[str, Any] | None) -> None:
        """Say that the task is done."""
        self._send({"type": "done", "id": task_id, "outputs": outputs, "summary": summary})

    def failed(self, task_id: str, code: str, message: str) -> None:
        """Say that the task cannot be done."""
        self._send({"type": "failed", "id": task_id, "code": code, "message": message})

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps(message, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"
        while data:
            data = data[os.write(self._messages_fd, data) :]


class TaskReporter:
    """Tells the worker of one task, over the channel of its session."""

    def __init__(self, channel: Channel, task_id: str) -> None:
        """Speak for this task."""
        self._channel = channel
        self._task_id = task_id

    def progress(self, percent: float) -> None:
        """Tell how much of the task is done, 0 to 100."""
        self._channel.progress(self._task_id, percent)

    def working(self) -> None:
        """Tell that the work of the task begins, from which its seconds count."""
        self._channel.working(self._task_id)

    def keep(self, files: Sequence[str]) -> bool:
        """Ask for files of the task's `out` folder to be kept as its checkpoint, and answer whether they are."""
        return self._channel.keep(self._task_id, files)


def parse_kept(line: bytes, task_id: str) -> bool:
    """Read the answer to a checkpoint; raises ProtocolError when the line is none, or is another task's."""
    try:
        value = json.loads(line)
        if value["type"] != "kept" or value["id"] != task_id:
            raise ProtocolError(f"It answered a checkpoint with {value['type']!r}.")
        return value["isKept"] is True
    except (ValueError, KeyError, TypeError) as error:
        raise ProtocolError(f"It did not answer a checkpoint: {error}") from error


def parse_request(line: bytes) -> OpenRequest | TaskRequest:
    """Read one line; raises ProtocolError when it is no request."""
    try:
        value = json.loads(line)
        if value["type"] == "open":
            return OpenRequest(spec=value["spec"])
        if value["type"] != "task" or value["kind"] not in _KINDS:
            raise ProtocolError(f"It asked for {value['type']!r}, {value.get('kind')!r}.")
        return TaskRequest(
            id=value["id"],
            kind=value["kind"],
            item_id=value["itemId"],
            attempt=value["attempt"],
            folder=Path(value["folder"]),
            spec=value["spec"],
            inputs={name: Path(path) for name, path in value["inputs"].items()},
            leg_until=None if (leg := value.get("legSeconds")) is None else time.monotonic() + float(leg),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProtocolError(f"It sent no request: {error}") from error


def fit_summary(summary: dict[str, Any], limit_bytes: int = SUMMARY_BYTES) -> dict[str, Any]:
    """Bring a summary to the size that is stored, by leaving out its last warnings."""
    fitting = dict(summary)
    while _json_bytes(fitting) > limit_bytes and fitting.get("warnings"):
        fitting["warnings"] = fitting["warnings"][:-1]
    return fitting


def _json_bytes(value: dict[str, Any]) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
