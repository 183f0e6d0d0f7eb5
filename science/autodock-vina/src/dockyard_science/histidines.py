"""Which nitrogens of a histidine carry hydrogen, where retained components stand beside its ring.

pdb2pqr sees only chains. So where retained atoms are within reach, the neutral forms, as the ring stands and turned by
half, are weighed with them: a nitrogen with hydrogen is good before an acceptor and bad before a donor, one without the
other way round, and none with hydrogen can face a metal. `histidine_charge` weighs the charge. What pdb2pqr chose is
changed only where the retained atoms by themselves, and all atoms together, are better by half a hydrogen bond. Where
nothing decides between the two nitrogens, the hydrogen goes on NE2: the likelier form of a histidine in water.

Elsewhere pdb2pqr puts the hydrogen on ND1 wherever it finds no bond by its own strict rules, at times towards a donor.
There too the hydrogen goes on the other nitrogen where the bonds of all atoms together are better by half a bond.
"""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal

from dockyard_science.fixed_states import HISTIDINE_FORMS
from dockyard_science.hbonds import Partner, Vector, find_partners, metal_places, near, strength
from dockyard_science.histidine_ring import (
    RING,
    RING_NEIGHBOURS,
    is_turned_from,
    outward,
    ring_places,
    standing,
)
from dockyard_science.metals import COORDINATION_ANGSTROM, ring_hydrogen
from dockyard_structures.atoms import Atom, Residue, ResidueKey

#: Retained heavy atoms this near to the ring take part in the choice of a form.
BESIDE_ANGSTROM = 4.5

#: Another form must be better by this much, in hydrogen bonds, to be chosen.
CLEARLY = 0.5

#: Forms whose weights differ by less count as equally good.
EQUAL = 0.25

# A hydrogen is moved only to where no other atom is nearer than this; those that touch are half an angstrom nearer.
_ROOM_ANGSTROM = 1.7

#: A ring that pdb2pqr left or turned is turned only where turning gains this much more.
TURNING_COST = 0.2
# The weight of a ring carbon beside an acceptor or a donor, relative to a nitrogen there.
_CARBON_SHARE = 0.2
# A nitrogen or oxygen nearer to a ring carbon than the first distance touches it, fully so at the second.
_TOUCH_ANGSTROM, _CRUSHED_ANGSTROM = 3.0, 2.7
# A hydrogen or a carbon that faces a metal outweighs every hydrogen bond.
_AT_METAL = 4.0

_NONE: Mapping[ResidueKey, Residue] = {}

# Of each neutral form the nitrogen with the hydrogen, the hydrogen, and the nitrogen's neighbours.
_NEUTRAL = {
    "delta": ("ND1", "HD1", RING_NEIGHBOURS["ND1"]),
    "epsilon": ("NE2", "HE2", RING_NEIGHBOURS["NE2"]),
}
_WITH_HYDROGEN = {"delta": {"ND1"}, "epsilon": {"NE2"}, "both": {"ND1", "NE2"}}


@dataclass(frozen=True)
class Form:
    """A form of a histidine: whether the ring is turned from where it stands, and where the hydrogens are."""

    is_turned: bool
    hydrogens: str


@dataclass(frozen=True)
class Surroundings:
    """What a ring meets: atoms that give and take hydrogens, and metals."""

    partners: Sequence[Partner]
    metals: Sequence[Vector]

    @staticmethod
    def of(residues: Sequence[Residue]) -> "Surroundings":
        """The surroundings that residues with hydrogens make."""
        return Surroundings(find_partners(residues), metal_places(residues))


@dataclass(frozen=True)
class Chosen:
    """A form to be made: where its hydrogens are, the atoms as they then stand, and the reason for the form."""

    hydrogens: str
    residue: Residue
    reason: Literal["retained", "usual", "bonds"]


def choose_forms(
    residues: Sequence[Residue],
    retained: Sequence[Residue],
    decided: Set[ResidueKey],
    *,
    may_turn: bool,
    deposited: Mapping[ResidueKey, Residue] = _NONE,
) -> dict[ResidueKey, Chosen]:
    """The forms to make instead of those that there are, because of retained components beside the ring.

    All residues have their hydrogens, waters may lack them; `decided` are those that stay as they are. Where pdb2pqr
    has turned a ring from where it stands in `deposited`, turning it back costs nothing.
    """
    alone, together = Surroundings.of(retained), Surroundings.of([*residues, *retained])
    chosen: dict[ResidueKey, Chosen] = {}
    for residue in residues:
        now = form_of(residue) if residue.key not in decided else None
        if now is None or not is_beside(residue, retained):
            continue
        was_turned = is_turned_from(residue, deposited.get(residue.key))
        forms = [(each, each.is_turned != was_turned) for each in other_forms(now, may_turn=may_turn)]
        form, reason = _choose(residue, now, alone, together, dict(forms))
        if form != now:
            # A ring that goes back goes back to the very places that were measured.
            is_back = was_turned and form.is_turned
            stands = deposited[residue.key] if is_back else standing(residue, is_turned=form.is_turned)
            chosen[residue.key] = Chosen(form.hydrogens, stands, reason)
    return chosen


def clear_forms(
    residues: Sequence[Residue], retained: Sequence[Residue], settled: Set[ResidueKey]
) -> dict[ResidueKey, Chosen]:
    """The neutral histidines whose hydrogen stands on the nitrogen that their hydrogen bonds are clearly against.

    Each comes with all its atoms and the hydrogen on the other nitrogen; the ring stays as it stands. All residues have
    their hydrogens; `settled` are those that stay as they are.
    """
    everything = [*residues, *retained]
    around = Surroundings.of(everything)
    chosen: dict[ResidueKey, Chosen] = {}
    for residue in residues:
        now = form_of(residue) if residue.key not in settled else None
        if now is None or now.hydrogens == "both":
            continue
        other = Form(False, "epsilon" if now.hydrogens == "delta" else "delta")
        weights = scores(residue, [now, other], around)
        hydrogen = ring_hydrogen(residue, *_NEUTRAL[other.hydrogens])
        if weights[other] - weights[now] >= CLEARLY and _has_room(hydrogen, residue, everything):
            kept = [atom for atom in residue.atoms if atom.name != _NEUTRAL[now.hydrogens][1]]
            chosen[residue.key] = Chosen(other.hydrogens, residue.with_atoms([*kept, hydrogen]), "bonds")
    return chosen


def _has_room(hydrogen: Atom, owner: Residue, residues: Sequence[Residue]) -> bool:
    return all(
        math.dist(hydrogen.position, atom.position) >= _ROOM_ANGSTROM
        for residue in residues
        if residue.key != owner.key
        for atom in residue.atoms
    )


def is_beside(residue: Residue, retained: Sequence[Residue]) -> bool:
    """Whether a residue is a histidine with retained heavy atoms beside its ring."""
    if residue.name != "HIS":
        return False
    ring = [atom.position for atom in residue.atoms if atom.name in RING]
    return any(
        math.dist(one, atom.position) <= BESIDE_ANGSTROM
        for component in retained
        for atom in component.heavy_atoms
        for one in ring
    )


def form_of(residue: Residue) -> Form | None:
    """The form of a histidine with its hydrogens; None for what is no whole histidine."""
    if residue.name != "HIS" or any(residue.atom(name) is None for name in ("CB", *RING)):
        return None
    present = (residue.atom("HD1") is not None, residue.atom("HE2") is not None)
    return Form(False, HISTIDINE_FORMS[present]) if present in HISTIDINE_FORMS else None


def scores(residue: Residue, forms: Sequence[Form], around: Surroundings) -> dict[Form, float]:
    """How well each form of a histidine fits its surroundings, in hydrogen bonds."""
    return {
        form: _score(ring_places(residue, is_turned=form.is_turned), form, around, residue) for form in forms
    }


def other_forms(now: Form, *, may_turn: bool) -> list[Form]:
    """The form itself, then the others of its charge, those of the ring as it stands first."""
    hydrogens = ["both"] if now.hydrogens == "both" else ["epsilon", "delta"]
    all_forms = [
        Form(turned, each) for turned in ((False, True) if may_turn else (False,)) for each in hydrogens
    ]
    return [now, *(form for form in all_forms if form != now)]


def contacts_of(residue: Residue, around: Surroundings) -> list[str]:
    """What each nitrogen of a histidine meets, in words: `NE2 gives to O7N of B:NDP 301 (2.9 Å)`."""
    now = form_of(residue)
    if now is None:
        return []
    places = ring_places(residue, is_turned=False)
    found: list[str] = []
    for nitrogen in ("ND1", "NE2"):
        has_hydrogen = nitrogen in _WITH_HYDROGEN[now.hydrogens]
        best = _best(places, nitrogen, around, residue, takes=has_hydrogen)
        if best is not None:
            word = "gives to" if has_hydrogen else "takes from"
            distance = math.dist(best.atom.position, places[nitrogen])
            found.append(f"{nitrogen} {word} {best.atom.name} of {best.owner.label} ({distance:.1f} Å)")
    return found


def _choose(
    residue: Residue, now: Form, alone: Surroundings, together: Surroundings, away: Mapping[Form, bool]
) -> tuple[Form, Literal["retained", "usual"]]:
    """The best form; `away` says of each form whether its ring is turned from where the file has it."""
    retained, everything = scores(residue, [*away], alone), scores(residue, [*away], together)

    def gain(form: Form) -> float:
        cost = TURNING_COST * (away[form] - away[now])
        # What was turned without the component goes back where the component asks for that and nothing is against it.
        ease = CLEARLY if away[now] and not away[form] else 0.0
        least = min(retained[form] - retained[now], everything[form] - everything[now] + ease)
        return round(least - cost, 6)

    best = max(away, key=gain)
    if gain(best) >= CLEARLY:
        return best, "retained"
    usual = Form(False, "epsilon")
    undecided = now.hydrogens == "delta" and abs(everything[usual] - everything[now]) < EQUAL
    return (usual, "usual") if undecided else (now, "usual")


def _score(places: Mapping[str, Vector], form: Form, around: Surroundings, residue: Residue) -> float:
    with_hydrogen = _WITH_HYDROGEN[form.hydrogens]
    total = 0.0
    for name in ("ND1", "NE2", "CE1", "CD2"):
        at_metal = any(math.dist(place, places[name]) <= COORDINATION_ANGSTROM for place in around.metals)
        if name.startswith("C"):
            total += _CARBON_SHARE * _fit(places, name, around, residue, has_hydrogen=True)
            total -= _touch(places[name], around, residue)
            total -= _AT_METAL * at_metal
        elif name in with_hydrogen:
            total += _fit(places, name, around, residue, has_hydrogen=True) - _AT_METAL * at_metal
        else:
            total += 1.0 if at_metal else _fit(places, name, around, residue, has_hydrogen=False)
    return total


def _fit(
    places: Mapping[str, Vector], name: str, around: Surroundings, residue: Residue, *, has_hydrogen: bool
) -> float:
    """The best bond that an atom of the ring makes, less the worst meeting of two hydrogens or two lone pairs."""
    direction = outward(places, name)
    good = bad = 0.0
    for partner in near(around.partners, places[name]):
        if partner.owner.key == residue.key:
            continue
        weight = strength(places[name], direction, partner.atom.position)
        gives = partner.gives_to(places[name])
        fits = partner.takes if has_hydrogen else gives
        clashes = gives if has_hydrogen else partner.takes
        if fits:
            good = max(good, weight)
        elif clashes:
            bad = max(bad, weight)
    return good - bad


def _touch(place: Vector, around: Surroundings, residue: Residue) -> float:
    """How far the nearest nitrogen or oxygen stands in a carbon of the ring, from 0 to 1."""
    beside = near(around.partners, place, _TOUCH_ANGSTROM)
    away = [math.dist(each.atom.position, place) for each in beside if each.owner.key != residue.key]
    depth = (_TOUCH_ANGSTROM - min(away, default=_TOUCH_ANGSTROM)) / (_TOUCH_ANGSTROM - _CRUSHED_ANGSTROM)
    return min(1.0, depth)


def _best(
    places: Mapping[str, Vector], name: str, around: Surroundings, residue: Residue, *, takes: bool
) -> Partner | None:
    direction = outward(places, name)
    fitting = [
        partner
        for partner in near(around.partners, places[name])
        if partner.owner.key != residue.key and (partner.takes if takes else partner.gives_to(places[name]))
    ]
    weights = [round(strength(places[name], direction, each.atom.position), 6) for each in fitting]
    return fitting[weights.index(max(weights))] if weights and max(weights) > 0 else None
