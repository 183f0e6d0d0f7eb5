"""A process that answers JSON requests line by line, for services beside the docking of jobs.

The first line of the answers, `{"ready": true}`, says that all is loaded. The process ends with its input, and with a
fault of ours: who asked starts another one. What libraries print goes to standard error.
"""

import json
import os
import resource
import sys
from collections.abc import Callable
from typing import Any, TextIO

_MEMORY_BYTES = 4 * 1024**3
_NICENESS = 10


def serve_lines(
    requests: TextIO, answers: TextIO, answer: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    """Answer each request until there are no more."""
    _write(answers, {"ready": True})
    for line in requests:
        _write(answers, answer(json.loads(line)))


def main(serve: Callable[[TextIO, TextIO], None]) -> int:
    """Serve on standard input and output, at a low priority and within bounds of memory."""
    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin, answers)
    return 0


def _write(answers: TextIO, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()
