"""Whether a histidine beside retained components is charged, though propka, which does not see them, has it neutral.

Two things have to agree. The pKa that propka gives, raised by what the negative groups of the components do to it, is
above the pH; and a hydrogen on either nitrogen makes clearly better hydrogen bonds than any neutral form does, as
between an acid of the chain and a phosphate. What fits in the one way alone is warned of and not done.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np

from dockyard_science.histidine_ring import nitrogens_of, ring_centre, standing
from dockyard_science.histidines import (
    CLEARLY,
    TURNING_COST,
    Chosen,
    Form,
    Surroundings,
    form_of,
    is_beside,
    other_forms,
    scores,
)
from dockyard_science.retained_anions import Anion, find_anions, pka_shift
from dockyard_structures.atoms import Residue, ResidueKey

#: By so much, in hydrogen bonds, the charged form must be better to be plausible whatever its pKa is: any neutral form
#: then turns a lone pair to an acceptor.
ASKED_FOR = 1.5


def charged_forms(
    residues: Sequence[Residue],
    retained: Sequence[Residue],
    decided: Set[ResidueKey],
    pka: Sequence[Mapping[str, Any]],
    ph: float,
) -> dict[ResidueKey, Chosen]:
    """The neutral histidines that retained anions charge, as they then stand; `decided` are those that stay.

    All residues have their hydrogens; waters may lack them.
    """
    anions = find_anions(retained)
    if not anions:
        return {}
    around = Surroundings.of([*residues, *retained])
    chosen: dict[ResidueKey, Chosen] = {}
    for residue in residues:
        now = form_of(residue) if residue.key not in decided and is_beside(residue, retained) else None
        if now is None or now.hydrogens == "both":
            continue
        value = shifted_pka(residue, pka, anions)
        if value is None or value <= ph:
            continue
        form, gain = charged_gain(residue, now, around)
        if gain >= CLEARLY:
            chosen[residue.key] = Chosen("both", standing(residue, is_turned=form.is_turned), "retained")
    return chosen


def charged_gain(residue: Residue, now: Form, around: Surroundings) -> tuple[Form, float]:
    """The best charged form of a neutral histidine, and by how much it is better than the best neutral one."""
    forms = [*other_forms(now, may_turn=True), Form(False, "both"), Form(True, "both")]
    found = scores(residue, forms, around)
    weights = {form: value - TURNING_COST * form.is_turned for form, value in found.items()}
    neutral = max(value for form, value in weights.items() if form.hydrogens != "both")
    best = max((form for form in forms if form.hydrogens == "both"), key=lambda form: weights[form])
    return best, round(weights[best] - neutral, 6)


def shifted_pka(residue: Residue, pka: Sequence[Mapping[str, Any]], anions: Sequence[Anion]) -> float | None:
    """The pKa of a histidine beside anions; None where propka was not asked."""
    row = _row_of(residue.key, pka)
    if row is None:
        return None
    nitrogens = nitrogens_of(residue, is_turned=False)
    return float(row["pKa"]) + pka_shift(
        nitrogens, np.array(ring_centre(residue)), row["buriedFraction"], anions
    )


def pka_of(key: ResidueKey, pka: Sequence[Mapping[str, Any]]) -> float | None:
    """The pKa that propka gives for a histidine; None where propka was not asked."""
    row = _row_of(key, pka)
    return None if row is None else float(row["pKa"])


def _row_of(key: ResidueKey, pka: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    return next(
        (
            row
            for row in pka
            if (row["chain"], row["residue"], row["insertionCode"]) == key and row["group"] == "HIS"
        ),
        None,
    )
