"""A ligand and how it is asked to be prepared, and how long that may take: for a docking and for a dry run."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rdkit import rdBase

from dockyard_science.ccd import Ccd
from dockyard_science.ligand_sources import RawLigand, load_ligand
from dockyard_science.spec import LigandProtonation, LigandSpec, LigandStates, LigandTautomer
from dockyard_session.isolation import StageLimit

#: A molecule that is not prepared by then never is, in practice: drugs take a tenth of a second. Of a large ring it is
#: the time for ten shapes, and of several states that of one, because more of them take longer without a hang.
PREPARATION_SECONDS = 120.0

#: The stages of a preparation.
PREPARING, SHAPING = "preparing the ligand", "building the shapes of a ring"


@dataclass(frozen=True)
class LigandRequest:
    """What there is of a ligand, and as what it is to be docked at a pH."""

    raw: RawLigand
    protonation_ph: float
    protonation: LigandProtonation = "model"
    tautomer: LigandTautomer = "as_sent"
    states: LigandStates = "single"


def request_of(spec: LigandSpec, path: Path | None, ccd: Ccd) -> LigandRequest:
    """The request of a task. Raises ScienceError where the ligand's source cannot be read."""
    return LigandRequest(
        load_ligand(spec, path, ccd),
        spec["protonationPh"],
        spec.get("protonation", "model"),
        spec.get("tautomer", "as_sent"),
        spec.get("states", "single"),
    )


def preparation_limits(seconds: float = PREPARATION_SECONDS) -> dict[str, StageLimit]:
    """How long each stage of the preparation of a ligand may take, and what is said when it takes longer."""
    message = (
        f"The preparation of the ligand did not end within {seconds:g} seconds; "
        "check the molecule or send a part of it."
    )
    limit = StageLimit(seconds, "LIGAND_PREPARATION_TIMEOUT", message)
    return {PREPARING: limit, SHAPING: limit}


def quiet_step(enter: Callable[[str], None]) -> Callable[[], None]:
    """What a preparation calls now and then, without RDKit's words.

    Entering the stage again starts its limit again, so that each batch of shapes and each state has one of its own.
    """
    rdBase.DisableLog("rdApp.*")
    return lambda: enter(SHAPING)
