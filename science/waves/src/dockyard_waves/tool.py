"""The tool of every wave model: it lays out the files of a job, and hands them to the model's preparation or run."""

import tempfile
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Generic, TypeVar

from dockyard_session.protocol import TaskRequest
from dockyard_session.tool import Reporter, TaskResult, TaskWarning
from dockyard_waves.layout import lay_out_files
from dockyard_waves.spec import WavesSpec

SOURCE = "case/source"
PLAN = "plan.json"
SUMMARY = "summary.json"

#: The most warnings of a case that are told one by one.
_MOST_WARNINGS = 20

Spec = TypeVar("Spec", bound=WavesSpec)


class WavesTool(ABC, Generic[Spec]):
    """Does the preparation and the tasks of a job."""

    def __init__(self, spec: Spec) -> None:
        """Take the job."""
        self._spec = spec

    def run(self, task: TaskRequest, reporter: Reporter) -> TaskResult:
        """Prepare the job or run a case; raises ScienceError with CASE_*, MODEL_DIVERGED or ENGINE_*."""
        task.out.mkdir(parents=True, exist_ok=True)
        # A model works beside the outputs, so that none of its other files is taken for one of them.
        with tempfile.TemporaryDirectory(dir=task.folder) as folder:
            work = Path(folder)
            others = {name: task.inputs[given] for name, given in self._spec["files"].items()}
            names = lay_out_files(task.inputs[SOURCE], self._spec["sourceName"], others, work / "case")
            do = self._prepare if task.kind == "prepare" else self._run
            return do(task, work, names, reporter)

    def forget(self) -> None:
        """Do nothing, because the tool keeps nothing between tasks."""

    @abstractmethod
    def _prepare(self, task: TaskRequest, work: Path, names: list[str], reporter: Reporter) -> TaskResult:
        """Prepare the job, whose files lie in the folder `case` of `work`."""

    @abstractmethod
    def _run(self, task: TaskRequest, work: Path, names: list[str], reporter: Reporter) -> TaskResult:
        """Run the case of a task."""


def told_warnings(found: list[tuple[str, str]]) -> list[TaskWarning]:
    """Warnings from their codes and messages: the first ones, and how many more there are."""
    more = len(found) - _MOST_WARNINGS
    told_more = [(found[_MOST_WARNINGS][0], f"There are {more} more of such warnings.")] if more > 0 else []
    return [{"code": code, "message": message} for code, message in found[:_MOST_WARNINGS] + told_more]


def plan_summary(plans: list[dict[str, Any]]) -> dict[str, Any]:
    """What the preparation tells of itself."""
    warnings = [
        {
            **warning,
            "message": f"Case {index}: {warning['message']}" if len(plans) > 1 else warning["message"],
        }
        for index, plan in enumerate(plans)
        for warning in plan["warnings"]
    ]
    against = next((plan["reason"] for plan in plans if not plan["resumable"]), None)
    return {
        "caseCount": len(plans),
        "resumable": against is None,
        "resumableReason": against,
        "estimatedSeconds": round(sum(plan["estimatedSeconds"] for plan in plans), 1),
        "steps": sum(plan["steps"] for plan in plans),
        "warnings": warnings,
    }
