"""Tells of stereo that labels of single atoms do not say: what stands for a racemate, and axes that are chiral."""

from collections.abc import Iterator
from itertools import combinations

from rdkit import Chem

from dockyard_science.ligand_protonation import task_warning
from dockyard_session.tool import TaskWarning

_RACEMATE = Chem.StereoGroupType.STEREO_AND
_UNKNOWN = Chem.StereoGroupType.STEREO_OR
_AXIS_LABELS = frozenset({Chem.BondStereo.STEREOATROPCW, Chem.BondStereo.STEREOATROPCCW})

_ALLENE = Chem.MolFromSmarts("[CX3;!r]=[CX2]=[CX3;!r]")
# Two aromatic rings that can hardly turn about their bond, if three of the four atoms beside it carry something; one
# that carries no more than fluorine, a hydroxyl or an amino group counts as half.
_BIARYL = Chem.MolFromSmarts("a-!@a")
_SMALL = Chem.MolFromSmarts("[F,$([OX2;H1]),$([NX3;H2])]")
_FEWEST_HALVES = 6
_BOTH = 2


def warn_of_relative_stereo(
    mol: Chem.Mol, warnings: list[TaskWarning], *, is_each_docked: bool = False
) -> None:
    """Say that what was drawn is one of two: enhanced stereo of a SMILES or of a V3000 molfile."""
    kinds = {group.GetGroupType() for group in mol.GetStereoGroups()}
    if _RACEMATE in kinds:
        told = "The input stands for a mixture with mirror images (&, STERAC: a racemate)"
    elif _UNKNOWN in kinds:
        told = "The input stands for one of two mirror images and does not say for which (o, STEREL)"
    else:
        return
    done = (
        "each of them was docked as a state."
        if is_each_docked
        else "the isomer that is drawn was docked. Send the other one as well to have both."
    )
    warnings.append(task_warning("STEREO_RELATIVE", f"{told}; {done}"))


def warn_of_axes(mol: Chem.Mol, warnings: list[TaskWarning]) -> None:
    """Say that one of two forms was docked where nothing says which.

    So it is of an allene, of a biaryl that cannot turn, and of a spiro atom that is chiral by the sides of its rings.
    """
    ranks = list(Chem.CanonicalRankAtoms(mol, breakTies=False))
    kinds = [*_allenes(mol, ranks), *_biaryls(mol, ranks), *_spiro_atoms(mol, ranks)]
    if kinds:
        smiles = Chem.MolToSmiles(mol, canonical=False)
        message = (
            f"{' and '.join(kinds)} of {smiles}: both forms are possible, and one of them was docked; a form that was"
            " sent is not kept."
        )
        warnings.append(task_warning("STEREO_AXIS_OPEN", message))


def _allenes(mol: Chem.Mol, ranks: list[int]) -> Iterator[str]:
    for first, middle, last in mol.GetSubstructMatches(_ALLENE):
        if _differ(mol, ranks, first, {middle}) and _differ(mol, ranks, last, {middle}):
            yield f"the allene at atom {middle + 1} is chiral"


def _biaryls(mol: Chem.Mol, ranks: list[int]) -> Iterator[str]:
    small = {atom for (atom,) in mol.GetSubstructMatches(_SMALL)}
    for one, other in mol.GetSubstructMatches(_BIARYL):
        if mol.GetBondBetweenAtoms(one, other).GetStereo() in _AXIS_LABELS:
            continue
        carried = sum(
            _carried_halves(mol, near, end, small)
            for end, far in ((one, other), (other, one))
            for near in _near(mol, end, {far})
        )
        is_chiral = _differ(mol, ranks, one, {other}) and _differ(mol, ranks, other, {one})
        if carried >= _FEWEST_HALVES and is_chiral:
            yield f"the rings cannot turn about the bond of atoms {one + 1} and {other + 1}"


def _spiro_atoms(mol: Chem.Mol, ranks: list[int]) -> Iterator[str]:
    """Atoms of two rings with alike sides, of which RDKit knows no label: it wants four neighbours that all differ."""
    rings = [set(ring) for ring in mol.GetRingInfo().AtomRings()]
    for one, other in combinations(rings, 2):
        shared = one & other
        if len(shared) != 1:
            continue
        (atom,) = shared
        sides = [[ranks[near] for near in _near(mol, atom, set()) if near in ring] for ring in (one, other)]
        is_chiral = all(len(set(side)) == len(side) == _BOTH for side in sides)
        is_labelled = mol.GetAtomWithIdx(atom).GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED
        if is_chiral and not is_labelled and set(sides[0]) & set(sides[1]):
            yield f"the spiro atom {atom + 1} is chiral"


def _near(mol: Chem.Mol, atom: int, without: set[int]) -> list[int]:
    return [near.GetIdx() for near in mol.GetAtomWithIdx(atom).GetNeighbors() if near.GetIdx() not in without]


def _carried_halves(mol: Chem.Mol, atom: int, ring_atom: int, small: set[int]) -> int:
    """What an atom beside the axis carries: 2 for a group or a further ring, 1 for a small group, 0 for hydrogen."""
    carried = [near for near in _near(mol, atom, {ring_atom}) if not _is_of_ring(mol, atom, near, ring_atom)]
    return max((1 if near in small else 2 for near in carried), default=0)


def _is_of_ring(mol: Chem.Mol, atom: int, near: int, ring_atom: int) -> bool:
    """Whether the neighbour goes on in the ring of the axis."""
    return any({atom, near, ring_atom} <= set(ring) for ring in mol.GetRingInfo().AtomRings())


def _differ(mol: Chem.Mol, ranks: list[int], end: int, axis: set[int]) -> bool:
    """Whether the two sides of an end of the axis can be told apart."""
    sides = [ranks[near] for near in _near(mol, end, axis)]
    hydrogens = mol.GetAtomWithIdx(end).GetTotalNumHs()
    return len(sides) + hydrogens > 1 and len(set(sides)) == len(sides) and hydrogens < _BOTH
