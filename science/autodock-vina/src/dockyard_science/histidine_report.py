"""The rows of a report about histidines: form, reason of the form, contacts, and other forms as plausible as it."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from dockyard_science.box import distance_to_box
from dockyard_science.histidine_charge import (
    ASKED_FOR,
    charged_gain,
    pka_of,
    shifted_pka,
)
from dockyard_science.histidine_ring import ring_centre
from dockyard_science.histidines import (
    EQUAL,
    Chosen,
    Form,
    Surroundings,
    contacts_of,
    form_of,
    is_beside,
    other_forms,
    scores,
)
from dockyard_science.retained_anions import find_anions
from dockyard_science.spec import Box, PreparationSpec
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Residue, ResidueKey
from dockyard_structures.residues import short_list

# With a pKa this near to the pH both charges are plausible.
_NEAR_PKA = 1.0

_CHARGE = "another charge"
_WORDS = {"delta": "hydrogen on ND1", "epsilon": "hydrogen on NE2", "both": "hydrogens on both"}


@dataclass(frozen=True)
class Deciders:
    """What decided about histidines: the customer, a metal at them, or what was chosen for retained components."""

    fixed: Set[ResidueKey]
    metal: Set[ResidueKey]
    chosen: Mapping[ResidueKey, Chosen]

    def of(self, key: ResidueKey, method: str) -> str:
        """What decided about a residue; the method where nothing else did."""
        if key in self.fixed:
            return "fixed"
        if key in self.metal:
            return "metal"
        return self.chosen[key].reason if key in self.chosen else method


def histidine_rows(
    residues: Sequence[Residue],
    pka: Sequence[dict[str, Any]],
    preparation: PreparationSpec,
    deciders: Deciders,
) -> list[dict[str, Any]]:
    """A row for each histidine of a typed receptor; a fixed one or one at a metal has no other plausible form."""
    around = Surroundings.of(residues)
    retained = [residue for residue in residues if residue.hetero]
    anions = find_anions(retained)
    rows: list[dict[str, Any]] = []
    for residue in residues:
        now = None if residue.hetero else form_of(residue)
        if now is None:
            continue
        weights = scores(residue, other_forms(now, may_turn=True), around)
        value = (
            shifted_pka(residue, pka, anions) if is_beside(residue, retained) else pka_of(residue.key, pka)
        )
        decided_by = deciders.of(residue.key, preparation["protonationMethod"])
        is_open = decided_by not in {"fixed", "metal"}
        near = value is not None and abs(value - preparation["protonationPh"]) < _NEAR_PKA
        asked = now.hydrogens != "both" and is_beside(residue, retained)
        asked = asked and charged_gain(residue, now, around)[1] >= ASKED_FOR
        rows.append(
            residue.reference()
            | {
                "form": now.hydrogens,
                "decidedBy": decided_by,
                "contacts": contacts_of(residue, around),
                "scores": [_weight(form, weights[form]) for form in weights],
                "pKa": None if value is None else round(value, 2),
                "plausible": [*_as_good(now, weights), *([_CHARGE] if near or asked else [])]
                if is_open
                else [],
                "centerAngstrom": ring_centre(residue),
            }
        )
    return rows


def ambiguous_warnings(rows: Sequence[Mapping[str, Any]], box: Box) -> list[TaskWarning]:
    """One warning that names the histidines in the box that have another form as plausible as their own."""
    named = [
        f"{row['chain']}:{row['residueName']} {row['residue']}{row['insertionCode']} "
        f"({_WORDS[row['form']]}; also {' or '.join(row['plausible'])}{_pka(row)})"
        for row in rows
        if row["plausible"] and distance_to_box(row["centerAngstrom"], box) == 0
    ]
    if not named:
        return []
    message = f"In the box: {short_list(named, most=3)}. fixedProtonationStates decides."
    return [{"code": "PROTONATION_AMBIGUOUS", "message": message}]


def _weight(form: Form, value: float) -> dict[str, Any]:
    return {"form": form.hydrogens, "ringTurned": form.is_turned, "hydrogenBonds": round(value, 2)}


def _as_good(now: Form, weights: Mapping[Form, float]) -> list[str]:
    """The other neutral form, and the turned ring, where each is about as good as what there is."""
    found: list[str] = []
    for form, value in weights.items():
        if not form.is_turned and form != now and abs(value - weights[now]) < EQUAL:
            found.append(_WORDS[form.hydrogens])
    turned = max(value for form, value in weights.items() if form.is_turned)
    # A ring that meets nothing either way is as good turned, which needs no row in the report.
    if turned > max(EQUAL, weights[now] - EQUAL):
        found.append("the ring turned")
    return found


def _pka(row: Mapping[str, Any]) -> str:
    return f", pKa {row['pKa']:.1f}" if _CHARGE in row["plausible"] and row["pKa"] is not None else ""
