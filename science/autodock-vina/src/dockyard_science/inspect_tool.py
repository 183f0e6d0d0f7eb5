"""The session of the inspecting tool: it reads one receptor and writes one report."""

from pathlib import Path
from typing import Any, cast

from dockyard_science.ccd import default_ccd
from dockyard_science.spec import InspectSpec
from dockyard_science.toolchain import current_toolchain
from dockyard_session.canonical import write_json
from dockyard_session.errors import ScienceError
from dockyard_session.protocol import TaskRequest
from dockyard_session.tool import Output, Reporter, TaskResult

#: What takes time to import; an inspection docks nothing.
HEAVY_MODULES = ("dockyard_science.meeko_door", "pdb2pqr.main", "dockyard_science.inspect_report")

RECEPTOR_SOURCE = "receptor/source"

#: The largest report; its lists are bounded, so that only a made-up file comes near this size.
REPORT_BYTES = 4 * 1024 * 1024

_REPORT = Output(
    path="inspection.json", kind="inspection_report", mediaType="application/json", format="json"
)


def open_session(spec: dict[str, Any]) -> "InspectTool":
    """The tool of a session that inspects."""
    return InspectTool(cast("InspectSpec", spec))


class InspectTool:
    """Does the one task of a session."""

    def __init__(self, spec: InspectSpec) -> None:
        """Take the part of the file that is inspected and the preparation that the inspection assumes."""
        self._spec = spec

    def run(self, task: TaskRequest, reporter: Reporter) -> TaskResult:
        """Inspect the receptor below the task's `out` folder; raises ScienceError with a receptor's code."""
        # Imported where it is used, because the session opens before the libraries are loaded.
        from dockyard_science.inspect_report import inspect

        task.out.mkdir(parents=True, exist_ok=True)
        report = inspect(
            task.inputs[RECEPTOR_SOURCE],
            self._spec,
            ccd=default_ccd(),
            toolchain=current_toolchain(),
            progress=reporter.progress,
        )
        path = Path(task.out, _REPORT["path"])
        write_json(path, report)
        if path.stat().st_size > REPORT_BYTES:
            message = "There is more to say of this receptor than a report holds; choose fewer chains."
            raise ScienceError("RECEPTOR_UNREADABLE", message)
        reporter.progress(100)
        return [_REPORT], {"refusals": len(report["refusals"]), "components": report["componentCount"]}

    def forget(self) -> None:
        """Do nothing, because the tool keeps nothing between tasks."""
