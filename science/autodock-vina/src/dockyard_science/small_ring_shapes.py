"""Finds the shapes of rings of 5 to 9 atoms: chair and boat, the puckers of a sugar, axial and equatorial groups.

Each ring system is looked at by itself, cut out of the molecule, so that a chain's energy does not hide the ring's, and
so that what one ligand of a batch has had is known for the next. Shapes within a window of energies are kept; a
molecule has every combination of the shapes of its rings, lowest first, up to a number. The shape that the molecule was
built with is always the first, whatever its energy, so that no ligand scores worse than it would in that shape alone.
The same molecule gives the same shapes, whatever was asked before.
"""

from dataclasses import dataclass

import numpy as np
from rdkit import Chem

from dockyard_science.ring_search import (
    ENERGY_DIGITS,
    MOST_OF_A_RING,
    SMALL_SHAPE_RMSD_ANGSTROM,
    WINDOW_KCAL_MOL,
    Sampled,
    energy_above,
    sample,
)
from dockyard_science.ring_systems import RingPart, cut_part, place_part
from dockyard_science.shape_distance import shape_distance, symmetries
from dockyard_science.stereo import stereo_agrees

# Combinations of shapes that are looked at; a chain of sugars has thousands.
_MOST_COMBINED = 64


@dataclass(frozen=True)
class _Choice:
    """A shape of one ring system; the conformer is None for the shape that the molecule was built with.

    `strain` is the energy where that of a ring that goes round is not counted.
    """

    energy: float
    conformer: int | None
    strain: float


@dataclass(frozen=True)
class SmallShapes:
    """The molecule as it was built and in its other shapes, lowest first, of `distinct`.

    Energies are above the lowest; strains are the part of them that is not of rings that go round.
    """

    mols: list[Chem.Mol]
    energies: list[float]
    strains: list[float]
    made: int
    distinct: int


def small_ring_shapes(
    built: Chem.Mol, plain: Chem.Mol, systems: list[set[int]], most: int
) -> SmallShapes | None:
    """The shapes of a molecule whose ring systems that bend are given, at most so many, the built one first.

    None where no other lies in the window. A ring system that no force field knows stays.
    """
    parts = [part for part in (cut_part(plain, system) for system in systems) if part is not None]
    looked_at = [(part, sample(part.smiles, part.stiff_rows)) for part in parts]
    found = [(part, sampled) for part, sampled in looked_at if sampled is not None]
    choices = [_choices(built, part, sampled) for part, sampled in found]
    others = [entry for entry in _combined(choices) if not all(map(_is_built, entry[1]))]
    own = [choice for each in choices for choice in each if _is_built(choice)]
    shapes = [(Chem.Mol(built), sum(choice.energy for choice in own), own)]
    for energy, chosen in others:
        if len(shapes) == most:
            break
        mol = Chem.Mol(built)
        for (part, sampled), choice in zip(found, chosen, strict=True):
            if choice.conformer is not None:
                place_part(mol, part, sampled.mol, choice.conformer)
        if stereo_agrees(mol):
            shapes.append((mol, energy, chosen))
    if len(shapes) == 1:
        return None
    energies = _above_lowest([energy for _, energy, _ in shapes])
    strains = _above_lowest([sum(choice.strain for choice in chosen) for _, _, chosen in shapes])
    made = sum(sampled.made for _, sampled in found)
    return SmallShapes([mol for mol, _, _ in shapes], energies, strains, made, 1 + len(others))


def _above_lowest(energies: list[float]) -> list[float]:
    lowest = min(energies)
    return [round(energy - lowest, ENERGY_DIGITS) + 0.0 for energy in energies]


def _is_built(choice: _Choice) -> bool:
    return choice.conformer is None


def _combined(choices: list[list[_Choice]]) -> list[tuple[float, list[_Choice]]]:
    """The combinations of the shapes of all ring systems within the window, lowest first, and their energies."""
    within: list[tuple[float, list[_Choice]]] = [(0.0, [])]
    for more in choices:
        longer = [
            (round(energy + choice.energy, ENERGY_DIGITS), [*chosen, choice])
            for energy, chosen in within
            for choice in more
            if energy + choice.energy <= WINDOW_KCAL_MOL
        ]
        within = sorted(longer, key=lambda entry: entry[0])[:_MOST_COMBINED]
    return within


def _choices(built: Chem.Mol, part: RingPart, sampled: Sampled) -> list[_Choice]:
    """The shapes of one ring system, lowest first; that of the molecule as it was built stands in place of its like.

    Where it has no like, as a boat that ETKDG left, it is there beside them.
    """
    rows = (list(part.stiff_rows), symmetries(sampled.mol, list(part.stiff_rows)))
    choices = [_choice(sampled, energy, number) for number, energy in enumerate(sampled.energies)]
    with_own = Chem.Mol(sampled.mol)
    conformer = _with_places_of(built, part, sampled.mol)
    own = with_own.AddConformer(conformer, assignId=True)
    gaps = [shape_distance(with_own, own, number, parts=[rows]) for number in range(len(choices))]
    nearest = int(np.argmin(gaps))
    if gaps[nearest] < SMALL_SHAPE_RMSD_ANGSTROM:
        choices[nearest] = _choice(sampled, choices[nearest].energy, None)
        return choices
    energy = energy_above(sampled, part.smiles, conformer)
    return [*choices[: MOST_OF_A_RING - 1], _choice(sampled, energy, None)]


def _choice(sampled: Sampled, energy: float, conformer: int | None) -> _Choice:
    return _Choice(energy, conformer, 0.0 if sampled.goes_round else energy)


def _with_places_of(built: Chem.Mol, part: RingPart, mol: Chem.Mol) -> Chem.Conformer:
    conformer = Chem.Conformer(mol.GetConformer(0))
    for row, atom in enumerate(part.atoms):
        conformer.SetAtomPosition(row, built.GetConformer().GetAtomPosition(atom))
    return conformer
