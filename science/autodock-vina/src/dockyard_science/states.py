"""The states that a ligand stands for where likely ones are asked for: tautomers, protonation states and isomers.

A state costs what it takes to bring the ligand into it: RT ln 10, that is 1.36 kcal/mol at 298 K, for each unit of pKa
by which it lies above the likeliest one. (A site whose pKa is one unit from the pH is in its rarer form once in ten
times, and the free energy of a ratio is RT ln of it; so a state's score and cost add up to one free energy.) Isomers
are molecules of which nobody knows which one is meant, so they cost nothing. How the ligand was drawn does not matter
to the order: states of one cost stand in the order of their SMILES.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rdkit import Chem
from rdkit.Chem.EnumerateStereoisomers import EnumerateStereoisomers, StereoEnumerationOptions

from dockyard_science.ligand_neutral import hydrogen_name
from dockyard_science.ligand_protonation import Protonated, protonated_forms, task_warning
from dockyard_science.stereo import MOST_ENUMERATED, OpenStereo, stereo_choices
from dockyard_science.tautomers import near_tautomers, tautomer_of
from dockyard_session.tool import TaskWarning

#: What a unit of pKa costs: RT ln 10 at 298.15 K.
KCAL_MOL_PER_UNIT = 1.36

#: The most isomers of one form of a molecule, and the most states in all.
MOST_ISOMERS, MOST_STATES = 8, 16


@dataclass(frozen=True)
class LigandState:
    """A state that may be built: an isomer of a form, which is a tautomer in a protonation state.

    `form` names the form, whatever its isomer; `cost` is in kcal/mol.
    """

    isomer: Chem.Mol
    protonated: Protonated
    form: str
    cost: float
    unknown: OpenStereo


@dataclass(frozen=True)
class LikelyStates:
    """The states that are looked at, the likeliest first, of so many that there are on paper."""

    states: list[LigandState]
    on_paper: int


def likely_states(mol: Chem.Mol, ph: float, warnings: list[TaskWarning]) -> LikelyStates:
    """The states of a molecule without salts, adding to `warnings` what is doubtful of its forms."""
    states: dict[str, LigandState] = {}
    on_paper = 0
    for number, drawn in enumerate(relative_isomers(mol)):
        # What is said of one mirror image holds for the other.
        for forms, combinations in _forms(drawn, ph, warnings if number == 0 else []):
            for place, (protonated, cost) in enumerate(forms):
                choices, unknown = stereo_choices(protonated.mol)
                if place == 0:
                    on_paper += combinations * _isomers(choices, unknown)
                form = hydrogen_name(_without_stereo(protonated.mol))
                for isomer in choices:
                    found = LigandState(isomer, protonated, form, cost, unknown)
                    name = hydrogen_name(isomer)
                    # Two tautomers may give one ion.
                    states[name] = min(found, states.get(name, found), key=_order)
    return LikelyStates(sorted(states.values(), key=_order), on_paper)


def relative_isomers(mol: Chem.Mol) -> list[Chem.Mol]:
    """The molecules that enhanced stereo stands for, in the order of their SMILES: both of a racemate."""
    if not mol.GetStereoGroups():
        return [mol]
    options = StereoEnumerationOptions(onlyStereoGroups=True, unique=True, maxIsomers=MOST_ENUMERATED)
    isomers = {str(Chem.MolToSmiles(each)): each for each in EnumerateStereoisomers(mol, options=options)}
    return [isomers[smiles] for smiles in sorted(isomers)]


def limit_warning(built: int, on_paper: int) -> TaskWarning:
    """Says that there are more states than are docked."""
    message = (
        f"The ligand has {on_paper:,} likely states on paper (isomers, protonation states, tautomers); the {built} "
        f"likeliest of them were taken: at most {MOST_ISOMERS} isomers of a form and {MOST_STATES} states in all. "
        "Draw the stereo that is known."
    )
    return task_warning("STATES_LIMITED", message)


def _order(state: LigandState) -> tuple[float, str]:
    return state.cost, str(Chem.MolToSmiles(state.isomer))


def _without_stereo(mol: Chem.Mol) -> Chem.Mol:
    plain = Chem.Mol(mol)
    Chem.RemoveStereochemistry(plain)
    return plain


_Form = tuple[Protonated, float]


def _forms(mol: Chem.Mol, ph: float, warnings: list[TaskWarning]) -> Iterator[tuple[list[_Form], int]]:
    """The protonation states of each likely tautomer with their costs, and how many there would be of it."""
    for tautomer, above in near_tautomers(tautomer_of(mol, "likely", ph, warnings)):
        # One more than are docked shows that there are more.
        forms, combinations = protonated_forms(tautomer, ph, warnings, most=MOST_STATES + 1)
        yield [(form.state, _cost(above + form.units)) for form in forms], combinations
        warnings = []


def _cost(units: float) -> float:
    return round(units * KCAL_MOL_PER_UNIT, 3)


def _isomers(choices: list[Chem.Mol], unknown: OpenStereo) -> int:
    """How many isomers there are; of more than are enumerated all that can be written."""
    if len(choices) < MOST_ENUMERATED:
        return len(choices)
    return int(2 ** (unknown.centres + unknown.double_bonds))
