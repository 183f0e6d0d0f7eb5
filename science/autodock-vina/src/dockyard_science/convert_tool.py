"""The session of the converting tool: it reads one file and writes the same in another format, with a report."""

from pathlib import Path
from typing import Any

from dockyard_science.conversion import UNREADABLE
from dockyard_science.toolchain import current_toolchain
from dockyard_session.canonical import write_json
from dockyard_session.errors import ScienceError
from dockyard_session.protocol import TaskRequest
from dockyard_session.tool import Output, Reporter, TaskResult

#: What takes time to import.
HEAVY_MODULES = ("dockyard_science.convert_molecules", "dockyard_science.convert_structures")

INPUT = "input"

#: Outputs by the format that was asked for.
OUTPUTS: dict[str, Output] = {
    "pdb": Output(path="converted.pdb", kind="converted", mediaType="chemical/x-pdb", format="pdb"),
    "mmcif": Output(path="converted.cif", kind="converted", mediaType="chemical/x-mmcif", format="mmcif"),
    "sdf": Output(path="converted.sdf", kind="converted", mediaType="chemical/x-mdl-sdfile", format="sdf"),
    "pdbqt": Output(path="converted.pdbqt", kind="converted", mediaType="chemical/x-pdbqt", format="pdbqt"),
}
_REPORT = Output(
    path="conversion.json", kind="conversion_report", mediaType="application/json", format="json"
)


def open_session(spec: dict[str, Any]) -> "ConvertTool":
    """The tool of a session that converts."""
    return ConvertTool(spec["from"], spec["to"])


class ConvertTool:
    """Does the one task of a session."""

    def __init__(self, source: str, target: str) -> None:
        """Take the two formats."""
        self._pair = (source, target)

    def run(self, task: TaskRequest, reporter: Reporter) -> TaskResult:
        """Convert the input below the task's `out` folder; raises ScienceError with a code of conversions."""
        # Imported where it is used, because the session opens before the libraries are loaded.
        from dockyard_science.convert_molecules import MOLECULES
        from dockyard_science.convert_structures import mmcif_to_pdb, pdb_to_mmcif

        converters = {**MOLECULES, ("pdb", "mmcif"): pdb_to_mmcif, ("mmcif", "pdb"): mmcif_to_pdb}
        convert = converters.get(self._pair)
        if convert is None:
            raise ScienceError(UNREADABLE, f"{self._pair[0]} is not converted to {self._pair[1]}.")
        converted = convert(task.inputs[INPUT])
        reporter.progress(90)
        task.out.mkdir(parents=True, exist_ok=True)
        output = OUTPUTS[self._pair[1]]
        Path(task.out, output["path"]).write_text(converted.text, encoding="utf-8", newline="\n")
        report = {
            "schema": "dockyard.conversion/v1",
            "from": self._pair[0],
            "to": self._pair[1],
            "warnings": converted.warnings,
            "toolchainSha256": current_toolchain().sha256,
        }
        write_json(Path(task.out, _REPORT["path"]), report)
        reporter.progress(100)
        return [output, _REPORT], {"warnings": len(converted.warnings)}

    def forget(self) -> None:
        """Do nothing, because the tool keeps nothing between tasks."""
