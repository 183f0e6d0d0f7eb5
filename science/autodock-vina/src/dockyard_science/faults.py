"""Faults of a model that another side chain would mend, or the absence of a residue, and which residue it is.

Two atoms that stand in each other say nothing about which of them is wrong. Between residues, backbones are taken as
they are; of two side chains the one with more such contacts is wrong, then the one that is torn, then the one that is
bent off its backbone. A residue whose own backbone is torn or not there is no residue that anything can be built on.
Nothing of this depends on the box.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dockyard_science.linked import is_cap
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Atom, Residue, ResidueKey
from dockyard_structures.residues import AMINO_ACIDS, BACKBONE

#: Two atoms of two residues, or of one residue, that cannot both stand where they do.
Pair = tuple[Residue, Atom, Residue, Atom]

#: The atoms that stay of a residue when its side chain is removed; its first carbon is not among them.
KEPT_ATOMS = frozenset({*BACKBONE, "OXT"})

# The nearest atom is bonded to this atom: the longest such bond, between carbon and sulfur, has 1.8 Å.
_TORN_ANGSTROM = 2.1

# Where CB lies from CA, by the vectors N-CA, CA-C and their product, for the mean angles of crystals.
_CB_WEIGHTS = (-0.58273431, 0.56802827, -0.54067466)


@dataclass(frozen=True)
class Culprit:
    """A residue that is wrong, and the atoms that show the fault; `whole` where another side chain would not help."""

    key: ResidueKey
    atoms: frozenset[str]
    whole: bool = False


class SideChainError(ScienceError):
    """A receptor cannot be prepared as it stands; with other side chains of the culprits, or without them, it may be.

    Without culprits no residue is to blame.
    """

    def __init__(self, code: str, message: str, culprits: Sequence[Culprit] = ()) -> None:
        """Keep the culprits beside code and message."""
        super().__init__(code, message)
        self.culprits = tuple(culprits)

    def __reduce__(self) -> tuple[type[ScienceError], tuple[str, str]]:
        """Pickle the error as a plain ScienceError, which has everything that another process uses."""
        return (ScienceError, (self.code, self.message))


def blame(pairs: Sequence[Pair]) -> list[Culprit]:
    """The side chains that are wrong in these pairs; none where a pair has no side chain that could change.

    A cap is a program's own, so it is wrong as a whole wherever it touches anything.
    """
    candidates = [_candidates(pair) for pair in pairs]
    if not all(candidates):
        return []
    counts = Counter(residue.key for each in candidates for residue, _ in each)
    atoms: dict[ResidueKey, set[str]] = {}
    caps: set[ResidueKey] = set()
    for each in candidates:
        worst, _ = max(each, key=lambda end: (counts[end[0].key], *_wrongness(end[0]), end[0].key))
        atoms.setdefault(worst.key, set()).update(atom.name for residue, atom in each if residue is worst)
        if is_cap(worst):
            caps.add(worst.key)
    return [Culprit(key, frozenset(names), whole=key in caps) for key, names in atoms.items()]


def own_culprit(residue: Residue) -> Culprit:
    """A modified residue as the culprit by itself: beyond CB it cannot be, without a whole backbone not at all."""
    names = frozenset(atom.name for atom in residue.heavy_atoms)
    return Culprit(residue.key, names - KEPT_ATOMS - {"CB"}, whole=not names.issuperset(BACKBONE))


def ideal_cb(residue: Residue) -> np.ndarray | None:
    """Where CB belongs by N, CA and C, in angstrom; None where one of them is missing."""
    frame = [residue.atom(name) for name in ("N", "CA", "C")]
    if any(atom is None for atom in frame):
        return None
    nitrogen, alpha, carbon = (np.array(atom.position) for atom in frame if atom is not None)
    first, second = alpha - nitrogen, carbon - alpha
    across, along, against = _CB_WEIGHTS
    place: np.ndarray = alpha + across * np.cross(first, second) + along * first + against * second
    return place


def cb_deviation(residue: Residue) -> float:
    """How far CB is from where it belongs, in angstrom; 0 where there is none."""
    carbon, place = residue.atom("CB"), ideal_cb(residue)
    if carbon is None or place is None:
        return 0.0
    return float(np.linalg.norm(np.array(carbon.position) - place))


def is_side_chain(residue: Residue, atom: Atom) -> bool:
    """Whether an atom belongs to the side chain of one of the twenty amino acids."""
    is_amino = residue.name in AMINO_ACIDS and not (residue.hetero or residue.linked)
    return is_amino and atom.name not in KEPT_ATOMS


def _candidates(pair: Pair) -> list[tuple[Residue, Atom]]:
    first, first_atom, second, second_atom = pair
    ends = ((first, first_atom), (second, second_atom))
    caps = [end for end in ends if is_cap(end[0])]
    return caps or [end for end in ends if is_side_chain(*end)]


def _wrongness(residue: Residue) -> tuple[bool, float]:
    heavy = residue.heavy_atoms
    loosest = max(
        (
            min(
                (math.dist(atom.position, other.position) for other in heavy if other is not atom),
                default=0.0,
            )
            for atom in heavy
            if is_side_chain(residue, atom)
        ),
        default=0.0,
    )
    return loosest > _TORN_ANGSTROM, round(cb_deviation(residue), 2)
