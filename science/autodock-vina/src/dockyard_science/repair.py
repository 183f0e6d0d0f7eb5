"""Side chains that cannot be as they stand: built anew, and where that does not help cut to alanine.

A residue whose own backbone is torn, or lacks an atom, leaves a gap there, as residues do that no crystal shows. One
that lacks atoms is the edge of such a gap already, and gaps are taken everywhere: so it goes unless it is in the box.
What is wrong is found by the steps of a preparation themselves; each names the side chains to blame, which are changed
before the steps begin again. None of this knows the box, so that prepared files can serve a job with another one; what
lies too near to a box is refused for each job, whether its files were prepared for it or before, unless the job asks
for repairs there, too. A residue is never left out of a box.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dockyard_science.box import Point, distance_to_box
from dockyard_science.contacts import overlaps
from dockyard_science.faults import KEPT_ATOMS, Culprit, SideChainError, cb_deviation, ideal_cb
from dockyard_science.protonation import REPAIR_LIMIT
from dockyard_science.spec import Box, PreparationSpec
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Atom, Residue, ResidueKey
from dockyard_structures.residues import AMINO_ACIDS, missing_heavy_atoms, short_list
from dockyard_structures.selection import Doubled

#: A residue with an atom nearer to the box than this is changed only where that is asked for.
REPAIR_DISTANCE_ANGSTROM = 4.0

# A model with more faults than one residue in twenty is wrong as a whole; a small model may have a few.
_MOST_SHARE = 0.05
_FEWEST = 4

# Coordinates have three decimals; less than this is no movement.
_MOVED_ANGSTROM = 0.05

# A CB further than this from its place by the backbone is placed anew.
_CB_ANGSTROM = 0.4

_REBUILT, _CUT, _LEFT_OUT = "rebuilt", "cut", "leftOut"


@dataclass
class Repairs:
    """What was changed so far: rows for the report in the order in which faults were found."""

    polymer: list[Residue]
    preparation: PreparationSpec
    rows: list[dict[str, Any]]
    _actions: dict[ResidueKey, str]
    _atoms: dict[ResidueKey, frozenset[str]]

    @classmethod
    def of(cls, polymer: Sequence[Residue], preparation: PreparationSpec) -> "Repairs":
        """No changes yet, for these chains as they were deposited."""
        return cls(list(polymer), preparation, [], {}, {})

    @property
    def changed(self) -> list[Residue]:
        """The chains with the changes made so far."""
        return [
            _changed(residue, self._actions[residue.key], self._atoms[residue.key])
            if residue.key in self._actions
            else residue
            for residue in self.polymer
            if self._actions.get(residue.key) != _LEFT_OUT
        ]

    def add(self, fault: SideChainError) -> None:
        """Change the residues that a fault blames; raises the fault itself where nothing is to be changed."""
        if self.preparation.get("repair", "far") == "none" or not fault.culprits:
            raise fault
        if any(self._actions.get(each.key) == _CUT and not each.whole for each in fault.culprits):
            raise fault
        known = {residue.key: residue for residue in self.polymer}
        for culprit in fault.culprits:
            self._change(known[culprit.key], culprit, fault)
        if len(self.rows) > max(_FEWEST, _MOST_SHARE * len(self.polymer)):
            raise fault

    def refuse_overlaps(self, residues: Sequence[Residue]) -> None:
        """Raise a fault where a side chain that was built anew stands in another residue of a protonated receptor."""
        mine = {key for key, action in self._actions.items() if action == _REBUILT}
        if not mine:
            return
        touching = [each for each in overlaps(residues) if {each.first.key, each.second.key} & mine]
        if touching:
            keys = {key for each in touching for key in (each.first.key, each.second.key)} & mine
            culprits = [Culprit(residue.key, frozenset()) for residue in residues if residue.key in keys]
            message = f"A side chain has no room: {short_list((each.label for each in touching), 3)}."
            raise SideChainError("RECEPTOR_CLASH", message, culprits)

    def refuse_doubled(self, doubled: Sequence[Doubled]) -> None:
        """Raise the fault of the first residue with atoms in two places whose side chain was not changed yet."""
        for fault in doubled_faults(doubled, self.polymer):
            if fault.culprits[0].key not in self._actions:
                raise fault

    def _change(self, residue: Residue, culprit: Culprit, fault: SideChainError) -> None:
        before = self._actions.get(residue.key)
        self._actions[residue.key] = self._action(residue, culprit)
        self._atoms[residue.key] = self._atoms.get(residue.key, frozenset()) | culprit.atoms
        if before:
            row = next(row for row in self.rows if _key(row) == residue.key)
            row["action"] = self._actions[residue.key]
            return
        # The side chains that one fault blames are judged together, so that the outcome does not depend on their order.
        is_same = bool(self.rows) and self.rows[-1]["reason"] == fault.message
        number = self.rows[-1]["fault"] if is_same else len(self.rows) + 1
        row = residue.reference() | {"action": self._actions[residue.key], "fault": number}
        self.rows.append(row | {"code": fault.code, "reason": fault.message})

    def _action(self, residue: Residue, culprit: Culprit) -> str:
        if culprit.whole:
            return _LEFT_OUT
        is_known = residue.name in AMINO_ACIDS and not residue.linked
        if residue.key in self._actions or not is_known or not self._can_build(residue):
            return _CUT
        return _REBUILT

    def _can_build(self, residue: Residue) -> bool:
        """Whether pdb2pqr runs and builds side chains with one more that is missing."""
        if self.preparation["protonationMethod"] == "meeko":
            return False
        heavy = [each.heavy_atoms for each in self.changed]
        missing = sum(
            len(missing_heavy_atoms(each.name, (atom.name for atom in each.atoms))) for each in self.changed
        )
        return missing + len(residue.heavy_atoms) <= REPAIR_LIMIT * sum(map(len, heavy))


def doubled_faults(doubled: Iterable[Doubled], polymer: Sequence[Residue]) -> list[SideChainError]:
    """The fault of each of these residues that is in the chains; side-chain atoms of it are in two places."""
    present = {residue.key for residue in polymer}
    faults: list[SideChainError] = []
    for each in doubled:
        key = (each.chain, each.number, each.insertion_code)
        if key in present:
            faults.append(SideChainError("RECEPTOR_UNREADABLE", each.message, [Culprit(key, each.atoms)]))
    return faults


def repaired_beyond(code: str, *, is_left_out: bool) -> float:
    """How far from the box a residue with a fault has to be, in angstrom; 0 stands for anywhere but in the box."""
    return 0.0 if is_left_out and code == "RECEPTOR_MISSING_ATOMS" else REPAIR_DISTANCE_ANGSTROM


def refuse_near(
    rows: Iterable[Mapping[str, Any]], polymer: Sequence[Residue], box: Box, preparation: PreparationSpec
) -> None:
    """Raise the fault of the first rows of a report that have a residue too near to a box.

    `polymer` holds the residues as they were deposited.
    """
    deposited = {residue.key: residue for residue in polymer}
    found = [row for row in rows if not _is_asked_for(row, preparation)]
    for number in sorted({row["fault"] for row in found}):
        near = [
            (row, distance)
            for row in found
            if row["fault"] == number and (distance := _distance(deposited[_key(row)], box)) <= _limit(row)
        ]
        if near:
            places = short_list(
                f"{deposited[_key(row)].label} is {f'{distance:.1f} Å from' if distance else 'in'} the box"
                for row, distance in near
            )
            row, limit = near[0][0], _limit(near[0][0])
            where = f"beyond {limit:g} Å" if limit else "outside of it"
            nearer = "" if row["action"] == _LEFT_OUT else ", nearer by repair: box"
            message = f"{row['reason']} {places}; such residues are repaired only {where}{nearer}."
            raise ScienceError(row["code"], message)


def told_repairs(
    rows: Iterable[Mapping[str, Any]], deposited: Sequence[Residue], prepared: Iterable[Residue]
) -> list[dict[str, Any]]:
    """The rows with what became of the heavy atoms: which are gone, which stand elsewhere, and how far at most."""
    before = {residue.key: residue for residue in deposited}
    after = {residue.key: residue for residue in prepared}
    told: list[dict[str, Any]] = []
    for row in rows:
        places = {atom.name: atom.position for atom in before[_key(row)].heavy_atoms}
        made = (
            {atom.name: atom.position for atom in after[_key(row)].heavy_atoms} if _key(row) in after else {}
        )
        moves = {name: math.dist(place, made[name]) for name, place in places.items() if name in made}
        moved = {name: distance for name, distance in moves.items() if distance > _MOVED_ANGSTROM}
        told.append(
            {
                **row,
                "atomsMoved": list(moved),
                "mostMovedAngstrom": round(max(moved.values(), default=0.0), 2),
                "atomsGone": [name for name in places if name not in made],
            }
        )
    return told


def repair_warnings(rows: Sequence[Mapping[str, Any]], polymer: Sequence[Residue]) -> list[TaskWarning]:
    """A warning that names what was changed, and which atoms moved."""
    if not rows:
        return []
    message = f"Residues that cannot be as they stand in the file were repaired: {_named(rows, polymer)}."
    return [{"code": "RECEPTOR_REPAIRED", "message": message}]


def box_repair_warnings(
    rows: Sequence[Mapping[str, Any]], polymer: Sequence[Residue], box: Box
) -> list[TaskWarning]:
    """A warning that names what was changed where ligands are docked."""
    deposited = {residue.key: residue for residue in polymer}
    near = [row for row in rows if _distance(deposited[_key(row)], box) <= REPAIR_DISTANCE_ANGSTROM]
    near = [row for row in near if row["action"] != _LEFT_OUT]
    if not near:
        return []
    message = (
        "Poses may touch side chains that no crystal shows where they stand now, "
        f"in the box or within {REPAIR_DISTANCE_ANGSTROM:g} Å of it: {_named(near, polymer)}."
    )
    return [{"code": "POCKET_REPAIRED", "message": message}]


def box_built_warnings(
    report: Mapping[str, Any], places: Mapping[tuple[str, int, str, str], Point], box: Box
) -> list[TaskWarning]:
    """A warning that names the atoms that were built where ligands are docked; `places` are the prepared atoms'."""
    letters = {row["chain"]: row["toChain"] for row in report["renames"] if "toChain" in row}
    near = []
    for row in report["atomsBuilt"]:
        chain, number, code = _key(row)
        found = ((name, places.get((letters.get(chain, chain), number, code, name))) for name in row["atoms"])
        atoms = [
            name
            for name, place in found
            if place is not None and distance_to_box(place, box) <= REPAIR_DISTANCE_ANGSTROM
        ]
        if atoms:
            near.append(f"{chain}:{row['residueName']} {number}{code} ({', '.join(atoms)})")
    if not near:
        return []
    message = (
        "Poses may touch atoms that the file does not have and that were built, "
        f"in the box or within {REPAIR_DISTANCE_ANGSTROM:g} Å of it: {short_list(near)}."
    )
    return [{"code": "POCKET_ATOMS_BUILT", "message": message}]


def _named(rows: Sequence[Mapping[str, Any]], polymer: Sequence[Residue]) -> str:
    labels = {residue.key: residue.label for residue in polymer}
    return short_list((f"{labels[_key(row)]} {_outcome(row)}" for row in rows), most=6)


def _outcome(row: Mapping[str, Any]) -> str:
    if row["action"] == _LEFT_OUT:
        return "left out"
    moved = (
        f"{', '.join(row['atomsMoved'])} moved by up to {row['mostMovedAngstrom']:.1f} Å"
        if row["atomsMoved"]
        else "no atom moved"
    )
    return (
        f"cut to alanine ({', '.join(row['atomsGone'])} gone)"
        if row["action"] == _CUT
        else f"built anew ({moved})"
    )


def _is_asked_for(row: Mapping[str, Any], preparation: PreparationSpec) -> bool:
    return preparation.get("repair", "far") == "box" and row["action"] != _LEFT_OUT


def _limit(row: Mapping[str, Any]) -> float:
    return repaired_beyond(row["code"], is_left_out=row["action"] == _LEFT_OUT)


def _key(row: Mapping[str, Any]) -> ResidueKey:
    return (row["chain"], row["residue"], row["insertionCode"])


def _distance(residue: Residue, box: Box) -> float:
    return min((distance_to_box(atom.position, box) for atom in residue.heavy_atoms), default=0.0)


def _changed(residue: Residue, action: str, atoms: frozenset[str]) -> Residue:
    kept = [atom for atom in residue.heavy_atoms if atom.name in KEPT_ATOMS]
    carbon, place = residue.atom("CB"), ideal_cb(residue)
    is_off = carbon is None or "CB" in atoms or cb_deviation(residue) > _CB_ANGSTROM
    if is_off and place is not None:
        x, y, z = (round(float(value), 3) for value in place)
        carbon = Atom("CB", "C", (x, y, z))
    if carbon is not None:
        kept.append(carbon)
    if action == _CUT:
        return replace(residue, name="ALA", atoms=kept, linked=False, component="")
    return replace(residue, atoms=kept)
