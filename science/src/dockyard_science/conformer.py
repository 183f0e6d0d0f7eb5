"""Gives a molecule three dimensions: ETKDG version 3 from a seed of its own, then MMFF94, else UFF.

The seed is fixed and not the job's: what is docked must not change with the seed of the search.
"""

from collections.abc import Iterable
from typing import Any

from rdkit import Chem
from rdkit.Chem import rdDistGeom, rdForceFieldHelpers

from dockyard_science.errors import ScienceError
from dockyard_science.stereo import stereo_agrees

#: The seed of every embedding.
EMBED_SEED = 61453

_EMBED_ITERATIONS = 50
_FORCE_FIELD_STEPS = 2000


def build_conformer(candidates: Iterable[Chem.Mol]) -> tuple[Chem.Mol, str]:
    """Build the first candidate that can be built.

    Answers with the molecule (explicit hydrogens, one conformer, angstrom) and the force field used. Raises
    ScienceError LIGAND_EMBED_FAILED when none can.
    """
    for candidate in candidates:
        mol = _embed(candidate)
        if mol is None:
            continue
        force_field = _relax(mol)
        if stereo_agrees(mol):
            return mol, force_field
    message = (
        "No three-dimensional structure could be built for this molecule; check its stereochemistry and ring "
        "closures, or send a part of it."
    )
    raise ScienceError("LIGAND_EMBED_FAILED", message)


def _embed(isomer: Chem.Mol) -> Chem.Mol | None:
    mol = Chem.AddHs(isomer)
    # Any, because the types that come with RDKit have its attributes wrong.
    parameters: Any = rdDistGeom.ETKDGv3()
    parameters.randomSeed = EMBED_SEED
    parameters.numThreads = 1
    parameters.maxIterations = _EMBED_ITERATIONS
    for is_random in (False, True):
        # Random coordinates help where the distance matrix alone leads nowhere, as in large rings.
        parameters.useRandomCoords = is_random
        try:
            if rdDistGeom.EmbedMolecule(mol, parameters) == 0:
                return mol
        except (RuntimeError, ValueError):
            # An invariant of RDKit's minimiser, seen with strained rings; other coordinates may do.
            continue
    return None


def _relax(mol: Chem.Mol) -> str:
    if mol.GetNumBonds() == 0:
        return "none"
    if rdForceFieldHelpers.MMFFHasAllMoleculeParams(mol):
        rdForceFieldHelpers.MMFFOptimizeMolecule(mol, mmffVariant="MMFF94", maxIters=_FORCE_FIELD_STEPS)
        return "MMFF94"
    if rdForceFieldHelpers.UFFHasAllMoleculeParams(mol):
        rdForceFieldHelpers.UFFOptimizeMolecule(mol, maxIters=_FORCE_FIELD_STEPS)
        return "UFF"
    return "none"
