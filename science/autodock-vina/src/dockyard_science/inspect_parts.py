"""What a structure consists of, for the report of an inspection: models, assemblies, chains, components, waters.

Everything is told of the atoms that a docking with the same selection would start from, but models, assemblies and the
list of all chains, which are the file's. A box is made by docking's own rule, so it is the one that a job gets.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import gemmi
import numpy as np
from scipy.spatial import cKDTree

from dockyard_science.box import check_box, count_heavy_atoms, make_box
from dockyard_science.ccd import Ccd
from dockyard_science.contacts import is_metal
from dockyard_science.inspect_kinds import LIGAND_LIKE, kind_of
from dockyard_science.report import find_gaps
from dockyard_science.spec import Box
from dockyard_science.templates import check_components
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Atom, Residue, residue_of
from dockyard_structures.residues import AMINO_ACIDS, NUCLEOTIDES, STATE_NAMES, is_polymer_name, is_water
from dockyard_structures.selection import Selection

#: A water this near to a heavy atom of a ligand is reported.
WATER_ANGSTROM = 4.0

#: A polar atom this near to a water's oxygen can hold the water by a hydrogen bond.
CONTACT_ANGSTROM = 3.5

#: The most rows of one list of a report; further rows are only counted.
MOST_ROWS = 500

_POLAR = frozenset({"N", "O", "S", "F"})


def residues_of(model: gemmi.Model) -> list[Residue]:
    """Every residue of a model, chain by chain."""
    return [residue_of(chain.name, residue) for chain in model for residue in chain]


def is_component(residue: Residue) -> bool:
    """Whether a residue is a component: by its name neither a residue of a chain nor water."""
    name = STATE_NAMES.get(residue.deposited_name, residue.deposited_name)
    return not is_water(residue.deposited_name) and (residue.hetero or not is_polymer_name(name))


def models_of(structure: gemmi.Structure) -> list[int]:
    """The numbers of the models in the file."""
    return [int(model.num) for model in structure]


def assemblies_of(structure: gemmi.Structure) -> list[dict[str, Any]]:
    """The biological assemblies that the file describes, with how many copies each makes of what."""
    return [
        {
            "id": assembly.name,
            "operators": sum(len(generator.operators) for generator in assembly.generators),
            "chains": sorted({chain for generator in assembly.generators for chain in generator.chains}),
        }
        for assembly in structure.assemblies
    ]


def chains_of(model: gemmi.Model) -> list[dict[str, Any]]:
    """Each chain of a model: its residues by sort, its ends and the gaps between them."""
    return [_chain(chain.name, [residue_of(chain.name, residue) for residue in chain]) for chain in model]


def _chain(name: str, residues: Sequence[Residue]) -> dict[str, Any]:
    polymer = [residue for residue in residues if _is_polymer(residue)]
    waters = sum(is_water(residue.deposited_name) for residue in residues)
    amino = sum(_standard(residue) in AMINO_ACIDS for residue in polymer)
    nucleic = sum(_standard(residue) in NUCLEOTIDES for residue in polymer)
    kind = "mixed" if amino and nucleic else "protein" if amino else "nucleic" if nucleic else None
    return {
        "id": name,
        "polymer": kind,
        "residues": len(polymer),
        "first": polymer[0].reference() if polymer else None,
        "last": polymer[-1].reference() if polymer else None,
        "gaps": find_gaps(polymer)[:MOST_ROWS],
        "components": sum(is_component(residue) for residue in residues),
        "waters": waters,
    }


def _standard(residue: Residue) -> str:
    return STATE_NAMES.get(residue.deposited_name, residue.deposited_name)


def _is_polymer(residue: Residue) -> bool:
    """Whether a residue belongs to a chain, by its name and its backbone; modified residues do."""
    if is_water(residue.deposited_name):
        return False
    if is_polymer_name(_standard(residue)):
        return not residue.hetero
    return all(residue.atom(name) for name in ("N", "CA", "C")) or all(
        residue.atom(name) for name in ("P", "O3'", "C1'")
    )


def component_rows(
    selection: Selection,
    components: Sequence[Residue],
    kept: set[int],
    polymer: Sequence[Residue],
    ccd: Ccd,
) -> list[dict[str, Any]]:
    """A row for each component: what it is, where, whether it stays, what stands against keeping it, its box.

    `kept` holds the ids (of the objects) of those that a preparation without any wish would retain.
    """
    copies = Counter(residue.deposited_name.upper() for residue in components)
    heavy = [atom.position for residue in polymer for atom in residue.heavy_atoms]
    rows: list[dict[str, Any]] = []
    for residue in components[:MOST_ROWS]:
        atoms = residue.heavy_atoms
        kind = kind_of(residue)
        row: dict[str, Any] = residue.reference() | {
            "kind": kind,
            "name": ccd.name(residue.deposited_name.upper()),
            "heavyAtoms": len(atoms),
            "copies": copies[residue.deposited_name.upper()],
            "centerAngstrom": _middle(atoms),
            "keptByDefault": id(residue) in kept,
            "againstKeeping": _against_keeping(residue, ccd),
        }
        rows.append(row | (_boxed(selection, residue, heavy) if kind in LIGAND_LIKE else {}))
    return rows


def _middle(atoms: Sequence[Atom]) -> list[float] | None:
    if not atoms:
        return None
    axes = zip(*(atom.position for atom in atoms), strict=True)
    return [round((max(axis) + min(axis)) / 2, 3) for axis in axes]


def _against_keeping(residue: Residue, ccd: Ccd) -> dict[str, str] | None:
    """The refusal that `retainComponents` with this component would meet, or None."""
    try:
        check_components([residue], ccd)
    except ScienceError as error:
        return {"code": error.code, "message": error.message}
    return None


def _boxed(
    selection: Selection, residue: Residue, heavy: Sequence[tuple[float, float, float]]
) -> dict[str, Any]:
    """The box that docking makes around this copy, the receptor's atoms in the box, and the warnings about the box."""
    wanted = {"componentId": residue.deposited_name, "chain": residue.chain, "residue": residue.number}
    try:
        box: Box = make_box(
            selection.model,
            {"ligand": wanted, "centerAngstrom": None, "sizeAngstrom": None, "residues": None},  # type: ignore[typeddict-item]
        )
        inside = count_heavy_atoms(heavy, box)
        warnings = check_box(box, inside)
    except ScienceError as error:
        return {"box": None, "boxRefusal": {"code": error.code, "message": error.message}}
    return {
        "box": {
            "centerAngstrom": box["centerAngstrom"],
            "sizeAngstrom": box["sizeAngstrom"],
            "receptorHeavyAtoms": inside,
            "warnings": warnings,
        }
    }


def water_rows(
    waters: Sequence[Residue], components: Sequence[Residue], polymer: Sequence[Residue]
) -> list[dict[str, Any]]:
    """The waters at ligands and cofactors, with the polar atoms and metals that can hold them, nearest first."""
    ligands = [residue for residue in components if kind_of(residue) in LIGAND_LIKE]
    places = [(residue, atom) for residue in ligands for atom in residue.heavy_atoms]
    holders = [
        (residue, atom)
        for residue in [*polymer, *components, *waters]
        for atom in residue.heavy_atoms
        if atom.element in _POLAR or is_metal(atom.element)
    ]
    if not places or not waters:
        return []
    near = cKDTree(np.array([atom.position for _, atom in places]))
    around = cKDTree(np.array([atom.position for _, atom in holders]))
    rows: list[dict[str, Any]] = []
    for water in waters:
        oxygen = next((atom for atom in water.heavy_atoms if atom.element == "O"), None)
        if oxygen is None:
            continue
        distance, index = near.query(oxygen.position)
        if distance > WATER_ANGSTROM:
            continue
        found = [holders[each] for each in around.query_ball_point(oxygen.position, CONTACT_ANGSTROM)]
        contacts = [_contact(oxygen, holder, atom) for holder, atom in found if holder is not water]
        rows.append(
            water.reference()
            | {
                "ligand": places[int(index)][0].reference(),
                "distanceAngstrom": round(float(distance), 2),
                "contacts": sorted(contacts, key=lambda row: (row["distanceAngstrom"], row["chain"])),
            }
        )
    return rows[:MOST_ROWS]


def _contact(oxygen: Atom, holder: Residue, atom: Atom) -> dict[str, Any]:
    distance = math.dist(oxygen.position, atom.position)
    return holder.reference() | {"atom": atom.name, "distanceAngstrom": round(distance, 2)}
