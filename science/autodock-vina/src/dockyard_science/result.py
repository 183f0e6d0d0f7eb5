"""Writes result.json: what was found and what it came from, with a digest; times and host apart from it.

The digest is over the canonical JSON of `result`. Nothing in there depends on when, where or beside what a ligand was
docked, so that two runs can be compared by it. `src/tools/autodock-vina/result.schema.json` describes it.
"""

import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dockyard_science.interaction_records import Record
from dockyard_science.pose_checks import PoseChecks
from dockyard_science.poses import Pose
from dockyard_science.second_opinion import Opinion
from dockyard_session.canonical import canonical_sha256, write_json
from dockyard_session.tool import Output

#: The format of the file; poses have had their interactions since the second one.
SCHEMA = "dockyard.docking.result/v2"

#: The power of the number of heavy atoms with which the best affinities grow (Nissink 2009).
SIZE_EXPONENT = 0.3


@dataclass(frozen=True)
class Run:
    """When and where a ligand was docked; `monotonic` measures, `started_at` is for people."""

    started_at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
    monotonic: float = field(default_factory=time.monotonic)

    def record(self) -> dict[str, Any]:
        """The part of the file that is not in the digest."""
        return {
            "startedAt": self.started_at,
            "seconds": round(time.monotonic() - self.monotonic, 3),
            "host": platform.node(),
        }


def pose_records(
    poses: Sequence[Pose],
    checks: Sequence[PoseChecks],
    interactions: Sequence[list[Record] | None],
    side_chains: Sequence[list[dict[str, Any]]] | None,
    opinion: Opinion | None,
) -> list[dict[str, Any]]:
    """All modes as they stand in result.json, with what `side_chains` and `opinion` say; kcal/mol and angstrom.

    Interactions are None where they could not be had.
    """
    parts = zip(poses, checks, interactions, strict=True)
    records = [_pose_record(pose, check) | {"interactions": found} for pose, check, found in parts]
    for record, score, rank in zip(records, opinion.scores, opinion.ranks(), strict=True) if opinion else ():
        record["second"] = {"affinityKcalMol": score, "rank": rank}
    for record, turned in zip(records, side_chains or (), strict=side_chains is not None):
        record["sideChains"] = turned
    return records


def _pose_record(pose: Pose, checks: PoseChecks) -> dict[str, Any]:
    return {
        "mode": pose.mode,
        "affinityKcalMol": pose.affinity,
        "rmsdLowerAngstrom": pose.rmsd_lower,
        "rmsdUpperAngstrom": pose.rmsd_upper,
        "intermolecularKcalMol": pose.intermolecular,
        "intramolecularKcalMol": pose.intramolecular,
        "torsionalKcalMol": pose.torsional,
        **({} if pose.shape is None else {"shape": pose.shape}),
        "checks": checks.record(),
    }


def score_record(poses: Sequence[Pose], heavy_atoms: int) -> dict[str, Any]:
    """The score of mode 1, and what it is worth for the ligand's size; positive where it binds."""
    best = poses[0].affinity
    return {
        "bestAffinityKcalMol": best,
        "ligandEfficiency": _rounded(-best / heavy_atoms),
        "sizeIndependentEfficiency": _rounded(-best / heavy_atoms**SIZE_EXPONENT),
    }


def _rounded(value: float) -> float:
    """Three decimals; adding nothing makes a plain zero of a negative one."""
    return round(value, 3) + 0.0


def write_result(path: Path, result: dict[str, Any], run: Run) -> str:
    """Write result.json and return the digest of its `result`."""
    digest = canonical_sha256(result)
    write_json(path, {"schema": SCHEMA, "sha256": digest, "result": result, "run": run.record()})
    return digest


def docking_outputs(folder: str, kind: str | None, *, is_flexible: bool) -> list[Output]:
    """The files of a docked ligand; `kind` replaces their own kinds where it is not None."""
    files = (
        ("poses.sdf", "poses", "chemical/x-mdl-sdfile", "sdf"),
        ("poses.pdbqt", "poses_pdbqt", "chemical/x-pdbqt", "pdbqt"),
        *([("flexible.pdb", "side_chains", "chemical/x-pdb", "pdb")] if is_flexible else []),
        ("result.json", "result", "application/json", "json"),
        ("dock.log", "log", "text/plain", "log"),
    )
    return [
        {"path": f"{folder}/{name}", "kind": kind or own_kind, "mediaType": media_type, "format": file_format}
        for name, own_kind, media_type, file_format in files
    ]
