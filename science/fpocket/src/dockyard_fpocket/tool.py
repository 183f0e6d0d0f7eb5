"""The session of fpocket: it reads one structure, runs the program on its selected atoms, and writes what was found."""

import functools
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import gemmi

from dockyard_fpocket.pockets import Pocket, read_hetatm_owners, read_pockets
from dockyard_fpocket.program import SELECTED, Answer, installed_pack, run_fpocket
from dockyard_fpocket.report import pocket_files, report_of, summary_of, table_of
from dockyard_fpocket.selected import Owner, SelectedFile, write_selected
from dockyard_fpocket.spec import FpocketSpec
from dockyard_session.canonical import sha256_file, write_json
from dockyard_session.protocol import TaskRequest, fit_summary
from dockyard_session.tool import Output, Reporter, TaskResult, TaskWarning
from dockyard_session.toolchain import Toolchain, toolchain_of
from dockyard_structures.residues import END_CAPS, START_CAPS, is_polymer_name, is_water, short_list
from dockyard_structures.selection import Selection, select
from dockyard_structures.structure import SourceStructure, read_structure

#: Modules that take time to import: the session imports them before its first task.
HEAVY_MODULES = ("gemmi",)

RECEPTOR_SOURCE = "receptor/source"
REPORT, TABLE, LOG, WHOLE = "pockets.json", "pockets.csv", "fpocket.log", "fpocket_out.pdb"

#: The caps of chains.
CAPS = START_CAPS | END_CAPS

_FOLDERS = ("fpocket", "structures", "session")
_LIBRARIES = ("gemmi",)
_FACTS = {
    SELECTED: ("selected_structure", "chemical/x-pdb", "pdb"),
    REPORT: ("pockets", "application/json", "json"),
    TABLE: ("pockets_table", "text/csv", "csv"),
    WHOLE: ("pockets_structure", "chemical/x-pdb", "pdb"),
    LOG: ("log", "text/plain", "log"),
}


def open_session(spec: dict[str, Any]) -> "FpocketTool":
    """The tool of one session."""
    return FpocketTool(cast("FpocketSpec", spec))


class FpocketTool:
    """Does the one task of a session."""

    def __init__(self, spec: FpocketSpec) -> None:
        """Take the part of the file that is searched and how many pockets are kept."""
        self._spec = spec

    def run(self, task: TaskRequest, reporter: Reporter) -> TaskResult:
        """Search below the task's `out` folder; raises ScienceError with a code of receptors or of pockets."""
        task.out.mkdir(parents=True, exist_ok=True)
        source = read_structure(task.inputs[RECEPTOR_SOURCE])
        selection = select(source.structure, self._spec["receptor"])
        selected = write_selected(selection)
        reporter.progress(10)
        # The program works beside the outputs, so that none of its other files is taken for one of them.
        with tempfile.TemporaryDirectory(dir=task.folder) as folder:
            work = Path(folder)
            (work / SELECTED).write_text(selected.text, encoding="ascii")
            pack = installed_pack()
            answer = run_fpocket(pack, work, self._spec["clockSeconds"], selected.atom_records)
            reporter.progress(90)
            found, pockets, hetero = _read(answer, selected, self._spec["maxPockets"])
            names = _take(answer, work, task.out, [pocket.rank for pocket in pockets])
        warnings = _warnings(source, selection, pockets, answer, hetero)
        (task.out / TABLE).write_text(table_of(pockets), encoding="utf-8", newline="")
        names.append(TABLE)
        report = report_of(
            self._spec,
            source_format=source.format,
            remarks=source.remarks,
            selection=selection,
            selected=selected,
            found=found,
            pockets=pockets,
            hetero=hetero,
            clock_fixed=answer.clock_fixed,
            files={name: sha256_file(task.out / name) for name in names},
            pack=pack,
            toolchain=_toolchain(),
            warnings=warnings,
        )
        write_json(task.out / REPORT, report)
        reporter.progress(100)
        return [_output(name) for name in [REPORT, *names]], fit_summary(summary_of(found, pockets, warnings))

    def forget(self) -> None:
        """Do nothing, because the tool keeps nothing between tasks."""


@functools.cache
def _toolchain() -> Toolchain:
    return toolchain_of(_FOLDERS, _LIBRARIES)


def _read(answer: Answer, selected: SelectedFile, most: int) -> tuple[int, list[Pocket], list[Owner]]:
    """What was found; of a few atoms the program writes nothing, which is an empty list too."""
    if answer.folder is None:
        return 0, [], []
    found, pockets = read_pockets(answer.folder, selected.owners, most)
    return found, pockets, read_hetatm_owners(answer.folder / "selected_out.pdb", selected.owners)


def _take(answer: Answer, work: Path, out: Path, ranks: Sequence[int]) -> list[str]:
    """Move the program's files to the outputs, as they are; their names in a fixed order."""
    names = [SELECTED]
    shutil.move(work / SELECTED, out / SELECTED)
    if answer.folder is not None:
        shutil.move(answer.folder / "selected_out.pdb", out / WHOLE)
        names.append(WHOLE)
    (out / LOG).write_bytes(answer.log)
    names.append(LOG)
    for rank in ranks:
        for name in pocket_files(rank):
            (out / name).parent.mkdir(exist_ok=True)
            shutil.move(cast("Path", answer.folder) / name, out / name)
            names.append(name)
    return names


def _output(name: str) -> Output:
    if name in _FACTS:
        kind, media_type, form = _FACTS[name]
    elif name.endswith(".pqr"):
        kind, media_type, form = "alpha_spheres", "chemical/x-pqr", "pqr"
    else:
        kind, media_type, form = "pocket_atoms", "chemical/x-pdb", "pdb"
    return Output(path=name, kind=kind, mediaType=media_type, format=form)


def _warnings(
    source: SourceStructure,
    selection: Selection,
    pockets: Sequence[Pocket],
    answer: Answer,
    hetero: Sequence[Owner],
) -> list[TaskWarning]:
    warnings = [*source.warnings, *selection.warnings]
    if not pockets:
        message = "fpocket found no pocket in the selection. Small or flat structures have none by its rules."
        warnings.append({"code": "POCKETS_NONE_FOUND", "message": message})
    if not answer.clock_fixed:
        message = (
            "fpocket's clock could not be fixed here, because that takes a C compiler: volumes, and what is computed "
            "from them, may differ a little in another run."
        )
        warnings.append({"code": "POCKETS_CLOCK_NOT_FIXED", "message": message})
    return [*warnings, *_component_warnings(selection, hetero)]


def _component_warnings(selection: Selection, hetero: Sequence[Owner]) -> list[TaskWarning]:
    """What fills a pocket unseen: a component that counts to the structure."""
    as_atoms = sorted(
        {
            residue.name
            for chain in selection.model
            for residue in chain
            if residue.het_flag == "A" and not _is_link(residue) and not is_water(residue.name)
        }
    )
    links = _links(selection)
    cofactors = sorted({owner.name for owner in hetero if owner.name not in links})
    counted = [*as_atoms, *(name for name in cofactors if name not in as_atoms)]
    if not counted:
        return []
    message = (
        f"fpocket counts {short_list(counted)} to the structure, so no pocket is found where they are: it reads ATOM"
        " records and, of HETATM records, those of its own list."
    )
    return [{"code": "POCKETS_COMPONENTS_KEPT", "message": message}]


def _links(selection: Selection) -> set[str]:
    return {residue.name for chain in selection.model for residue in chain if _is_link(residue)}


def _is_link(residue: gemmi.Residue) -> bool:
    """Whether a residue is part of a chain, also a modified one, which is no news."""
    names = {atom.name for atom in residue}
    return (
        is_polymer_name(residue.name) or residue.name in CAPS or {"N", "CA", "C"} <= names or "C1'" in names
    )
