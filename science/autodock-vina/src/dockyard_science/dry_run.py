"""Prepares a ligand and docks it nowhere, so that a library can be checked before it is paid for.

The preparation is that of a docking, in a process of its own with the same limit, and what it found stands in one file
with a digest: the state in which the ligand would be docked, and what there is to say of it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dockyard_science.ccd import Ccd
from dockyard_science.ligand import prepare_states, warm_up
from dockyard_science.ligand_request import (
    PREPARING,
    LigandRequest,
    preparation_limits,
    quiet_step,
    request_of,
)
from dockyard_science.ligand_sources import ligand_identity, told_with_line
from dockyard_science.spec import LigandSpec
from dockyard_session.canonical import canonical_sha256, write_json
from dockyard_session.isolation import EnterStage, Isolation, Watch
from dockyard_session.tool import Progress, TaskResult

#: The format of the file.
SCHEMA = "dockyard.docking.preparation/v1"


@dataclass(frozen=True)
class _Check:
    request: LigandRequest
    exhaustiveness: int


class LigandChecker:
    """Prepares one ligand after the other in a child process that stays warm."""

    def __init__(self, exhaustiveness: int) -> None:
        """Load what the first ligand would have to wait for; the exhaustiveness is that of the job."""
        self._exhaustiveness = exhaustiveness
        warm_up()
        self._isolation = Isolation(_work)

    def check(
        self, spec: LigandSpec, ligand_path: Path | None, out: Path, *, ccd: Ccd, progress: Progress
    ) -> TaskResult:
        """Prepare a ligand and write what was found below `out`. Raises ScienceError with the ligand's code."""
        watch = Watch(preparation_limits(), lambda _: None, lambda _: None)
        with told_with_line(spec["source"]):
            check = _Check(request_of(spec, ligand_path, ccd), self._exhaustiveness)
            found: dict[str, Any] = self._isolation.run(check, stage=PREPARING, watch=watch)
        progress(100.0)
        return _write(spec, found, out)

    def close(self) -> None:
        """End the child process."""
        self._isolation.close()


def _work(check: _Check, enter: EnterStage) -> dict[str, Any]:
    states = prepare_states(check.request, quiet_step(enter), exhaustiveness=check.exhaustiveness)
    return {"ligand": states.each[0].record(), **states.record(), "warnings": states.each[0].warnings}


def _write(spec: LigandSpec, found: dict[str, Any], out: Path) -> TaskResult:
    preparation = {
        "ligandId": spec["ligandId"],
        **ligand_identity(spec),
        "ligand": {"protonationPh": spec["protonationPh"], **found["ligand"]},
        **({"states": found["states"]} if "states" in found else {}),
        "warnings": found["warnings"],
    }
    name = f"ligands/{spec['ligandId']}/preparation.json"
    path = out / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, {"schema": SCHEMA, "sha256": canonical_sha256(preparation), "preparation": preparation})
    summary = {
        "heavyAtoms": found["ligand"]["heavyAtoms"],
        "smilesDocked": found["ligand"]["smilesDocked"],
        **({"statesDocked": len(found["states"]["each"])} if "states" in found else {}),
        "warnings": found["warnings"],
    }
    return [{"path": name, "kind": "preparation", "mediaType": "application/json", "format": "json"}], summary
