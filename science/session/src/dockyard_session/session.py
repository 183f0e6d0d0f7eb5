"""The session process of a tool: `python -m dockyard_session --tool MODULE`, on descriptors 3 and 4.

One warm process does many tasks, one at a time. What a customer's input brings about is reported with its code and
leaves the session usable; anything else is ENGINE_CRASHED, with the traceback in the log alone. It ends when
descriptor 3 closes.
"""

import argparse
import ctypes
import importlib
import logging
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from types import ModuleType

from dockyard_session.errors import ScienceError, one_line
from dockyard_session.protocol import Channel, OpenRequest, TaskReporter, TaskRequest
from dockyard_session.tool import Tool

# One thread per process, and sets of strings in one order: both reach the bytes of the outputs. No module is taken
# from the folder that the session works in.
_SURROUNDINGS = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}

_PR_SET_PDEATHSIG = 1


def main() -> int:
    """Serve one session; returns the exit code."""
    parser = argparse.ArgumentParser(prog="dockyard_session")
    parser.add_argument("--tool", required=True, metavar="MODULE", help="the module that opens the tool")
    module = parser.parse_args().tool
    _pin_surroundings()
    _die_with_parent()
    logging.basicConfig(level=logging.WARNING, stream=sys.stdout, force=True)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    serve(Channel(), module)
    # Without the libraries' own farewells, which cost time and can crash.
    sys.stdout.flush()
    os._exit(0)


def serve(channel: Channel, module_name: str) -> None:
    """Answer requests until the worker closes the channel; raises ProtocolError when it sends something else."""
    tool: Tool | None = None
    while (request := channel.next_request()) is not None:
        if isinstance(request, OpenRequest):
            module = importlib.import_module(module_name)
            tool = module.open_session(request.spec)
            channel.ready()
            _preload(channel, _heavy_modules(module))
        elif tool is None:
            channel.failed(request.id, "ENGINE_CRASHED", "The session was not opened.")
        else:
            run_task(channel, tool, request)
    if tool is not None:
        tool.forget()


def run_task(channel: Channel, tool: Tool, task: TaskRequest) -> None:
    """Do one task and say how it ended."""
    try:
        outputs, summary = tool.run(task, TaskReporter(channel, task.id))
        channel.done(task.id, outputs, summary)
    except ScienceError as error:
        sys.stdout.write(f"{task.item_id}: {error.code}: {error.message}\n")
        channel.failed(task.id, error.code, error.message)
    except MemoryError:
        tool.forget()
        channel.failed(task.id, "ENGINE_OUT_OF_MEMORY", "The tool could not get the memory that it needs.")
    except (Exception, SystemExit) as error:
        # Libraries end a process for what they do not like; that, too, is the end of one task only.
        tool.forget()
        traceback.print_exc(file=sys.stdout)
        kind = one_line(type(error).__name__, 80)
        channel.failed(task.id, "ENGINE_CRASHED", f"The tool met an error that it does not know ({kind}).")


def _heavy_modules(module: ModuleType) -> Sequence[str]:
    return getattr(module, "HEAVY_MODULES", ())


def _preload(channel: Channel, modules: Sequence[str]) -> None:
    """Import what tasks will need for as long as there is none."""
    for name in modules:
        if not channel.is_idle():
            return
        importlib.import_module(name)


def _pin_surroundings() -> None:
    """Start this program again in its proper environment, unless it has it; the open descriptors stay."""
    if sys.flags.safe_path and all(os.environ.get(name) == value for name, value in _SURROUNDINGS.items()):
        return
    os.environ.update(_SURROUNDINGS, PYTHONSAFEPATH="1")
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - it is this very program


def _die_with_parent() -> None:
    """Ask Linux to end this process with its worker, also in the middle of a search that reads no requests."""
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
