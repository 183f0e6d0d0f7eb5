"""Protonation states that a customer fixes: how they are asked of pdb2pqr and Meeko, and whether they came true.

pdb2pqr takes ASP, GLU and the charge of HIS from a pKa that is beyond any pH; of a histidine's two neutral forms the
one that is not meant loses its hydrogen before hydrogen bonds are searched. Its force fields lack other states here
and there, so a neutral lysine, a thiolate and a phenolate are prepared with all their hydrogens, and then lose one.
"""

import math
from collections.abc import Mapping, Sequence

from dockyard_science.anionic_tyrosine import anionic_key
from dockyard_science.spec import FixedProtonationState
from dockyard_science.stretches import begins_chain
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Atom, Residue, ResidueKey

#: The forms of a histidine by whether there is a hydrogen on ND1 and on NE2.
HISTIDINE_FORMS = {(True, True): "both", (True, False): "delta", (False, True): "epsilon"}

#: A bond between two cysteines has 2.05 Å.
_DISULFIDE_ANGSTROM = 2.5

_ACID_HYDROGENS = {"ASP": {"HD1", "HD2"}, "GLU": {"HE1", "HE2"}}

# Meeko's template of each state within a chain; at the end that has an OXT it has a C before it.
_TEMPLATES = {
    "ASP": {"anionic": "ASP", "neutral": "ASH"},
    "GLU": {"anionic": "GLU", "neutral": "GLH"},
    "HIS": {"delta": "HID", "epsilon": "HIE", "both": "HIP"},
    "LYS": {"cationic": "LYS", "neutral": "LYN"},
    "CYS": {"neutral": "CYS", "anionic": "CYX-"},
    "TYR": {"neutral": "TYR", "anionic": "TYR"},
}

# The states that lose a hydrogen after pdb2pqr, and the hydrogens of which one goes.
_LOSSES = {
    ("LYS", "neutral"): ("HZ1", "HZ2", "HZ3"),
    ("CYS", "anionic"): ("HG",),
    ("TYR", "anionic"): ("HH",),
}


def fixed_residues(
    residues: Sequence[Residue], states: Sequence[FixedProtonationState]
) -> dict[ResidueKey, FixedProtonationState]:
    """The residues whose state is fixed, by key.

    Raises PROTONATION_FAILED for a residue that is not there, is another one, or is bonded where it would change.
    """
    present = {residue.key: residue for residue in residues}
    found: dict[ResidueKey, FixedProtonationState] = {}
    for state in states:
        key = (state["chain"], state["residue"], state["insertionCode"].strip())
        where = f"{key[0]}:{state['residueName']} {key[1]}{key[2]}"
        residue = present.get(key)
        if residue is None or residue.name != state["residueName"]:
            there = "there is no such residue" if residue is None else f"it is {residue.name}"
            message = f"The state of {where} cannot be fixed: {there}."
            raise ScienceError("PROTONATION_FAILED", message)
        if residue.name == "CYS" and _has_disulfide(residue, residues):
            message = f"The state of {where} cannot be fixed: it is in a disulfide bond."
            raise ScienceError("PROTONATION_FAILED", message)
        found[key] = state
    return found


def keeps_proton(residue_name: str, state: str) -> bool:
    """Whether pdb2pqr is to prepare a residue of this state with every hydrogen that its group can have."""
    if residue_name == "HIS":
        return state == "both"
    return (residue_name, state) in _LOSSES or state != "anionic"


def histidine_forms(fixed: Mapping[ResidueKey, FixedProtonationState]) -> dict[ResidueKey, str]:
    """The forms of the histidines that are fixed."""
    return {key: state["state"] for key, state in fixed.items() if state["residueName"] == "HIS"}


def remove_lost(residue: Residue, state: FixedProtonationState, others: Sequence[Residue]) -> Residue:
    """A residue as pdb2pqr made it, without the hydrogen that its fixed state does not have.

    Of a lysine's three the one goes that is furthest from any oxygen of another residue, of equals the last.
    """
    names = _LOSSES.get((residue.name, state["state"]), ())
    present = [atom for atom in residue.atoms if atom.name in names]
    if not present or len(present) < len(names):
        return residue
    lost = present[0] if len(present) == 1 else _furthest(present, residue, others)
    return residue.with_atoms(atom for atom in residue.atoms if atom is not lost)


def forced_templates(
    residues: Sequence[Residue], fixed: Mapping[ResidueKey, FixedProtonationState], *, has_hydrogens: bool
) -> dict[ResidueKey, str]:
    """Meeko's template for each residue whose state is fixed.

    Residues with hydrogens tell their state by them, but for a phenolate, which Meeko would complete.
    """
    return {
        residue.key: _template(residue, fixed[residue.key]["state"])
        for residue in residues
        if residue.key in fixed
        and (not has_hydrogens or (residue.name, fixed[residue.key]["state"]) == ("TYR", "anionic"))
    }


def histidine_template(residue: Residue, form: str) -> str:
    """Meeko's template for a histidine's form."""
    return _template(residue, form)


def phenolate_template(residue: Residue) -> str:
    """The template of a tyrosine without its proton."""
    return _template(residue, "anionic")


def state_word(residue: Residue) -> str:
    """The state of a residue with hydrogens, in the words by which it is fixed."""
    names = {atom.name for atom in residue.atoms}
    if residue.name == "HIS":
        return HISTIDINE_FORMS.get(("HD1" in names, "HE2" in names), "none")
    if residue.name in _ACID_HYDROGENS:
        return "neutral" if names & _ACID_HYDROGENS[residue.name] else "anionic"
    if residue.name == "LYS":
        return "cationic" if {"HZ1", "HZ2", "HZ3"} <= names else "neutral"
    return "neutral" if names & {"HG", "HH"} else "anionic"


def check_fixed(
    residues: Sequence[Residue], fixed: Mapping[ResidueKey, FixedProtonationState], why: str
) -> None:
    """Raise PROTONATION_FAILED where a residue is not in its fixed state; `why` ends the sentence."""
    for residue in residues:
        state = fixed.get(residue.key)
        if state and residue.name == state["residueName"] and state["state"] != state_word(residue):
            message = f"{residue.label} cannot be made {state['state']}: {why}."
            raise ScienceError("PROTONATION_FAILED", message)


def _template(residue: Residue, state: str) -> str:
    start = "N" if begins_chain(residue) else ""
    end = "C" if residue.atom("OXT") is not None else ""
    name = _TEMPLATES[residue.name][state]
    # An amino acid by itself has the template of a chain's first residue, with its other end free.
    key = f"{start or end}{name}{'-free' if start and end else ''}"
    return anionic_key(key) if (residue.name, state) == ("TYR", "anionic") else key


def _has_disulfide(residue: Residue, others: Sequence[Residue]) -> bool:
    own = residue.atom("SG")
    return own is not None and any(
        other is not residue
        and other.name == "CYS"
        and (sulfur := other.atom("SG")) is not None
        and math.dist(own.position, sulfur.position) < _DISULFIDE_ANGSTROM
        for other in others
    )


def _furthest(hydrogens: Sequence[Atom], residue: Residue, others: Sequence[Residue]) -> Atom:
    oxygens = [
        atom.position
        for other in others
        if other.key != residue.key
        for atom in other.heavy_atoms
        if atom.element == "O"
    ]

    def room(atom: Atom) -> float:
        return min((round(math.dist(atom.position, place), 3) for place in oxygens), default=0.0)

    return max(reversed(hydrogens), key=room)
