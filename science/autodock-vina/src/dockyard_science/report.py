"""The preparation report: what was in the file, what became of it, and what a later job sends to reuse it.

It holds nothing of one job: no times, no box, no artifact. The same receptor and preparation give the same
bytes, which is what lets the report be cached beside the files.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dockyard_science.components import Components
from dockyard_science.contacts import close_contacts, is_metal
from dockyard_science.protonation import state_of
from dockyard_science.renamed_residues import Renamed
from dockyard_science.spec import SessionSpec
from dockyard_science.toolchain import cache_key
from dockyard_session.tool import TaskWarning
from dockyard_session.toolchain import Toolchain
from dockyard_structures.atoms import Residue, ResidueKey
from dockyard_structures.selection import Selection
from dockyard_structures.structure import SourceStructure

REPORT_SCHEMA = "dockyard.docking.preparation/v1"

# The bond between neighbours is 1.33 Å; beyond this they are none.
_GAP_ANGSTROM = 2.0
# Coordinates have three decimals; less than this is no movement.
_MOVED_ANGSTROM = 0.05


@dataclass
class Prepared:
    """What the steps of a preparation made, for the report."""

    source: SourceStructure
    renamed: Sequence[Renamed]
    selection: Selection
    components: Components
    letters: dict[str, str]
    residues: list[Residue]
    pka: list[dict[str, Any]]
    remarks: list[str]
    retyped: dict[str, str]
    metal_sites: list[dict[str, Any]]
    repairs: list[dict[str, Any]]
    histidines: list[dict[str, Any]]
    flexible: list[dict[str, Any]]
    warnings: list[TaskWarning]


def build_report(
    prepared: Prepared, spec: SessionSpec, toolchain: Toolchain, digests: dict[str, str]
) -> dict[str, Any]:
    """The report as JSON data; `digests` are those of the prepared files by path."""
    receptor = spec["receptor"]
    deposited = {residue.key: residue for residue in prepared.components.polymer}
    chains = [residue for residue in prepared.residues if residue.key in deposited and not residue.hetero]
    return {
        "schema": REPORT_SCHEMA,
        "receptor": {
            "sha256": receptor["sha256"],
            "format": prepared.source.format,
            "model": receptor["model"],
            "assembly": prepared.selection.assembly,
            "chains": prepared.selection.chains,
        },
        "preparation": dict(spec["preparation"]),
        "altlocs": prepared.selection.altlocs,
        "hydrogensRemoved": prepared.selection.hydrogens_removed,
        "components": _components(prepared.components),
        "renames": [
            *(each.reference() for each in prepared.renamed if each.key in deposited),
            *prepared.components.renames,
            *_renamed_chains(prepared.letters),
        ],
        "gaps": find_gaps(prepared.components.polymer),
        "atomsBuilt": _built(deposited, chains),
        "atomsDropped": _dropped(deposited, chains),
        "repairs": prepared.repairs,
        "residuesFlipped": _moved(deposited, chains, flipped=True),
        "residuesMoved": _moved(deposited, chains, flipped=False),
        "disulfides": _disulfides(chains),
        "pka": prepared.pka,
        "protonationStates": _states(chains, spec),
        "metalSites": prepared.metal_sites,
        "histidines": prepared.histidines,
        **({"flexibleResidues": prepared.flexible} if prepared.flexible else {}),
        "hydrogensSetByTemplate": [
            {"residue": label, "template": template} for label, template in prepared.retyped.items()
        ],
        "remarks": prepared.remarks,
        "warnings": prepared.warnings,
        "heavyAtoms": sum(len(residue.heavy_atoms) for residue in prepared.residues),
        "hydrogens": sum(len(residue.atoms) - len(residue.heavy_atoms) for residue in prepared.residues),
        "files": [{"path": path, "sha256": digest} for path, digest in digests.items()],
        "versions": dict(toolchain.versions),
        "preparedReceptor": prepared_receptor(spec, toolchain),
    }


def prepared_receptor(spec: SessionSpec, toolchain: Toolchain) -> dict[str, str]:
    """The block that a later job sends to say which prepared receptor it means."""
    identity, preparation = spec["receptor"]["identitySha256"], spec["preparationSha256"]
    return {
        "cacheKey": cache_key(identity, preparation, toolchain.sha256),
        "receptorIdentitySha256": identity,
        "preparationSha256": preparation,
        "toolchainSha256": toolchain.sha256,
        "workerImageDigest": toolchain.worker_image_digest,
    }


def find_gaps(polymer: Sequence[Residue]) -> list[dict[str, Any]]:
    """Places where a chain goes on without a bond: the residues on both sides and their distance in angstrom."""
    gaps: list[dict[str, Any]] = []
    for before, after in pairwise(polymer):
        if before.chain != after.chain:
            continue
        distance = _joint(before, after)
        if distance is not None and distance > _GAP_ANGSTROM:
            missing = max(0, after.number - before.number - 1)
            gaps.append(
                {
                    "after": before.reference(),
                    "before": after.reference(),
                    "distanceAngstrom": round(distance, 2),
                    "residuesMissingByNumber": missing,
                }
            )
    return gaps


def _joint(before: Residue, after: Residue) -> float | None:
    for end, start in (("C", "N"), ("O3'", "P")):
        one, other = before.atom(end), after.atom(start)
        if one and other:
            return math.dist(one.position, other.position)
    return None


def _components(components: Components) -> dict[str, Any]:
    return {
        "retained": [_component(residue) for residue in components.retained],
        "removed": [_component(residue) for residue in components.removed],
        "watersRemoved": len(components.removed_waters),
        "residuesRemoved": [residue.reference() for residue in components.cut],
    }


def _component(residue: Residue) -> dict[str, Any]:
    heavy = residue.heavy_atoms
    metal = any(is_metal(atom.element) for atom in heavy)
    return residue.reference() | {"heavyAtoms": len(heavy), "metal": metal}


def _renamed_chains(letters: dict[str, str]) -> list[dict[str, Any]]:
    return [{"chain": name, "toChain": letter} for name, letter in letters.items() if name != letter]


def _built(deposited: dict[ResidueKey, Residue], chains: Sequence[Residue]) -> list[dict[str, Any]]:
    built: list[dict[str, Any]] = []
    for residue in chains:
        before = {atom.name for atom in deposited[residue.key].atoms}
        names = [atom.name for atom in residue.heavy_atoms if atom.name not in before]
        if names:
            built.append(residue.reference() | {"atoms": names})
    return built


def _moved(
    deposited: dict[ResidueKey, Residue], chains: Sequence[Residue], *, flipped: bool
) -> list[dict[str, Any]]:
    """Residues whose heavy atoms moved; a turn of ASN, GLN or HIS by half is a flip, the rest was a bump."""
    found: list[dict[str, Any]] = []
    for residue in chains:
        before = {atom.name: atom.position for atom in deposited[residue.key].atoms}
        shifts = {
            atom.name: math.dist(atom.position, before[atom.name])
            for atom in residue.heavy_atoms
            if atom.name in before
        }
        furthest = max(shifts.values(), default=0.0)
        if furthest > _MOVED_ANGSTROM and _is_flip(residue, before) == flipped:
            found.append(residue.reference() | {"furthestAngstrom": round(furthest, 2)})
    return found


def _dropped(deposited: dict[ResidueKey, Residue], chains: Sequence[Residue]) -> list[dict[str, Any]]:
    """Heavy atoms that a residue does not have by its name, which pdb2pqr leaves out."""
    dropped: list[dict[str, Any]] = []
    for residue in chains:
        kept = {atom.name for atom in residue.heavy_atoms}
        names = [atom.name for atom in deposited[residue.key].heavy_atoms if atom.name not in kept]
        if names:
            dropped.append(residue.reference() | {"atoms": names})
    return dropped


_EXCHANGED = {"ASN": ("OD1", "ND2"), "GLN": ("OE1", "NE2"), "HIS": ("ND1", "CD2")}


def _is_flip(residue: Residue, before: dict[str, tuple[float, float, float]]) -> bool:
    """Whether two ends of a flat group stand about where the other one stood."""
    pair = _EXCHANGED.get(residue.name)
    if pair is None or not all(name in before for name in pair):
        return False
    one, other = residue.atom(pair[0]), residue.atom(pair[1])
    if one is None or other is None:
        return False
    crossed = math.dist(one.position, before[pair[1]]) + math.dist(other.position, before[pair[0]])
    straight = math.dist(one.position, before[pair[0]]) + math.dist(other.position, before[pair[1]])
    return crossed < straight


def _disulfides(chains: Sequence[Residue]) -> list[list[dict[str, Any]]]:
    cysteines = [residue for residue in chains if residue.name == "CYS"]
    return [
        [contact.first.reference(), contact.second.reference()]
        for contact in close_contacts(cysteines)
        if {contact.first_atom.name, contact.second_atom.name} == {"SG"}
    ]


def _states(chains: Sequence[Residue], spec: SessionSpec) -> list[dict[str, Any]]:
    fixed = {
        (state["chain"], state["residue"], state["insertionCode"].strip()): state
        for state in spec["preparation"]["fixedProtonationStates"]
    }
    states: list[dict[str, Any]] = []
    for residue in chains:
        state = state_of(residue)
        own = fixed.get(residue.key)
        if state is not None:
            # A cysteine without a hydrogen may be in a disulfide or at a metal; a fixed one is charged.
            told = own["state"] if own is not None and residue.name == "CYS" else state
            row: dict[str, Any] = residue.reference() | {"state": told, "isFixed": own is not None}
            if own is not None and own["reason"]:
                row["reason"] = own["reason"]
            states.append(row)
    return states
