"""Finds the stereocentres that a cage holds: where small rings bridge one another, or one of them lies on another.

The two bridgeheads of norbornane point outwards and the two carbons of an epoxide on a ring to one side, since nothing
else can be built. So the centres of a cage are one choice at most, and not one each: of tropine's three centres one is
open, of adamantane's four none. Which labels fit together is read from a structure that is embedded without them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from rdkit import Chem
from rdkit.Chem import rdDistGeom, rdForceFieldHelpers

# With both rings as small as this no bridgehead can point into the cage.
_LARGEST_RING = 7
# Rings of these sizes lie on one that is no larger than this only as cis.
_CIS_ONLY = {3: 7, 4: 5}
_BRIDGED_BY = 3
_FUSED_BY = 2

_SEED = 61453
_ATTEMPTS = 40
_FORMS = 6
_INVERTED = {
    Chem.ChiralType.CHI_TETRAHEDRAL_CW: Chem.ChiralType.CHI_TETRAHEDRAL_CCW,
    Chem.ChiralType.CHI_TETRAHEDRAL_CCW: Chem.ChiralType.CHI_TETRAHEDRAL_CW,
}


@dataclass(frozen=True)
class Cage:
    """The open centres that a cage holds, and labels of them that fit together; a nitrogen needs none."""

    held: set[int]
    labels: dict[int, Chem.ChiralType]
    #: Whether the mirror image of the labels fits as well: not where a centre of the cage was given.
    is_free: bool


def find_cages(mol: Chem.Mol, open_centres: Iterable[int]) -> list[Cage]:
    """The cages of a molecule that hold some of its open centres."""
    unlabelled = set(open_centres)
    groups = [group for group in _groups(mol) if group & unlabelled]
    cages = []
    for group in groups:
        labels = _labels(mol, group)
        given = {atom: mol.GetAtomWithIdx(atom).GetChiralTag() for atom in labels}
        is_free = not any(tag in _INVERTED for tag in given.values())
        if any(given[atom] == _INVERTED[tag] for atom, tag in labels.items()):
            labels = {atom: _INVERTED[tag] for atom, tag in labels.items()}
        held = group & unlabelled
        cages.append(Cage(held, {atom: labels[atom] for atom in held if atom in labels}, is_free))
    return cages


def labelled(mol: Chem.Mol, cages: Sequence[Cage]) -> Iterator[Chem.Mol]:
    """The molecule with each of the labels that its cages may have together."""
    for mirrored in product(*([False, True] if cage.is_free else [False] for cage in cages)):
        made = Chem.Mol(mol)
        for cage, is_mirrored in zip(cages, mirrored, strict=True):
            for atom, tag in cage.labels.items():
                made.GetAtomWithIdx(atom).SetChiralTag(_INVERTED[tag] if is_mirrored else tag)
        yield made


def can_be_built(mol: Chem.Mol) -> bool:
    """Whether coordinates are found for the molecule with its labels."""
    return bool(rdDistGeom.EmbedMolecule(Chem.AddHs(mol), _parameters()) == 0)


def _groups(mol: Chem.Mol) -> list[set[int]]:
    """The atoms that hold one another, cage by cage."""
    groups: list[set[int]] = []
    for pair in _pairs(mol):
        joined = [group for group in groups if group & pair]
        groups = [group for group in groups if not group & pair]
        groups.append(pair.union(*joined))
    return groups


def _pairs(mol: Chem.Mol) -> Iterator[set[int]]:
    rings = [set(ring) for ring in Chem.GetSymmSSSR(mol)]
    for one, other in combinations(rings, 2):
        shared = one & other
        small, large = sorted((len(one), len(other)))
        is_bridged = len(shared) >= _BRIDGED_BY and large <= _LARGEST_RING
        is_fused = len(shared) == _FUSED_BY and large <= _CIS_ONLY.get(small, 0)
        if is_bridged or is_fused:
            ends = {
                atom
                for atom in shared
                if _leads_into(mol, atom, one - shared) and _leads_into(mol, atom, other - shared)
            }
            if len(ends) > 1:
                yield ends


def _leads_into(mol: Chem.Mol, atom: int, ring: set[int]) -> bool:
    return any(near.GetIdx() in ring for near in mol.GetAtomWithIdx(atom).GetNeighbors())


def _labels(mol: Chem.Mol, group: set[int]) -> dict[int, Chem.ChiralType]:
    """The labels of the atoms of a cage in its most stable form; empty where none can be built."""
    bare, kept = _bare_cage(mol, group)
    built = Chem.AddHs(bare)
    forms = list(rdDistGeom.EmbedMultipleConfs(built, _FORMS, _parameters()))
    if not forms:
        return {}
    # An epoxide across a ring can be built as well; it is known by its strain.
    energies = rdForceFieldHelpers.UFFOptimizeMoleculeConfs(built)
    lowest = min(zip(forms, energies, strict=True), key=lambda form: form[1][1])[0]
    # Every atom with four neighbours gets a label here, whether or not it can be told from its mirror image.
    Chem.AssignAtomChiralTagsFromStructure(built, lowest)
    tags = {atom: built.GetAtomWithIdx(index).GetChiralTag() for index, atom in enumerate(kept)}
    return {atom: tags[atom] for atom in sorted(group) if tags[atom] in _INVERTED}


def _parameters() -> Any:
    parameters: Any = rdDistGeom.ETKDGv3()
    parameters.randomSeed = _SEED
    parameters.maxIterations = _ATTEMPTS
    # A crowded cage is missed more often from the distance matrix.
    parameters.useRandomCoords = True
    return parameters


def _bare_cage(mol: Chem.Mol, group: set[int]) -> tuple[Chem.Mol, list[int]]:
    """The rings of a cage with a carbon for each neighbour, and which atoms of the molecule they are."""
    rings = {
        atom for ring in Chem.GetSymmSSSR(mol) if len(group.intersection(ring)) > 1 for atom in ring
    } | group
    beside = {near.GetIdx() for atom in rings for near in mol.GetAtomWithIdx(atom).GetNeighbors()} - rings
    bare = Chem.RWMol(mol)
    Chem.RemoveStereochemistry(bare)
    for bond in list(bare.GetBonds()):
        ends = (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
        if rings.isdisjoint(ends):
            bare.RemoveBond(*ends)
        elif bond.GetIsAromatic() or not rings.issuperset(ends):
            bond.SetBondType(Chem.BondType.SINGLE)
            bond.SetIsAromatic(False)
    for atom in beside:
        bare.ReplaceAtom(atom, Chem.Atom("C"))
    for atom in bare.GetAtoms():
        atom.SetIsAromatic(False)
    kept = sorted(rings | beside)
    bare.BeginBatchEdit()
    for index in range(mol.GetNumAtoms()):
        if index not in rings and index not in beside:
            bare.RemoveAtom(index)
    bare.CommitBatchEdit()
    Chem.SanitizeMol(bare, catchErrors=True)
    return bare, kept
