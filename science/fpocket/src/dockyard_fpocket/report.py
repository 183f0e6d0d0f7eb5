"""`pockets.json` and `pockets.csv`: what was searched, what was found, and which code and program found it.

Neither has a host, a path or a time in it, so that equal input gives equal bytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from dockyard_fpocket.pockets import Pocket
from dockyard_fpocket.program import Pack
from dockyard_fpocket.selected import Owner, SelectedFile
from dockyard_fpocket.spec import FpocketSpec
from dockyard_session.tool import TaskWarning
from dockyard_session.toolchain import Toolchain
from dockyard_structures.selection import Selection

#: The format of pockets.json; one with another meaning gets another name.
SCHEMA = "dockyard.pockets.result/v1"

COLUMNS = (
    "rank",
    "score",
    "druggability_score",
    "volume_angstrom3",
    "alpha_spheres",
    "center_x",
    "center_y",
    "center_z",
    "box_center_x",
    "box_center_y",
    "box_center_z",
    "box_size_x",
    "box_size_y",
    "box_size_z",
    "residue_count",
    "residues",
)


def pocket_files(rank: int) -> tuple[str, str]:
    """The names of a pocket's files: the atoms that its spheres touch, and the spheres."""
    return f"pockets/pocket{rank}_atm.pdb", f"pockets/pocket{rank}_vert.pqr"


def report_of(
    spec: FpocketSpec,
    *,
    source_format: str,
    remarks: Sequence[str],
    selection: Selection,
    selected: SelectedFile,
    found: int,
    pockets: Sequence[Pocket],
    hetero: Sequence[Owner],
    clock_fixed: bool,
    files: Mapping[str, str],
    pack: Pack,
    toolchain: Toolchain,
    warnings: Sequence[TaskWarning],
) -> dict[str, Any]:
    """The whole of pockets.json; `files` are digests by name, `hetero` the components that counted to the structure."""
    receptor = spec["receptor"]
    return {
        "schema": SCHEMA,
        "receptor": {
            "source": receptor["source"],
            "sha256": receptor["sha256"],
            "format": source_format,
            "assembly": selection.assembly,
            "model": receptor["model"],
            "chains": selection.chains,
            "remarks": list(remarks),
        },
        "selected": {
            "atoms": len(selected.owners),
            "atomRecords": selected.atom_records,
            "hydrogensRemoved": selection.hydrogens_removed,
            "alternativeLocations": len(selection.altlocs),
            "renamedChains": selected.chains,
            "renamedComponents": selected.components,
            "componentsRead": [owner.reference() for owner in hetero],
        },
        "maxPockets": spec["maxPockets"],
        "pocketsFound": found,
        "clock": {"seed": spec["clockSeconds"], "fixed": clock_fixed},
        "pockets": [_pocket(pocket) for pocket in pockets],
        "files": dict(files),
        "warnings": list(warnings),
        "provenance": {
            "program": {
                "name": "fpocket",
                "version": pack.version,
                "packSha256": pack.digest,
                "packSource": pack.source,
            },
            "toolchain": {key: value for key, value in asdict(toolchain).items() if key != "cpu_class"},
            "cpuClass": toolchain.cpu_class,
        },
    }


def table_of(pockets: Sequence[Pocket]) -> str:
    """pockets.csv (RFC 4180): one line a pocket, the residues in the last cell."""
    lines = [COLUMNS, *(_row(pocket) for pocket in pockets)]
    return "".join(f"{','.join(line)}\r\n" for line in lines)


def summary_of(found: int, pockets: Sequence[Pocket], warnings: Sequence[TaskWarning]) -> dict[str, Any]:
    """What the task tells of itself: the pockets with their main numbers, and the first as plain numbers."""
    best = pockets[0].numbers if pockets else {}
    return {
        "pocketCount": len(pockets),
        "pocketsFound": found,
        "bestScore": best.get("score"),
        "bestDruggabilityScore": best.get("druggabilityScore"),
        "bestVolumeAngstrom3": best.get("volumeAngstrom3"),
        "pockets": [
            {
                "rank": pocket.rank,
                "score": pocket.numbers["score"],
                "druggabilityScore": pocket.numbers["druggabilityScore"],
                "volumeAngstrom3": pocket.numbers["volumeAngstrom3"],
                "centerAngstrom": pocket.center,
                "residueCount": len(pocket.residues),
            }
            for pocket in pockets
        ],
        "warnings": list(warnings),
    }


def _pocket(pocket: Pocket) -> dict[str, Any]:
    atoms, spheres = pocket_files(pocket.rank)
    return {
        "rank": pocket.rank,
        **pocket.numbers,
        "centerAngstrom": pocket.center,
        "box": pocket.box,
        "residues": [owner.reference() for owner in pocket.residues],
        "alphaSpheres": pocket.spheres,
        "files": {"atoms": atoms, "alphaSpheres": spheres},
    }


def _row(pocket: Pocket) -> tuple[str, ...]:
    numbers = [
        pocket.numbers["score"],
        pocket.numbers["druggabilityScore"],
        pocket.numbers["volumeAngstrom3"],
        pocket.numbers["alphaSphereCount"],
        *pocket.center,
        *pocket.box["centerAngstrom"],
        *pocket.box["sizeAngstrom"],
        len(pocket.residues),
    ]
    names = " ".join(_name(owner) for owner in pocket.residues)
    return (str(pocket.rank), *("" if value is None else str(value) for value in numbers), names)


def _name(owner: Owner) -> str:
    """A residue as `A:MET759`; signs that end a cell, or begin a formula, are written as `_`."""
    text = f"{owner.chain}:{owner.name}{owner.number}{owner.insertion_code}"
    safe = "".join("_" if each in '",\r\n \t' or not each.isprintable() else each for each in text)
    return f"_{safe[1:]}" if safe[0] in "=+-@" else safe
