"""From a structure file to what docking needs: the prepared receptor, its report, the box, the reference.

The order is fixed: read; model, assembly, chains, alternative locations; box and native ligand; components;
clashes; protonation; types. The prepared files depend on receptor and preparation only, so a cached copy
replaces the slow half. The box, the native ligand and what is near the box are always taken from the source.
"""

import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dockyard_science.box import Point, check_box, count_heavy_atoms, make_box
from dockyard_science.ccd import Ccd
from dockyard_science.components import Components, split_components
from dockyard_science.contacts import refuse_clashes
from dockyard_science.faults import SideChainError
from dockyard_science.fixed_states import check_fixed
from dockyard_science.flexible import check_flexible, flexible_keys, flexible_rows, refuse_outside
from dockyard_science.histidine_report import ambiguous_warnings, histidine_rows
from dockyard_science.hydrogens import Parts, hydrogenate
from dockyard_science.linked_templates import LinkedTemplates, linked_templates
from dockyard_science.metal_types import metal_type_warnings
from dockyard_science.model_confidence import low_confidence_warnings
from dockyard_science.molecules import refuse_torn
from dockyard_science.native import find_native, native_molecule, write_native
from dockyard_science.renamed_residues import ReadReceptor, read_receptor, with_states
from dockyard_science.repair import (
    Repairs,
    box_built_warnings,
    box_repair_warnings,
    refuse_near,
    repair_warnings,
    told_repairs,
)
from dockyard_science.report import Prepared, build_report, prepared_receptor
from dockyard_science.residue_names import with_places
from dockyard_science.spec import Box, CachedReceptor, FixedProtonationState, SessionSpec
from dockyard_science.state_warnings import lacking_warnings, retyped_warnings
from dockyard_science.stretches import end_remarks, without_inner_ends
from dockyard_science.surroundings import (
    box_report,
    broken_bond_warnings,
    cofactor_warnings,
    nearby_removed,
    occupied_warnings,
    overlap_warnings,
)
from dockyard_science.templates import check_components
from dockyard_science.typing_meeko import type_receptor
from dockyard_science.waters import named_as_water, named_ligand, water_warnings, waters_within
from dockyard_session.canonical import sha256_file, write_json
from dockyard_session.errors import ScienceError, one_line
from dockyard_session.tool import Output, Progress, TaskResult, TaskWarning
from dockyard_session.toolchain import Toolchain
from dockyard_structures.atoms import chain_letters, write_pdb
from dockyard_structures.selection import Selection, select

_PDB = Output(
    path="receptor/prepared.pdb", kind="prepared_receptor", mediaType="chemical/x-pdb", format="pdb"
)
_PDBQT = Output(
    path="receptor/prepared.pdbqt", kind="prepared_receptor", mediaType="chemical/x-pdbqt", format="pdbqt"
)
_FLEXIBLE = Output(
    path="receptor/flexible.pdbqt", kind="prepared_receptor", mediaType="chemical/x-pdbqt", format="pdbqt"
)
_REPORT = Output(
    path="receptor/preparation.json", kind="preparation_report", mediaType="application/json", format="json"
)
_BOX = Output(path="box.json", kind="box", mediaType="application/json", format="json")
_NATIVE = Output(
    path="control/native_reference.sdf", kind="control", mediaType="chemical/x-mdl-sdfile", format="sdf"
)
_MOST_WARNINGS = 20
_WARNING_CHARACTERS = 300


def prepare(
    source: Path,
    spec: SessionSpec,
    out: Path,
    *,
    cached: CachedReceptor | None,
    ccd: Ccd,
    toolchain: Toolchain,
    progress: Progress,
) -> TaskResult:
    """Prepare the receptor in `source` and write everything below `out`; the outputs and the summary.

    With `cached` files of the same cache key pdb2pqr and Meeko are skipped. Raises ScienceError with a
    receptor, pocket or native-reference code.
    """
    started = time.monotonic()
    read = read_receptor(source, ccd)
    selection = select(read.source.structure, spec["receptor"])
    spec = with_places(selection.model, spec)
    box = make_box(selection.model, spec["box"])
    is_flexible = bool(flexible_keys(spec["preparation"]))
    outputs = [_PDB, _PDBQT, *([_FLEXIBLE] if is_flexible else []), _REPORT, _BOX]
    if spec["nativeReference"] is not None:
        native = find_native(selection.model, spec["nativeReference"])
        _write(out, _NATIVE, write_native(native_molecule(native, ccd), native))
        outputs = [*outputs, _NATIVE]
    ligand = named_ligand(selection.model, spec)
    waters = waters_within(selection.model, spec["preparation"], box, ligand)
    components = split_components(selection.model, spec["preparation"], waters)
    check_flexible(components, spec["preparation"], box)
    progress(10)
    report, stale = _use_cached(cached, spec, toolchain, out)
    is_hit = report is not None
    if report is None:
        parts = _Parts(read, selection, components)
        report = _prepare_repaired(parts, _Setting(spec, out, ccd, toolchain, progress), box)
    else:
        refuse_near(report["repairs"], components.polymer, box, spec["preparation"])
    if is_flexible:
        refuse_outside(report["flexibleResidues"], (out / _FLEXIBLE["path"]).read_text("utf-8"), box)
    progress(95)
    places = _places(out / _PDB["path"])
    inside = count_heavy_atoms(places.values(), box)
    nearby = nearby_removed(components.removed, box, spec)
    warnings = [
        *stale,
        *low_confidence_warnings(read.confidence, components.polymer, box),
        *box_repair_warnings(report["repairs"], components.polymer, box),
        *box_built_warnings(report, places, box),
        *report["warnings"],
        *check_box(box, inside),
        *occupied_warnings(components, box, spec),
        *cofactor_warnings(nearby),
        *water_warnings(components, box, ligand),
        *ambiguous_warnings(report["histidines"], box),
    ]
    write_json(out / _BOX["path"], box_report(box, inside, nearby))
    progress(100)
    block = prepared_receptor(spec, toolchain)
    summary = {
        "box": {**box, "receptorHeavyAtoms": inside},
        "receptor": {
            "cacheKey": block["cacheKey"],
            "cacheHit": is_hit,
            "toolchainSha256": toolchain.sha256,
            "method": spec["preparation"]["protonationMethod"],
            "chains": selection.chains,
            "heavyAtoms": report["heavyAtoms"],
            "seconds": round(time.monotonic() - started, 3),
        },
        "warnings": _shown(warnings),
    }
    return outputs, summary


@dataclass(frozen=True)
class _Parts:
    """What was read, selected and split."""

    read: ReadReceptor
    selection: Selection
    components: Components


@dataclass(frozen=True)
class _Setting:
    """With what and to where it is prepared."""

    spec: SessionSpec
    out: Path
    ccd: Ccd
    toolchain: Toolchain
    progress: Progress


def _prepare_repaired(parts: _Parts, setting: _Setting, box: Box) -> dict[str, Any]:
    """Prepare, again with other side chains as long as some are to blame that are far from the box; the report."""
    preparation = setting.spec["preparation"]
    check_components([named_as_water(residue) for residue in parts.components.retained], setting.ccd)
    repairs = Repairs.of(parts.components.polymer, preparation)
    is_told = True
    while True:
        told = parts.read.told_states(repairs.changed, preparation) if is_told else []
        try:
            linked = linked_templates(repairs.changed, preparation, setting.ccd)
            return _prepare_anew(parts, setting, linked, repairs, told)
        except SideChainError as fault:
            repairs.add(fault)
            refuse_near(repairs.rows, parts.components.polymer, box, preparation)
        except ScienceError as error:
            # Nobody has asked for the states that hydrogens tell, so where one cannot be, none is insisted on.
            if error.code != "PROTONATION_FAILED" or not told:
                raise
            is_told = False


def _prepare_anew(
    parts: _Parts,
    setting: _Setting,
    linked: LinkedTemplates,
    repairs: Repairs,
    told: Sequence[FixedProtonationState],
) -> dict[str, Any]:
    """Protonate, type and write, with the states that hydrogens told beside those that are asked for; the report."""
    polymer = without_inner_ends(repairs.changed)
    retained = [named_as_water(residue) for residue in parts.components.retained]
    preparation = with_states(setting.spec["preparation"], told)
    letters = chain_letters(residue.chain for residue in [*polymer, *retained])
    repairs.refuse_doubled(parts.selection.doubled)
    refuse_clashes([*polymer, *retained])
    refuse_torn(polymer, setting.ccd)
    made = hydrogenate(Parts(polymer, retained, letters, setting.ccd, linked.names), preparation)
    repairs.refuse_overlaps([*made.protonated.residues, *retained])
    setting.progress(50)
    templates = made.templates | linked.names
    flexible = flexible_keys(preparation)
    typed = type_receptor([*made.chains, *made.retained], letters, setting.ccd, templates, flexible)
    check_fixed(typed.residues, made.fixed, "a retained metal is bound there, or no template has that state")
    setting.progress(85)
    # Retained components, what is linked, and Meeko's own method get all their hydrogens from templates: no news.
    own = {each.label for each in polymer if preparation["protonationMethod"] != "meeko" and not each.linked}
    retyped = {label: template for label, template in typed.changed.items() if label in own}
    repaired = told_repairs(repairs.rows, parts.components.polymer, typed.residues)
    prepared = Prepared(
        source=parts.read.source,
        renamed=parts.read.renamed,
        selection=parts.selection,
        components=parts.components,
        letters=letters,
        residues=typed.residues,
        pka=made.protonated.pka,
        remarks=[
            *parts.read.source.remarks,
            *parts.selection.remarks,
            *made.protonated.remarks,
            *end_remarks(typed.residues),
        ],
        retyped=retyped,
        metal_sites=made.metal_sites,
        repairs=repaired,
        histidines=histidine_rows(typed.residues, made.protonated.pka, preparation, made.deciders),
        flexible=flexible_rows(typed.residues, typed.flexible),
        warnings=[
            *parts.read.source.warnings,
            *parts.selection.warnings,
            *parts.components.warnings,
            *repair_warnings(repaired, parts.components.polymer),
            *broken_bond_warnings(parts.components),
            *overlap_warnings(replace(parts.components, polymer=repairs.changed)),
            *metal_type_warnings(retained),
            *linked.warnings,
            *retyped_warnings(retyped),
            *lacking_warnings(made.protonated.lacking),
        ],
    )
    _write(setting.out, _PDB, write_pdb(typed.residues, letters, blank=True))
    _write(setting.out, _PDBQT, typed.pdbqt)
    if flexible:
        _write(setting.out, _FLEXIBLE, "".join(typed.flexible.values()))
    written = (_PDB, _PDBQT, *([_FLEXIBLE] if flexible else []))
    digests = {each["path"]: sha256_file(setting.out / each["path"]) for each in written}
    report = build_report(prepared, setting.spec, setting.toolchain, digests)
    write_json(setting.out / _REPORT["path"], report)
    return report


def _use_cached(
    cached: CachedReceptor | None, spec: SessionSpec, toolchain: Toolchain, out: Path
) -> tuple[dict[str, Any] | None, list[TaskWarning]]:
    """Copy the cached files where their key is this job's and return their report; else what to warn of."""
    if cached is None:
        return None, []
    files = [(cached.pdb, _PDB), (cached.pdbqt, _PDBQT), (cached.report, _REPORT)]
    if cached.flexible is not None:
        files.insert(2, (cached.flexible, _FLEXIBLE))
    try:
        report = json.loads(cached.report.read_text(encoding="utf-8"))
        digests = {file["path"]: file["sha256"] for file in report["files"]}
        is_same = report["preparedReceptor"]["cacheKey"] == prepared_receptor(spec, toolchain)["cacheKey"]
        is_whole = digests == {output["path"]: sha256_file(path) for path, output in files[:-1]}
    except (OSError, ValueError, KeyError, TypeError):
        is_same = is_whole = False
    if not (is_same and is_whole):
        message = "The cached receptor is not that of this job; the receptor was prepared anew."
        return None, [{"code": "PREPARED_RECEPTOR_STALE", "message": message}]
    for path, output in files:
        target = out / output["path"]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return report, []


def _places(pdb: Path) -> dict[tuple[str, int, str, str], Point]:
    """The heavy atoms of a prepared receptor by chain, number, insertion code and name: their places in angstrom."""
    lines = pdb.read_text(encoding="ascii").splitlines()
    return {
        (line[21], int(line[22:26]), line[26].strip(), line[12:16].strip()): (
            float(line[30:38]),
            float(line[38:46]),
            float(line[46:54]),
        )
        for line in lines
        if line.startswith(("ATOM", "HETATM")) and line[76:78].strip() not in {"H", "D"}
    }


def _shown(warnings: list[TaskWarning]) -> list[TaskWarning]:
    shown = [
        TaskWarning(code=each["code"], message=one_line(each["message"], _WARNING_CHARACTERS))
        for each in warnings
    ]
    return shown[:_MOST_WARNINGS]


def _write(out: Path, output: Output, text: str) -> None:
    target = out / output["path"]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
