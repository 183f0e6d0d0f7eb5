"""Gives a molecule three dimensions: ETKDG version 3 from a seed of its own, then MMFF94, else UFF.

The seed is fixed and not the job's: what is docked must not change with the seed of the search.

In a vacuum the two ends of a zwitterion pull at each other until a double bond between them gives way. Vina turns what
was folded but not a double bond, so such a conformer is relaxed again from its embedding, with charges that act as in
water.
"""

from collections.abc import Iterable
from typing import Any

from rdkit import Chem
from rdkit.Chem import rdDistGeom, rdForceFieldHelpers, rdMolTransforms

from dockyard_science.stereo import stereo_agrees
from dockyard_session.errors import ScienceError

#: The seed of every embedding.
EMBED_SEED = 61453

_EMBED_ITERATIONS = 50
_FORCE_FIELD_STEPS = 2000

_WATER_DIELECTRIC = 78.4

# Further than this out of its plane a double bond between two carbons is twisted.
_TWIST_DEGREES = 10.0
_DOUBLE_BOND = Chem.MolFromSmarts("[!#1]~[C;X3]=[C;X3]~[!#1]")

# Of many conformers each may fail; few attempts bound the time of a molecule that is hard to embed.
_MORE_ITERATIONS = 5


def build_conformer(candidates: Iterable[Chem.Mol]) -> tuple[Chem.Mol, str]:
    """Build the first candidate that can be built.

    Answers with the molecule (explicit hydrogens, one conformer, angstrom) and the force field used. Raises
    ScienceError LIGAND_EMBED_FAILED when none can.
    """
    last = Chem.Mol()
    for last in candidates:
        mol = _embed(last)
        if mol is None:
            continue
        force_field = _relax(mol)
        if stereo_agrees(mol):
            return mol, force_field
    raise ScienceError("LIGAND_EMBED_FAILED", _why_not(last))


def _why_not(mol: Chem.Mol) -> str:
    """Blame the labels of a molecule only where it can be built without them."""
    told = "No three-dimensional structure could be built for this molecule"
    bare = Chem.Mol(mol)
    Chem.RemoveStereochemistry(bare)
    if Chem.MolToSmiles(bare) != Chem.MolToSmiles(mol) and _embed(bare) is not None:
        return f"{told} with its stereochemistry, though there is one without; check its labels."
    return f"{told}, which may be drawn rightly: its rings are too strained or crowded for ETKDG. Send a part of it."


def embed_more(built: Chem.Mol, count: int, seed: int, *, is_random: bool) -> Chem.Mol:
    """Embed a molecule that was built `count` times more, from random coordinates or from the distance matrix.

    Conformers that fail are missing, and none is relaxed.
    """
    mol = Chem.Mol(built)
    parameters = _parameters(seed, _MORE_ITERATIONS)
    parameters.useRandomCoords = is_random
    try:
        rdDistGeom.EmbedMultipleConfs(mol, count, parameters)
    except (RuntimeError, ValueError):
        # RDKit fails with the same invariant as for the first conformer, and then none of these conformers can be used.
        mol.RemoveAllConformers()
    return mol


def relax_all(mol: Chem.Mol, force_field: str, steps: int = _FORCE_FIELD_STEPS) -> list[float]:
    """Relax every conformer in place by the named force field; their energies in kcal/mol, 0 without one."""
    match force_field:
        case "MMFF94":
            found = rdForceFieldHelpers.MMFFOptimizeMoleculeConfs(
                mol, numThreads=1, maxIters=steps, mmffVariant="MMFF94"
            )
        case "UFF":
            found = rdForceFieldHelpers.UFFOptimizeMoleculeConfs(mol, numThreads=1, maxIters=steps)
        case _:
            return [0.0] * mol.GetNumConformers()
    return [float(energy) for _, energy in found]


def properties_in_water(mol: Chem.Mol) -> Any:
    """MMFF94's parameters of a molecule, with charges that act as in water."""
    properties = rdForceFieldHelpers.MMFFGetMoleculeProperties(mol, "MMFF94")
    properties.SetMMFFDielectricConstant(_WATER_DIELECTRIC)
    return properties


def field_of(mol: Chem.Mol, properties: Any) -> Any:
    """The force field of a molecule's first conformer."""
    field = rdForceFieldHelpers.MMFFGetMoleculeForceField(mol, properties)
    field.Initialize()
    return field


def _embed(isomer: Chem.Mol) -> Chem.Mol | None:
    mol = Chem.AddHs(isomer)
    parameters = _parameters(EMBED_SEED, _EMBED_ITERATIONS)
    for is_random in (False, True):
        # Random coordinates help where the distance matrix alone finds no conformer, as in large rings.
        parameters.useRandomCoords = is_random
        try:
            if rdDistGeom.EmbedMolecule(mol, parameters) == 0:
                return mol
        except (RuntimeError, ValueError):
            # RDKit's minimiser fails with an invariant for some strained rings; other coordinates may work.
            continue
    return None


def _parameters(seed: int, iterations: int) -> Any:
    # The type is Any, because the type stubs of RDKit have its attributes wrong.
    parameters: Any = rdDistGeom.ETKDGv3()
    parameters.randomSeed = seed
    parameters.numThreads = 1
    parameters.maxIterations = iterations
    return parameters


def _relax(mol: Chem.Mol) -> str:
    if mol.GetNumBonds() == 0:
        return "none"
    if rdForceFieldHelpers.MMFFHasAllMoleculeParams(mol):
        embedded = mol.GetConformer().GetPositions()
        rdForceFieldHelpers.MMFFOptimizeMolecule(mol, mmffVariant="MMFF94", maxIters=_FORCE_FIELD_STEPS)
        if _is_zwitterion(mol) and _is_twisted(mol):
            mol.GetConformer().SetPositions(embedded)
            field_of(mol, properties_in_water(mol)).Minimize(maxIts=_FORCE_FIELD_STEPS)
        return "MMFF94"
    if rdForceFieldHelpers.UFFHasAllMoleculeParams(mol):
        rdForceFieldHelpers.UFFOptimizeMolecule(mol, maxIters=_FORCE_FIELD_STEPS)
        return "UFF"
    return "none"


def _is_zwitterion(mol: Chem.Mol) -> bool:
    charges = [atom.GetFormalCharge() for atom in mol.GetAtoms()]
    return min(charges) < 0 < max(charges)


def _is_twisted(mol: Chem.Mol) -> bool:
    conformer = mol.GetConformer()
    angles = (
        abs(rdMolTransforms.GetDihedralDeg(conformer, *atoms))
        for atoms in mol.GetSubstructMatches(_DOUBLE_BOND)
    )
    return any(min(angle, 180 - angle) > _TWIST_DEGREES for angle in angles)
