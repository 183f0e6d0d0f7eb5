"""A session's process as the compute worker starts one, for the tests of every tool."""

import json
import os
import subprocess
import sys
from pathlib import Path

_SCIENCE = Path(__file__).resolve().parents[2]


def task_line(folder, **changes):
    """A request for a task."""
    task = {"type": "task", "id": "t1", "kind": "task", "itemId": "ethanol", "attempt": 1}
    return task | {"folder": str(folder), "spec": {}, "inputs": {}} | changes


def line_of(message):
    """A message as it goes over the pipe."""
    return json.dumps(message).encode() + b"\n"


class Session:
    """A session as the worker starts one: in a folder, with these folders of `science/` as path and nothing else."""

    def __init__(self, folder, tool, path, env=None):
        requests, self.worker_out = os.pipe()
        self.worker_in, messages = os.pipe()
        program = (
            "import os, sys\n"
            f"os.dup2({requests}, 203); os.dup2({messages}, 204); os.dup2(203, 3); os.dup2(204, 4)\n"
            "os.closerange(5, 210)\n"
            f"command = [sys.executable, '-P', '-m', 'dockyard_session', '--tool', {tool!r}]\n"
            "os.execv(sys.executable, command)\n"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=folder,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": os.pathsep.join(str(_SCIENCE / part) for part in path),
                **(env or {}),
            },
            pass_fds=(requests, messages),
            stdout=subprocess.PIPE,
        )
        os.close(requests)
        os.close(messages)
        self._reader = os.fdopen(self.worker_in, "rb")

    def say(self, message):
        os.write(self.worker_out, line_of(message))

    def hear(self):
        return json.loads(self._reader.readline())

    def end_of(self, task_id):
        while (message := self.hear())["type"] == "progress":
            assert message["id"] == task_id
        assert message["id"] == task_id
        return message

    def close(self):
        os.close(self.worker_out)
        return self.process.wait(timeout=20)


class Silent:
    """A reporter of a task that nobody listens to."""

    def progress(self, percent):
        pass

    def working(self):
        pass

    def keep(self, files):
        return False
