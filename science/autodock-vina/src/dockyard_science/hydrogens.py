"""Hydrogens of a whole receptor: its chains by the chosen method, then what lies between them and what is retained.

The method sees chains only. So where retained components stand beside a histidine, its form is chosen with them, and
the chains are protonated once more around it; donors at a metal lose their hydrogen; waters are turned last. The
hydrogens of other retained components come from their templates, where they are typed.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from dockyard_science.ccd import Ccd
from dockyard_science.crowding import protonate_apart
from dockyard_science.fixed_states import (
    fixed_residues,
    forced_templates,
    histidine_forms,
    histidine_template,
    phenolate_template,
)
from dockyard_science.histidine_charge import charged_forms
from dockyard_science.histidine_report import Deciders
from dockyard_science.histidines import Chosen, choose_forms, clear_forms, is_beside
from dockyard_science.metals import coordinate_metals, metal_bound, phenolates
from dockyard_science.protonation import Protonated, check_complete
from dockyard_science.spec import FixedProtonationState, PreparationSpec
from dockyard_science.typing_meeko import type_receptor
from dockyard_science.waters import WATER, turn_waters
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Residue, ResidueKey

# The form that leaves a nitrogen free for the metal that it binds.
_FREE_FORM = {"ND1": "epsilon", "NE2": "delta"}

# The atoms that carry a hydrogen in a state, where a metal leaves no room for one.
_WITH_HYDROGEN = {
    ("HIS", "delta"): ("ND1",),
    ("HIS", "epsilon"): ("NE2",),
    ("HIS", "both"): ("ND1", "NE2"),
    ("CYS", "neutral"): ("SG",),
    ("TYR", "neutral"): ("OH",),
}


@dataclass(frozen=True)
class Hydrogenated:
    """Chains and retained components as they are typed, the templates to force, and what decided."""

    protonated: Protonated
    chains: list[Residue]
    retained: list[Residue]
    templates: dict[ResidueKey, str]
    metal_sites: list[dict[str, Any]]
    deciders: Deciders
    fixed: dict[ResidueKey, FixedProtonationState]


@dataclass(frozen=True)
class Parts:
    """The heavy atoms of a receptor, waters under their usual name, and what it takes to type them.

    `linked` names the templates of caps and modified residues.
    """

    polymer: Sequence[Residue]
    retained: Sequence[Residue]
    letters: Mapping[str, str]
    ccd: Ccd
    linked: Mapping[ResidueKey, str] = field(default_factory=dict)

    def typed(
        self, chains: Sequence[Residue], templates: Mapping[ResidueKey, str] | None = None
    ) -> list[Residue]:
        """These chains and the retained components with all hydrogens, but for waters, which have none yet."""
        dry = [residue for residue in self.retained if residue.name != WATER]
        waters = [residue for residue in self.retained if residue.name == WATER]
        whole = [*chains, *dry]
        if not whole:
            return waters
        own = {each.key: self.linked[each.key] for each in chains if each.key in self.linked}
        forced = {**(templates or {}), **own}
        return [*type_receptor(whole, self.letters, self.ccd, forced).residues, *waters]

    @property
    def needs_hydrogens(self) -> bool:
        """Whether retained components decide anything: waters to turn, or a histidine beside them."""
        waters = any(residue.name == WATER for residue in self.retained)
        return waters or any(is_beside(residue, self.retained) for residue in self.polymer)


def hydrogenate(parts: Parts, preparation: PreparationSpec) -> Hydrogenated:
    """Add the hydrogens of the chains and of waters; Meeko's own method leaves those of chains to the templates.

    Raises what `protonate_apart` and `type_receptor` raise.
    """
    is_meeko = preparation["protonationMethod"] == "meeko"
    check_complete(parts.polymer, side_chains=is_meeko)
    fixed = fixed_residues(parts.polymer, preparation["fixedProtonationStates"])
    decided = metal_bound(parts.polymer, parts.retained) | histidine_forms(fixed).keys()
    if is_meeko:
        return _by_templates(parts, fixed, decided)
    protonated = protonate_apart(parts.polymer, parts.retained, preparation)
    components = parts.typed([]) if parts.needs_hydrogens else []
    ph = preparation["protonationPh"]
    file = {residue.key: residue for residue in parts.polymer}
    chosen = choose_forms(protonated.residues, components, decided, may_turn=True, deposited=file)
    chosen |= charged_forms(protonated.residues, components, decided, protonated.pka, ph)
    if chosen:
        standing = [
            chosen[residue.key].residue if residue.key in chosen else residue for residue in parts.polymer
        ]
        forms = {key: each.hydrogens for key, each in chosen.items()}
        protonated = protonate_apart(standing, parts.retained, preparation, forms)
    clear = clear_forms(protonated.residues, components, decided | chosen.keys())
    residues = [clear[each.key].residue if each.key in clear else each for each in protonated.residues]
    protonated = replace(protonated, residues=residues)
    chains, sites = coordinate_metals(protonated.residues, parts.retained)
    bare = phenolates(chains, parts.retained)
    _refuse_at_metals(fixed, sites, bare)
    dry = [residue for residue in components if residue.name != WATER]
    return Hydrogenated(
        protonated,
        chains,
        turn_waters(parts.retained, [*chains, *dry]),
        _of_phenolates(chains, bare) | forced_templates(chains, fixed, has_hydrogens=True),
        sites,
        _deciders(fixed, sites, chosen | clear),
        fixed,
    )


def _by_templates(
    parts: Parts, fixed: dict[ResidueKey, FixedProtonationState], decided: set[ResidueKey]
) -> Hydrogenated:
    chains, sites = coordinate_metals(parts.polymer, parts.retained)
    bare = phenolates(chains, parts.retained)
    _refuse_at_metals(fixed, sites, bare)
    templates = (
        _at_metals(chains, sites)
        | _of_phenolates(chains, bare)
        | forced_templates(chains, fixed, has_hydrogens=False)
    )
    surroundings = parts.typed(chains, templates) if parts.needs_hydrogens else []
    own = {residue.key for residue in chains}
    chosen = choose_forms(
        [residue for residue in surroundings if residue.key in own and not residue.hetero],
        [residue for residue in surroundings if residue.hetero],
        decided,
        may_turn=False,
    )
    named = {residue.key: residue for residue in chains}
    templates |= {key: histidine_template(named[key], each.hydrogens) for key, each in chosen.items()}
    return Hydrogenated(
        Protonated(list(parts.polymer)),
        chains,
        turn_waters(parts.retained, [residue for residue in surroundings if residue.name != WATER]),
        templates,
        sites,
        _deciders(fixed, sites, chosen),
        fixed,
    )


def _at_metals(chains: Sequence[Residue], sites: Sequence[dict[str, Any]]) -> dict[ResidueKey, str]:
    """Templates of histidines that bind a metal by one nitrogen, with the hydrogen on the other."""
    bound: dict[ResidueKey, set[str]] = {}
    for site in sites:
        bound.setdefault((site["chain"], site["residue"], site["insertionCode"]), set()).add(site["atom"])
    return {
        residue.key: histidine_template(residue, _FREE_FORM[min(bound[residue.key])])
        for residue in chains
        if residue.name == "HIS" and len(bound.get(residue.key, ())) == 1
    }


def _of_phenolates(chains: Sequence[Residue], bare: Set[ResidueKey]) -> dict[ResidueKey, str]:
    """Templates of tyrosines without their proton, which Meeko would put back."""
    return {residue.key: phenolate_template(residue) for residue in chains if residue.key in bare}


def _refuse_at_metals(
    fixed: Mapping[ResidueKey, FixedProtonationState],
    sites: Sequence[dict[str, Any]],
    bare: Set[ResidueKey],
) -> None:
    """Raise PROTONATION_FAILED where a fixed state has a hydrogen on an atom that binds a retained metal.

    The oxygen of a tyrosine may keep its own there, unless the tyrosine is one of the `bare` ones.
    """
    for site in sites:
        key = (site["chain"], site["residue"], site["insertionCode"])
        state = fixed.get(key)
        if state is None or (state["residueName"] == "TYR" and key not in bare):
            continue
        if site["atom"] in _WITH_HYDROGEN.get((state["residueName"], state["state"]), ()):
            where = f"{site['chain']}:{state['residueName']} {site['residue']}{site['insertionCode']}"
            message = f"{where} cannot be made {state['state']}: its {site['atom']} binds a retained metal."
            raise ScienceError("PROTONATION_FAILED", message)


def _deciders(
    fixed: Mapping[ResidueKey, FixedProtonationState],
    sites: Sequence[dict[str, Any]],
    chosen: Mapping[ResidueKey, Chosen],
) -> Deciders:
    metal = {(site["chain"], site["residue"], site["insertionCode"]) for site in sites}
    return Deciders(histidine_forms(fixed).keys(), metal, chosen)
