"""The report of an inspection: all that a preparation would meet in a receptor, before a job is paid for.

It holds no time, host or id, so the same file, selection and toolchain give the same bytes.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gemmi

from dockyard_science.ccd import Ccd
from dockyard_science.contacts import is_metal
from dockyard_science.inspect_checks import Checked, run_checks
from dockyard_science.inspect_kinds import LIGAND_LIKE, kind_of
from dockyard_science.inspect_order import b_factors, fusion_partners
from dockyard_science.inspect_parts import (
    MOST_ROWS,
    assemblies_of,
    chains_of,
    component_rows,
    is_component,
    models_of,
    residues_of,
    water_rows,
)
from dockyard_science.inspect_pockets import find_pockets
from dockyard_science.protonation import state_of
from dockyard_science.renamed_residues import read_receptor
from dockyard_science.spec import InspectSpec
from dockyard_science.surroundings import broken_bond_warnings, overlap_warnings
from dockyard_session.canonical import sha256_file
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning
from dockyard_session.toolchain import Toolchain
from dockyard_structures.atoms import Residue
from dockyard_structures.residues import is_water
from dockyard_structures.selection import Selection, select
from dockyard_structures.spec import ReceptorSpec
from dockyard_structures.structure import SourceStructure

INSPECTION_SCHEMA = "dockyard.docking.inspection/v1"

#: A histidine whose pKa is this near to the pH has both states.
NEAR_PH = 1.0

#: A histidine this near to a ligand, cofactor or metal is reported, whatever its pKa is.
NEAR_COMPONENT_ANGSTROM = 4.5


def inspect(
    source: Path, spec: InspectSpec, *, ccd: Ccd, toolchain: Toolchain, progress: Callable[[float], None]
) -> dict[str, Any]:
    """Inspect the receptor in `source`.

    Raises RECEPTOR_UNREADABLE for what is no structure, and RECEPTOR_EMPTY where it holds no heavy atom.
    """
    read = read_receptor(source, ccd)
    structure = read.source
    selection, refused = _select(structure, spec["receptor"])
    progress(5)
    checked = run_checks(structure, selection, spec["preparation"], ccd, progress=progress)
    if refused is not None:
        checked.refusals.insert(0, refused)
    residues = residues_of(selection.model)
    polymer = checked.components.polymer
    in_chain = {residue.key for residue in polymer}
    modified = {(row["chain"], row["residue"], row["insertionCode"]) for row in checked.modified}
    components = [each for each in residues if is_component(each) and each.key not in in_chain | modified]
    waters = [residue for residue in residues if is_water(residue.deposited_name)]
    kept_keys = {(residue.key, residue.deposited_name) for residue in checked.components.retained}
    kept = {id(each) for each in components if (each.key, each.deposited_name) in kept_keys}
    pockets = find_pockets(polymer)
    progress(90)
    return {
        "schema": INSPECTION_SCHEMA,
        "receptor": {
            "sha256": sha256_file(source),
            "format": structure.format,
            "model": int(selection.model.num),
            "assembly": selection.assembly,
            "chains": selection.chains,
        },
        "preparation": dict(spec["preparation"]),
        "models": models_of(structure.structure),
        "assemblies": assemblies_of(structure.structure)[:MOST_ROWS],
        "chains": _chains(structure.structure, selection),
        "altlocs": {"count": len(selection.altlocs), "residues": selection.altlocs[:MOST_ROWS]},
        "pLDDT": None if read.confidence is None else read.confidence.report(),
        "bFactors": b_factors(selection.model, polymer) if read.confidence is None else None,
        "fusionPartners": fusion_partners(polymer, structure.structure)[:MOST_ROWS],
        "resolutionAngstrom": structure.structure.resolution or None,
        "hydrogensInFile": selection.hydrogens_removed,
        "modifiedResidues": checked.modified[:MOST_ROWS],
        "components": component_rows(selection, components, kept, polymer, ccd),
        "componentCount": len(components),
        "waters": {"count": len(waters), "atLigands": water_rows(waters, components, polymer)},
        "histidines": _histidines(checked, components, spec["preparation"]["protonationPh"]),
        "refusals": checked.refusals,
        "warnings": _warnings(checked, selection),
        "pockets": pockets,
        "versions": dict(toolchain.versions),
        "toolchainSha256": toolchain.sha256,
    }


def _select(structure: SourceStructure, wanted: ReceptorSpec) -> tuple[Selection, dict[str, Any] | None]:
    """The selection; where the selection is refused, the whole first model and the refusal."""
    try:
        return select(structure.structure, wanted), None
    except ScienceError as error:
        refused = {"code": error.code, "message": error.message, "names": []}
        number = int(structure.structure[0].num)
        whole: ReceptorSpec = {**wanted, "assemblyId": "asymmetric", "model": number, "chains": None}
        return select(structure.structure, whole), refused


def _chains(structure: gemmi.Structure, selection: Selection) -> list[dict[str, Any]]:
    """The chains of the selected atoms, then those of the deposited model that the selection leaves out."""
    chosen = [row | {"isSelected": True} for row in chains_of(selection.model)]
    names = {row["id"] for row in chosen}
    deposited = next((model for model in structure if model.num == selection.model.num), structure[0])
    left = [row | {"isSelected": False} for row in chains_of(deposited) if row["id"] not in names]
    return [*chosen, *left][:MOST_ROWS]


def _warnings(checked: Checked, selection: Selection) -> list[TaskWarning]:
    warnings = [
        *checked.warnings,
        *selection.warnings,
        *broken_bond_warnings(checked.components),
        *overlap_warnings(checked.components),
    ]
    return warnings[:MOST_ROWS]


def _histidines(checked: Checked, components: Sequence[Residue], ph: float) -> dict[str, Any]:
    """Histidines with two plausible states, and those at a ligand, cofactor or metal, which propka does not see."""
    pka = {
        (row["chain"], row["residue"], row["insertionCode"]): row["pKa"]
        for row in (checked.protonated.pka if checked.protonated else [])
        if row["group"] == "HIS"
    }
    states = {
        residue.key: state_of(residue)
        for residue in (checked.protonated.residues if checked.protonated else [])
    }
    notable = [
        each
        for each in components
        if kind_of(each) in LIGAND_LIKE or any(is_metal(atom.element) for atom in each.heavy_atoms)
    ]
    rows: list[dict[str, Any]] = []
    for residue in checked.components.polymer:
        if residue.name != "HIS":
            continue
        value = pka.get(residue.key)
        beside = _beside(residue, notable)
        is_near = value is not None and abs(value - ph) <= NEAR_PH
        if not (is_near or beside):
            continue
        reasons = ["PKA_NEAR_PH"] * is_near + ["AT_COMPONENT"] * bool(beside)
        row = residue.reference() | {"pKa": value, "state": states.get(residue.key)}
        rows.append(row | {"reasons": reasons, "beside": [each.reference() for each in beside]})
    method = "pdb2pqr-propka" if checked.protonated else None
    note = None
    if checked.is_protonation_skipped:
        note = "The receptor is too large to be protonated here: only histidines beside components are told."
    elif method is None:
        note = "The receptor could not be protonated: only histidines beside components are told."
    return {"method": method, "note": note, "residues": rows[:MOST_ROWS]}


def _beside(residue: Residue, notable: Sequence[Residue]) -> list[Residue]:
    nitrogens = [atom.position for atom in residue.heavy_atoms if atom.name in {"ND1", "NE2"}]
    return [
        each
        for each in notable
        if any(
            math.dist(place, atom.position) <= NEAR_COMPONENT_ANGSTROM
            for place in nitrogens
            for atom in each.heavy_atoms
        )
    ]
