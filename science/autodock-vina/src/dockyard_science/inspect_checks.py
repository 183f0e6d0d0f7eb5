"""Everything that a preparation would refuse of a receptor, not only the first of it.

The checks are those of the preparation itself, called one after another. What one of them refuses is noted, the
residues it is about are left out, and the next goes on with the rest. So what is told of a later step holds for a
receptor in which the earlier faults are mended by taking those residues away.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gemmi

from dockyard_science.ccd import Ccd
from dockyard_science.components import Components, split_components
from dockyard_science.contacts import close_contacts, is_expected, refuse_clashes
from dockyard_science.faults import SideChainError
from dockyard_science.hydrogens import Parts, hydrogenate
from dockyard_science.linked_templates import linked_templates
from dockyard_science.molecules import refuse_torn
from dockyard_science.protonation import Protonated, check_complete
from dockyard_science.repair import doubled_faults, repaired_beyond
from dockyard_science.spec import PreparationSpec
from dockyard_science.stretches import is_bonded, without_inner_ends
from dockyard_science.typing_meeko import type_receptor
from dockyard_science.waters import named_as_water
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Residue, ResidueKey, chain_letters, residue_of
from dockyard_structures.residues import STATE_NAMES, is_polymer_name, is_water, missing_heavy_atoms
from dockyard_structures.selection import Selection
from dockyard_structures.structure import SourceStructure

#: The most residues and pairs that one refusal names beside its message.
MOST_NAMED = 100

#: Above this number of atoms pdb2pqr takes minutes; then only what needs no protonation is reported.
MOST_PROTONATED_ATOMS = 20_000

_FRAME = frozenset({"N", "CA", "C"})


@dataclass
class Checked:
    """The refusals of the checks, and the residues with which the checks went on."""

    refusals: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[TaskWarning] = field(default_factory=list)
    modified: list[dict[str, Any]] = field(default_factory=list)
    components: Components = field(default_factory=Components)
    protonated: Protonated | None = None
    is_protonation_skipped: bool = False

    def refuse(self, error: ScienceError, names: Sequence[str] = ()) -> None:
        """Note a refusal with everything that it is about; the message itself may name a few only."""
        row: dict[str, Any] = {
            "code": error.code,
            "message": error.message,
            "names": list(names)[:MOST_NAMED],
        }
        if isinstance(error, SideChainError) and error.culprits:
            is_left_out = all(culprit.whole for culprit in error.culprits)
            row["repairedBeyondAngstrom"] = repaired_beyond(error.code, is_left_out=is_left_out)
        if row not in self.refusals:
            self.refusals.append(row)


def run_checks(
    source: SourceStructure,
    selection: Selection,
    preparation: PreparationSpec,
    ccd: Ccd,
    *,
    progress: Callable[[float], None],
) -> Checked:
    """Run every check of a preparation on a selected model."""
    checked = Checked(warnings=[*source.warnings])
    _split(checked, selection.model, preparation)
    for fault in doubled_faults(selection.doubled, checked.components.polymer):
        keys = {culprit.key for culprit in fault.culprits}
        checked.refuse(fault, [each.label for each in checked.components.polymer if each.key in keys])
    polymer, linked = _without_untemplated(checked, preparation, ccd)
    if not polymer:
        return checked
    retained = [named_as_water(residue) for residue in checked.components.retained]
    left = _without_clashes(checked, polymer, retained)
    left = _without_torn(checked, left, ccd)
    left = _without_incomplete(checked, left)
    progress(20)
    parts = Parts(left, retained, chain_letters(each.chain for each in [*left, *retained]), ccd, linked)
    _protonate_and_type(checked, parts, preparation, progress)
    return checked


def _without_untemplated(
    checked: Checked, preparation: PreparationSpec, ccd: Ccd
) -> tuple[list[Residue], dict[ResidueKey, str]]:
    """The chains without the caps and modified residues that no template can be made for, and the others' templates."""
    polymer = checked.components.polymer
    untemplated: set[str] = set()
    for name in sorted({residue.name for residue in polymer if residue.linked}):
        alone = [each for each in polymer if not each.linked or each.name == name]
        try:
            linked_templates(alone, preparation, ccd)
        except ScienceError as error:
            untemplated.add(name)
            checked.refuse(error, [each.label for each in alone if each.linked])
    gone = {each.key for each in polymer if each.linked and each.name in untemplated}
    for row in checked.modified:
        if (row["chain"], row["residue"], row["insertionCode"]) in gone:
            row |= {"outcome": "refused", "becomes": None}
    left = [each for each in polymer if each.key not in gone]
    made = linked_templates(left, preparation, ccd)
    checked.warnings += made.warnings
    return left, made.names


def _split(checked: Checked, model: gemmi.Model, preparation: PreparationSpec) -> None:
    """Components, with each modified residue that is refused taken away name by name."""
    names = _modified_names(model)
    refused: set[str] = set()
    for name in names:
        others = set(names) - {name}
        try:
            parts = split_components(_without(model, others), preparation)
            checked.modified += _modified_rows(model, name, parts)
        except ScienceError as error:
            rows = _modified_rows(model, name, None)
            checked.modified += rows
            if error.code == "RECEPTOR_UNKNOWN_COMPONENT":
                refused.add(name)
                checked.refuse(error, [_label(row) for row in rows])
    try:
        checked.components = split_components(_without(model, refused), preparation)
        checked.warnings += checked.components.warnings
    except ScienceError as error:
        checked.refuse(error)


def _modified_names(model: gemmi.Model) -> list[str]:
    """Names of residues that are of a chain, by their bonds to it or by the file's word, and of no standard kind."""
    names: set[str] = set()
    for chain in model:
        residues = [residue_of(chain.name, residue) for residue in chain]
        for index, residue in enumerate(residues):
            name = STATE_NAMES.get(residue.deposited_name, residue.deposited_name)
            if is_polymer_name(name) or is_water(name):
                continue
            before = index > 0 and is_bonded(residues[index - 1], residue)
            after = index + 1 < len(residues) and is_bonded(residue, residues[index + 1])
            in_chain = chain[index].entity_type == gemmi.EntityType.Polymer
            if before or after or (in_chain and (residue.atom("CA") or residue.atom("P"))):
                names.add(residue.deposited_name)
    return sorted(names)


def _without(model: gemmi.Model, names: set[str]) -> gemmi.Model:
    kept = model.clone()
    for chain in kept:
        for index in reversed(range(len(chain))):
            if chain[index].name in names:
                del chain[index]
    return kept


def _modified_rows(model: gemmi.Model, name: str, parts: Components | None) -> list[dict[str, Any]]:
    """Each residue of this name: what the preparation makes of it, or that it refuses it."""
    made: dict[ResidueKey, str] = {} if parts is None else {each.key: each.name for each in parts.polymer}
    removed = set() if parts is None else {each.key for each in parts.removed}
    rows: list[dict[str, Any]] = []
    for chain in model:
        for each in chain:
            if each.name != name:
                continue
            residue = residue_of(chain.name, each)
            removal = "removed" if residue.key in removed else "kept"
            outcome = "refused" if parts is None else removal
            rows.append(residue.reference() | {"outcome": outcome, "becomes": made.get(residue.key)})
    return rows


def _label(row: dict[str, Any]) -> str:
    return f"{row['chain']}:{row['residueName']} {row['residue']}{row['insertionCode']}"


def _without_clashes(
    checked: Checked, polymer: Sequence[Residue], retained: Sequence[Residue]
) -> list[Residue]:
    whole = without_inner_ends(polymer)
    try:
        refuse_clashes([*whole, *retained])
    except ScienceError as error:
        clashes = [each for each in close_contacts([*whole, *retained]) if not is_expected(each)]
        checked.refuse(error, [each.label for each in clashes])
        # The first residue of each pair stays, because it may be the right one.
        leaving = {id(each.second) for each in clashes}
        return [residue for residue in whole if id(residue) not in leaving]
    return whole


def _without_torn(checked: Checked, residues: list[Residue], ccd: Ccd) -> list[Residue]:
    try:
        refuse_torn(residues, ccd)
    except ScienceError:
        torn: set[int] = set()
        for residue in residues:
            if not _is_torn(residue, ccd):
                continue
            torn.add(id(residue))
            # The first residue in the list is checked first; the others show with which residues it clashes.
            others = [each for each in residues if each is not residue]
            try:
                refuse_torn([residue, *others], ccd)
            except ScienceError as error:
                checked.refuse(error, [residue.label])
        return [residue for residue in residues if id(residue) not in torn]
    return residues


def _is_torn(residue: Residue, ccd: Ccd) -> bool:
    try:
        refuse_torn([residue], ccd)
    except ScienceError:
        return True
    return False


def _without_incomplete(checked: Checked, residues: list[Residue]) -> list[Residue]:
    """Refuse residues that lack atoms which nothing builds, and report side chains that are built."""
    broken: set[int] = set()
    built: list[str] = []
    for residue in residues:
        missing = missing_heavy_atoms(residue.name, (atom.name for atom in residue.atoms))
        if any(name in _FRAME for name in missing):
            broken.add(id(residue))
        elif missing:
            built.append(f"{residue.label} ({', '.join(missing)})")
    try:
        check_complete(residues, side_chains=False)
    except ScienceError as error:
        checked.refuse(error, [residue.label for residue in residues if id(residue) in broken])
    if built:
        shown = ", ".join(built[:20]) + (f" and {len(built) - 20} more" if len(built) > 20 else "")
        message = f"Heavy atoms are missing and will be built: {shown}."
        checked.warnings.append({"code": "ATOMS_BUILT", "message": message})
    return [residue for residue in residues if id(residue) not in broken]


def _protonate_and_type(
    checked: Checked, parts: Parts, preparation: PreparationSpec, progress: Callable[[float], None]
) -> None:
    if not parts.polymer:
        return
    if sum(len(residue.heavy_atoms) for residue in parts.polymer) > MOST_PROTONATED_ATOMS:
        checked.is_protonation_skipped = True
        return
    try:
        made = hydrogenate(parts, preparation)
        checked.protonated = made.protonated
        progress(50)
        templates = {**made.templates, **parts.linked}
        type_receptor([*made.chains, *made.retained], parts.letters, parts.ccd, templates)
    except ScienceError as error:
        checked.refuse(error)
    progress(75)
