"""The protonation state of a ligand at a pH, site by site.

A table of pKa values is asked first, dimorphite-dl for what it leaves open; cations hold each other back, and so do the
second protons of phosphates. The state follows from the uncharged molecule alone, so it does not depend on the charges
or the order of atoms with which the ligand was given, and its charge never rises with the pH. What is close to call
is said.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Literal

from rdkit import Chem

from dockyard_science.cation_coupling import effective_pkas
from dockyard_science.ligand_neutral import canonical_order, enol_smiles, neutral_form, set_protons
from dockyard_science.phosphate_coupling import phosphate_pkas
from dockyard_science.pka_classes import class_sites, is_open
from dockyard_science.pka_gaps import undecided_groups
from dockyard_science.pka_table import Site, table_sites
from dockyard_session.errors import one_line
from dockyard_session.tool import TaskWarning

#: Within this distance of the pH both states are present in amounts that matter.
NEAR_PKA_UNITS = 1.0
#: A class mean that spreads by more than this is no measured value for any one molecule.
_CERTAIN_SPREAD = 1.0

_WARNING_CHARACTERS = 500


@dataclass(frozen=True)
class TitratedSite:
    """A site, its pKa beside the charges of the molecule, and whether its proton is there at the pH."""

    site: Site
    pka: float
    has_proton: bool

    def record(self, atom: int) -> dict[str, Any]:
        """The row of the result for the site; `atom` is the atom's place in the SMILES that was docked."""
        return {
            "atom": atom,
            "group": self.site.group,
            "kind": self.site.kind,
            "pKa": self.site.pka,
            "effectivePKa": self.pka,
            "state": "protonated" if self.has_proton else "deprotonated",
            "source": self.site.source,
        }


@dataclass(frozen=True)
class Protonated:
    """A molecule in its state at a pH, and its sites by atom index; none where it was left as it was given."""

    mol: Chem.Mol
    method: Literal["model", "as_given"]
    sites: dict[int, TitratedSite]


@dataclass(frozen=True)
class ProtonatedForm:
    """A state of a molecule, and how many pKa units it lies above the most likely one."""

    state: Protonated
    units: float


def protonate(mol: Chem.Mol, ph: float, warnings: list[TaskWarning]) -> Protonated:
    """The most likely state at a pH, adding to `warnings` what is doubtful; the tautomer stays as given."""
    return protonated_forms(mol, ph, warnings, most=1)[0][0].state


def protonated_forms(
    mol: Chem.Mol, ph: float, warnings: list[TaskWarning], *, most: int
) -> tuple[list[ProtonatedForm], int]:
    """Both forms of each site whose pKa is near the pH, combined, the likeliest first: up to `most`, and how many.

    With more than one of them `warnings` does not get the forms of a site that is near, because both are there.
    """
    neutral = neutral_form(mol)
    if neutral is None:
        return _untouched(mol, "its uncharged form cannot be drawn", warnings)
    known = table_sites(neutral)
    try:
        rest = class_sites(neutral, known) if is_open(neutral, known) else []
    except Exception:
        # dimorphite-dl does not catch errors of the libraries that it calls.
        return _untouched(mol, "dimorphite-dl could not treat it", warnings)
    sites = _titrate(neutral, [*known.values(), *rest], ph)
    made = _apply(neutral, sites)
    if made is None:
        return _untouched(mol, "the state for this pH cannot be drawn", warnings)
    near = {index: abs(each.pka - ph) for index, each in enumerate(sites) if _is_near(each, ph)}
    for index in range(len(sites)):
        if most == 1 or index not in near:
            warnings.extend(_doubts(neutral, sites, index, ph))
    warnings.extend(_carbon_acids(neutral, known.values(), ph))
    charged, order = made
    place = {atom: index for index, atom in enumerate(order)}
    for reason, atoms in _uncertain(neutral, sites, known, ph).items():
        warnings.append(_uncertainty(charged, sorted(place[atom] for atom in atoms), reason))
    forms = [
        ProtonatedForm(Protonated(charged, "model", {place[each.site.atom]: each for each in sites}), 0.0)
    ]
    for chosen, units in _choices(near, most)[1:]:
        state = _turned(neutral, sites, chosen)
        if state is not None:
            forms.append(ProtonatedForm(state, round(units, 2)))
    return forms, 2 ** len(near)


def as_given(mol: Chem.Mol) -> Protonated:
    """The molecule in the state in which it was given, with its atoms in the one canonical order."""
    ordered = canonical_order(Chem.Mol(mol))
    return Protonated(mol if ordered is None else ordered[0], "as_given", {})


def task_warning(code: str, message: str) -> TaskWarning:
    """A warning of one line that is short enough to be listed."""
    return {"code": code, "message": one_line(message, _WARNING_CHARACTERS)}


def _untouched(mol: Chem.Mol, reason: str, warnings: list[TaskWarning]) -> tuple[list[ProtonatedForm], int]:
    message = f"The charges for the pH could not be set ({reason}); the ligand was docked as it was given."
    warnings.append(task_warning("PROTONATION_NOT_APPLIED", message))
    return [ProtonatedForm(as_given(mol), 0.0)], 1


def _is_near(each: TitratedSite, ph: float) -> bool:
    return abs(each.pka - ph) <= NEAR_PKA_UNITS


def _choices(near: Mapping[int, float], most: int) -> list[tuple[frozenset[int], float]]:
    """The sets of sites that are turned round and the pKa units that each set costs, the cheapest first."""
    chosen: list[tuple[frozenset[int], float]] = [(frozenset(), 0.0)]
    for site, units in near.items():
        chosen += [(others | {site}, total + units) for others, total in chosen]
        # What is cut off here cannot come back: every further site only adds.
        chosen = sorted(chosen, key=lambda entry: entry[1])[:most]
    return chosen


def _turned(neutral: Chem.Mol, sites: Sequence[TitratedSite], chosen: Set[int]) -> Protonated | None:
    """The molecule with some sites the other way round; None where that cannot be drawn."""
    turned = [
        replace(each, has_proton=each.has_proton != (index in chosen)) for index, each in enumerate(sites)
    ]
    made = _apply(neutral, turned)
    if made is None:
        return None
    place = {atom: index for index, atom in enumerate(made[1])}
    return Protonated(made[0], "model", {place[each.site.atom]: each for each in turned})


def _titrate(neutral: Chem.Mol, sites: Sequence[Site], ph: float) -> list[TitratedSite]:
    ordered = sorted((site for site in sites if site.kind in {"acid", "base"}), key=lambda site: site.atom)
    steps = effective_pkas(neutral, [site for site in ordered if site.kind == "base"])
    steps |= phosphate_pkas(neutral, [site for site in ordered if site.kind == "acid"], ph)
    titrated = []
    for site in ordered:
        pka = steps.get(site.atom, site.pka)
        # A site exactly at the pH is drawn without a charge.
        has_proton = pka > ph if site.kind == "base" else pka >= ph
        titrated.append(TitratedSite(site, pka, has_proton))
    return titrated


def _apply(neutral: Chem.Mol, sites: Iterable[TitratedSite]) -> tuple[Chem.Mol, list[int]] | None:
    """The molecule in the states of its sites.

    The list tells the index that each atom has in the uncharged molecule.
    """
    mol = Chem.RWMol(neutral)
    for each in sites:
        atom = mol.GetAtomWithIdx(each.site.atom)
        if each.has_proton and each.site.kind == "base":
            set_protons(atom, 1, atom.GetTotalNumHs() + 1)
        elif not each.has_proton and each.site.kind == "acid":
            set_protons(atom, -1, atom.GetTotalNumHs() - 1)
    return canonical_order(mol)


def _uncertain(
    neutral: Chem.Mol, sites: Sequence[TitratedSite], known: Iterable[int], ph: float
) -> dict[str, list[int]]:
    """The reasons for which a state rests on no measured value, with their atoms; not what is doubted already."""
    reasons: dict[str, list[int]] = {}
    for each in sites:
        # Beside another cation a class mean is so far from the pH that its spread does not matter.
        is_mean = each.pka == each.site.pka
        if is_mean and _CERTAIN_SPREAD < each.site.spread < abs(each.pka - ph):
            reason = (
                f"{each.site.group}: pKa {each.pka:g} is a class mean that spreads by {each.site.spread:g}"
            )
            reasons.setdefault(reason, []).append(each.site.atom)
    decided = {*known, *(each.site.atom for each in sites)}
    for atom, name in undecided_groups(neutral, decided).items():
        reason = f"{name}: neither the table nor dimorphite-dl has a pKa for it, and it is left uncharged"
        reasons.setdefault(reason, []).append(atom)
    return reasons


def _uncertainty(charged: Chem.Mol, places: Sequence[int], reason: str) -> TaskWarning:
    """A warning that names atoms, counted from 1, of the SMILES that is docked."""
    atoms = ", ".join(f"{charged.GetAtomWithIdx(place).GetSymbol()} {place + 1}" for place in places)
    return task_warning("PROTONATION_UNCERTAIN", f"{reason}; atom {atoms} of {Chem.MolToSmiles(charged)}")


def _carbon_acids(neutral: Chem.Mol, sites: Iterable[Site], ph: float) -> list[TaskWarning]:
    """The warnings about carbons that give their proton at the pH and keep it here."""
    return [
        task_warning(
            "PROTONATION_DOUBTFUL",
            f"{each.group}: its carbon has a pKa of about {each.pka:g} and keeps its proton, because the tautomer "
            f"stays as it was sent; its enol, which gets its charge at pH {ph:g}: {enol_smiles(neutral, each.atom)}",
        )
        for each in sites
        if each.kind == "carbon" and each.pka < ph + NEAR_PKA_UNITS
    ]


def _doubts(neutral: Chem.Mol, sites: Sequence[TitratedSite], index: int, ph: float) -> list[TaskWarning]:
    """The warnings about a site: its pKa is near the pH, or is only a class mean that spreads over the pH."""
    each = sites[index]
    is_near = _is_near(each, ph)
    if not is_near and abs(each.pka - ph) > each.site.spread:
        return []
    other = _turned(neutral, sites, {index})
    state = "is not drawn" if other is None else Chem.MolToSmiles(other.mol)
    if is_near:
        code, where = "PROTONATION_NEAR_PKA", f"pKa {each.pka:g} is within {NEAR_PKA_UNITS:g} of pH {ph:g}"
    else:
        code = "PROTONATION_DOUBTFUL"
        where = f"pKa {each.pka:g} is a class mean that spreads by {each.site.spread:g} over pH {ph:g}"
    return [task_warning(code, f"{each.site.group}: {where}; the other state: {state}")]
