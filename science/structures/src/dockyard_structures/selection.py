"""Which atoms of a file are the receptor's: model, then assembly, then chains, then one place for each atom.

Chains go by their author ids. Copies that an assembly makes of chain A are called A, A-2, A-3, in the order of
its operators. Nothing is removed by kind here: the box is taken from what this returns.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import gemmi

from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning
from dockyard_structures.alternatives import letter_alternatives
from dockyard_structures.bond_order import put_in_order_of_bonds
from dockyard_structures.residues import (
    AMINO_ACIDS,
    BACKBONE,
    insertion_code,
    is_polymer_name,
    label,
    short_list,
)
from dockyard_structures.shared_places import drop_copies_on_axes
from dockyard_structures.spec import ReceptorSpec

#: Assembly ids that stand for the model as deposited.
AS_DEPOSITED = frozenset({"asymmetric", "deposited"})

#: The advice where the names of residues do not tell two molecules apart.
SAME_NUMBERS = "Molecules that count their residues alike need chain ids of their own."

# Coordinates have three decimals.
_SAME_PLACE_ANGSTROM = 0.002


@dataclass(frozen=True)
class Doubled:
    """A residue with side-chain atoms in two places, of which the first is kept."""

    chain: str
    number: int
    insertion_code: str
    atoms: frozenset[str]
    message: str


@dataclass
class Selection:
    """One model of the selected chains without alternative places; `chains` in their order in the file."""

    model: gemmi.Model
    chains: list[str]
    assembly: dict[str, Any]
    altlocs: list[dict[str, Any]] = field(default_factory=list)
    hydrogens_removed: int = 0
    doubled: list["Doubled"] = field(default_factory=list)
    warnings: list[TaskWarning] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def select(structure: gemmi.Structure, spec: ReceptorSpec) -> Selection:
    """Select model, assembly and chains, and one of each set of alternative locations.

    Raises RECEPTOR_MODEL_NOT_FOUND, RECEPTOR_ASSEMBLY_NOT_FOUND, RECEPTOR_CHAIN_NOT_FOUND or RECEPTOR_EMPTY.
    """
    deposited = _model(structure, spec["model"])
    model, assembly, warnings = _assembly(structure, deposited, spec["assemblyId"])
    remarks = drop_copies_on_axes(model, assembly)
    chains = _keep_chains(model, spec["chains"], deposited)
    selection = Selection(model, chains, assembly, warnings=warnings)
    selection.remarks = [*remarks, *letter_alternatives(model)]
    selection.altlocs = _choose_altlocs(model)
    selection.hydrogens_removed = _remove_hydrogens(model)
    selection.doubled = _drop_doubles(model)
    selection.remarks += put_in_order_of_bonds(model)
    if not any(len(residue) for chain in model for residue in chain):
        raise ScienceError("RECEPTOR_EMPTY", "The selection holds no heavy atoms.")
    return selection


def _model(structure: gemmi.Structure, number: int) -> gemmi.Model:
    for model in structure:
        if model.num == number:
            return model.clone()
    if number == 1 and len(structure) == 1 and structure[0].num == 0:
        # Programs that count from 0 write the only frame of a file as model 0.
        return structure[0].clone()
    present = short_list(str(model.num) for model in structure)
    raise ScienceError("RECEPTOR_MODEL_NOT_FOUND", f"The file has no model {number}, it has {present}.")


def _assembly(
    structure: gemmi.Structure, model: gemmi.Model, name: str
) -> tuple[gemmi.Model, dict[str, Any], list[TaskWarning]]:
    assemblies = {assembly.name: assembly for assembly in structure.assemblies}
    if name in AS_DEPOSITED:
        return model.clone(), {"id": name, "note": "the model as it is in the file"}, []
    if not assemblies and name == "1":
        note = "the file describes no assemblies: the model as it is"
        return model.clone(), {"id": "1", "note": note}, []
    if name not in assemblies:
        present = f"it has {short_list(assemblies)}" if assemblies else "it describes none"
        message = f"The file has no assembly {name}, {present}; 'asymmetric' takes the model as it is."
        raise ScienceError("RECEPTOR_ASSEMBLY_NOT_FOUND", message)
    built, assembly = _build_assembly(model, assemblies[name])
    return (built, assembly, []) if len(built) else _without_assembly(model, name)


def _without_assembly(model: gemmi.Model, name: str) -> tuple[gemmi.Model, dict[str, Any], list[TaskWarning]]:
    """The model as it is where the file has no chain of its first assembly: a program kept another part of the entry.

    Raises RECEPTOR_ASSEMBLY_NOT_FOUND for any other assembly, which somebody has asked for.
    """
    present = short_list(chain.name for chain in model)
    absent = f"The file describes assembly {name}, but has none of its chains; it has {present}"
    if name != "1":
        raise ScienceError("RECEPTOR_ASSEMBLY_NOT_FOUND", f"{absent}. 'asymmetric' takes the model as it is.")
    warning = TaskWarning(
        code="RECEPTOR_ATOMS_FEWER_THAN_DECLARED", message=f"{absent}: the model was taken as it is."
    )
    return model.clone(), {"id": "1", "note": "the file has no chain of it: the model as it is"}, [warning]


def _build_assembly(model: gemmi.Model, assembly: gemmi.Assembly) -> tuple[gemmi.Model, dict[str, Any]]:
    """Copy each chain once for each operator; a chain's parts under one operator stay together."""
    copies: dict[tuple[str, str], gemmi.Chain] = {}
    numbers: dict[str, int] = defaultdict(int)
    operators: list[dict[str, Any]] = []
    for generator in assembly.generators:
        for operator in generator.operators:
            for chain in model:
                residues = [r for r in chain if r.subchain in generator.subchains]
                if not residues and chain.name in generator.chains:
                    residues = list(chain)
                if not residues:
                    continue
                key = (chain.name, _operator_key(operator.transform))
                if key not in copies:
                    numbers[chain.name] += 1
                    copies[key] = gemmi.Chain(_copy_name(chain.name, numbers[chain.name]))
                    identity = operator.transform.is_identity()
                    operators.append({"chain": copies[key].name, "from": chain.name, "identity": identity})
                _add_copies(copies[key], residues, operator.transform)
    built = gemmi.Model(model.num)
    for chain in copies.values():
        built.add_chain(chain)
    return built, {"id": assembly.name, "chains": operators}


def _operator_key(transform: gemmi.Transform) -> str:
    numbers = [value for row in transform.mat.tolist() for value in row] + transform.vec.tolist()
    return " ".join(f"{number:.4f}" for number in numbers)


def _copy_name(chain: str, number: int) -> str:
    return chain if number == 1 else f"{chain}-{number}"


def _add_copies(chain: gemmi.Chain, residues: list[gemmi.Residue], transform: gemmi.Transform) -> None:
    for residue in residues:
        copy = residue.clone()
        if not transform.is_identity():
            for atom in copy:
                atom.pos = gemmi.Position(transform.apply(atom.pos))
        chain.add_residue(copy)


def _keep_chains(model: gemmi.Model, wanted: list[str] | None, deposited: gemmi.Model) -> list[str]:
    present = [chain.name for chain in model]
    if wanted is None:
        return present
    missing = [name for name in wanted if name not in present]
    if missing:
        message = f"The receptor has no chain {short_list(missing)}, it has {short_list(present)}."
        if all(name in {chain.name for chain in deposited} for name in missing):
            message += " The file has it outside the chosen assembly."
        raise ScienceError("RECEPTOR_CHAIN_NOT_FOUND", message)
    for name in present:
        if name not in wanted:
            model.remove_chain(name)
    return [chain.name for chain in model]


def _choose_altlocs(model: gemmi.Model) -> list[dict[str, Any]]:
    """Keep of each residue the place of highest occupancy, of equal ones the first; say which it was."""
    chosen: list[dict[str, Any]] = []
    for chain in model:
        _choose_residues(chain, chosen)
        for residue in chain:
            labels = _occupancies(residue)
            if not labels:
                continue
            best = max(labels, key=lambda name: labels[name])
            _keep_altloc(residue, best)
            chosen.append(_choice(chain, residue, best, labels))
    return chosen


def _choose_residues(chain: gemmi.Chain, chosen: list[dict[str, Any]]) -> None:
    """Where one place is shared by residues of different kinds, keep the one of highest occupancy."""
    places: dict[str, list[gemmi.Residue]] = defaultdict(list)
    for residue in chain:
        places[str(residue.seqid)].append(residue)
    losers: set[tuple[str, str]] = set()
    for place, residues in places.items():
        if len(residues) < 2 or not all(_occupancies(residue) for residue in residues):
            continue
        best = max(residues, key=lambda each: max(_occupancies(each).values()))
        for residue in residues:
            if residue.name != best.name:
                losers.add((place, residue.name))
        labels = {each.name: max(_occupancies(each).values()) for each in residues}
        chosen.append(_choice(chain, best, best.name, labels))
    for index in reversed(range(len(chain))):
        if (str(chain[index].seqid), chain[index].name) in losers:
            del chain[index]


def _occupancies(residue: gemmi.Residue) -> dict[str, float]:
    """Mean occupancy of each alternative location by its label, in the order of the file."""
    values: dict[str, list[float]] = {}
    for atom in residue:
        if atom.has_altloc():
            values.setdefault(atom.altloc, []).append(atom.occ)
    return {name: round(sum(each) / len(each), 4) for name, each in values.items()}


def _keep_altloc(residue: gemmi.Residue, best: str) -> None:
    """Keep the chosen places; of an atom without a chosen place keep the place of highest occupancy."""
    kept: dict[str, gemmi.Atom] = {}
    for atom in residue:
        now = kept.get(atom.name)
        if now is None or _rank(atom, best) > _rank(now, best):
            kept[atom.name] = atom
    serials = {(atom.name, atom.altloc) for atom in kept.values()}
    for index in reversed(range(len(residue))):
        atom = residue[index]
        if (atom.name, atom.altloc) not in serials:
            del residue[index]
    for atom in residue:
        atom.altloc = "\0"


def _rank(atom: gemmi.Atom, best: str) -> tuple[bool, bool, float]:
    return (not atom.has_altloc(), atom.altloc == best, atom.occ)


def _choice(
    chain: gemmi.Chain, residue: gemmi.Residue, best: str, labels: dict[str, float]
) -> dict[str, Any]:
    return {
        "chain": chain.name,
        "residue": residue.seqid.num,
        "insertionCode": insertion_code(residue),
        "residueName": residue.name,
        "chosen": best,
        "occupancies": labels,
    }


def _drop_doubles(model: gemmi.Model) -> list[Doubled]:
    """Drop an atom that is written twice; the residues of chains that have one of a side chain in two places.

    Raises RECEPTOR_UNREADABLE where it is one of the backbone.
    """
    doubled: list[Doubled] = []
    for chain in model:
        for residue in chain:
            seen: dict[str, gemmi.Position] = {}
            doubles: list[int] = []
            elsewhere: list[str] = []
            for index, atom in enumerate(residue):
                first = seen.setdefault(atom.name, atom.pos)
                if len(seen) + len(doubles) == index + 1:
                    continue
                doubles.append(index)
                if first.dist(atom.pos) > _SAME_PLACE_ANGSTROM:
                    elsewhere.append(atom.name)
            if is_polymer_name(residue.name):
                if elsewhere:
                    doubled.append(_doubled(chain, residue, elsewhere))
                for index in reversed(doubles):
                    del residue[index]
    return doubled


def _doubled(chain: gemmi.Chain, residue: gemmi.Residue, names: list[str]) -> Doubled:
    name = next((each for each in names if each in BACKBONE), names[0])
    message = f"{label(chain.name, residue)} has two atoms called {name}. {SAME_NUMBERS}"
    if name in BACKBONE or residue.name not in AMINO_ACIDS or residue.seqid.num is None:
        raise ScienceError("RECEPTOR_UNREADABLE", message)
    return Doubled(chain.name, residue.seqid.num, insertion_code(residue), frozenset(names), message)


def _remove_hydrogens(model: gemmi.Model) -> int:
    before = model.count_atom_sites()
    model.remove_hydrogens()
    return int(before - model.count_atom_sites())
