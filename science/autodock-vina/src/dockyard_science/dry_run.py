"""Prepares a ligand and docks it nowhere, so that a library can be checked before it is paid for.

The preparation is that of a docking, in a process of its own with the same limit, and what it found stands in one file
with a digest: the state in which the ligand would be docked, and what there is to say of it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rdkit import rdBase

from dockyard_science.ccd import Ccd
from dockyard_science.docking import preparation_limit
from dockyard_science.ligand import prepare_ligand, warm_up
from dockyard_science.ligand_sources import RawLigand, ligand_identity, load_ligand, told_with_line
from dockyard_science.spec import LigandProtonation, LigandSpec, LigandTautomer
from dockyard_session.canonical import canonical_sha256, write_json
from dockyard_session.isolation import EnterStage, Isolation, Watch
from dockyard_session.tool import Progress, TaskResult

#: The format of the file.
SCHEMA = "dockyard.docking.preparation/v1"

_PREPARING, _SHAPING = "preparing the ligand", "building the shapes of a ring"


@dataclass(frozen=True)
class _Check:
    raw: RawLigand
    protonation_ph: float
    protonation: LigandProtonation
    exhaustiveness: int
    tautomer: LigandTautomer


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
        limit = preparation_limit()
        watch = Watch({_PREPARING: limit, _SHAPING: limit}, lambda _: None, lambda _: None)
        with told_with_line(spec["source"]):
            raw = load_ligand(spec, ligand_path, ccd)
            state, tautomer = spec.get("protonation", "model"), spec.get("tautomer", "as_sent")
            check = _Check(raw, spec["protonationPh"], state, self._exhaustiveness, tautomer)
            found: dict[str, Any] = self._isolation.run(check, stage=_PREPARING, watch=watch)
        progress(100.0)
        return _write(spec, found, out)

    def close(self) -> None:
        """End the child process."""
        self._isolation.close()


def _work(check: _Check, enter: EnterStage) -> dict[str, Any]:
    rdBase.DisableLog("rdApp.*")
    ligand = prepare_ligand(
        check.raw,
        check.protonation_ph,
        check.protonation,
        check.tautomer,
        on_step=lambda: enter(_SHAPING),
        exhaustiveness=check.exhaustiveness,
    )
    return {"ligand": ligand.record(), "warnings": ligand.warnings}


def _write(spec: LigandSpec, found: dict[str, Any], out: Path) -> TaskResult:
    preparation = {
        "ligandId": spec["ligandId"],
        **ligand_identity(spec),
        "ligand": {"protonationPh": spec["protonationPh"], **found["ligand"]},
        "warnings": found["warnings"],
    }
    name = f"ligands/{spec['ligandId']}/preparation.json"
    path = out / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, {"schema": SCHEMA, "sha256": canonical_sha256(preparation), "preparation": preparation})
    summary = {
        "heavyAtoms": found["ligand"]["heavyAtoms"],
        "smilesDocked": found["ligand"]["smilesDocked"],
        "warnings": found["warnings"],
    }
    return [{"path": name, "kind": "preparation", "mediaType": "application/json", "format": "json"}], summary
