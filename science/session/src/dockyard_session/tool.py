"""What a tool is for its session, and what it tells of a task, as it stands in the JSON lines of the session.

The module that `--tool` names has a function `open_session(spec) -> Tool`. It may have `HEAVY_MODULES`, the names of
modules that take time to import: the session imports them between its start and its first task.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

if TYPE_CHECKING:
    from dockyard_session.protocol import TaskRequest

#: Called with the percentage of the present task that is done, 0 to 100.
Progress = Callable[[float], None]


class Reporter(Protocol):
    """Tells the worker how the present task gets on."""

    def progress(self, percent: float) -> None:
        """Tell how much of the task is done, 0 to 100."""
        ...

    def working(self) -> None:
        """Tell, once at most and before any checkpoint, that the program has started and the inputs are read.

        The seconds of a measured task count from here; without it they count from the task's beginning.
        """
        ...

    def keep(self, files: Sequence[str]) -> bool:
        """Ask the worker to keep files of the task's `out` folder as its checkpoint, and wait for the answer.

        When they are kept, the next attempt at the task reads them as the inputs `checkpoint/{path}`, in place of what
        was kept before. Otherwise the checkpoint before stands, and the task goes on all the same.
        """
        ...


class Output(TypedDict):
    """A file a task made; `path` is relative to the task's `out` folder, with `/`."""

    path: str
    kind: str
    mediaType: str
    format: str | None


class TaskWarning(TypedDict):
    """Something the customer should know although the task succeeded."""

    code: str
    message: str


#: Outputs in a fixed order, and the summary (at most 8 KiB as JSON).
TaskResult = tuple[list[Output], dict[str, Any]]


class Tool(Protocol):
    """Does the tasks of one session, one after another."""

    def run(self, task: "TaskRequest", reporter: Reporter) -> TaskResult:
        """Do one task below its `out` folder; raises ScienceError with the code that the customer gets."""
        ...

    def forget(self) -> None:
        """Drop what is kept between tasks, after a task that left it in an unknown state and at the end."""
        ...
