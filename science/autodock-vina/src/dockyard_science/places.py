"""Residues that a customer keeps or removes by place: chain, number, insertion code, whatever they are.

What is said of a place outweighs what is said of a component. Where two residues of an old file share a place, a
component is meant before the residue of the chain.
"""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

import gemmi

from dockyard_science.spec import PreparationSpec, ResidueRef
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Residue, ResidueKey
from dockyard_structures.residues import STATE_NAMES, insertion_code, is_polymer_name, is_water, short_list


@dataclass(frozen=True)
class Places:
    """The places that are retained and removed, and the waters that are retained by their distance."""

    retained: Set[ResidueKey] = frozenset()
    removed: Set[ResidueKey] = frozenset()
    waters: Set[ResidueKey] = frozenset()
    shared: Set[ResidueKey] = field(default=frozenset())

    def removes(self, chain: str, residue: gemmi.Residue) -> bool:
        """Whether a residue is to be removed."""
        key = place_of(chain, residue)
        name = STATE_NAMES.get(residue.name, residue.name)
        return key in self.removed and not (key in self.shared and is_polymer_name(name))

    def retains(self, chain: str, residue: gemmi.Residue) -> bool:
        """Whether a residue that is of no chain is to be kept."""
        key = place_of(chain, residue)
        return key in self.retained or (key in self.waters and is_water(residue.name))


def places_of(
    model: gemmi.Model, preparation: PreparationSpec, waters: Set[ResidueKey] = frozenset()
) -> Places:
    """The places that a preparation names.

    Raises RECEPTOR_RESIDUE_NOT_FOUND where a residue to retain is not in the model.
    """
    counts = Counter(place_of(chain.name, residue) for chain in model for residue in chain)
    retained = _keys(preparation.get("retainResidues", []))
    missing = sorted(retained - counts.keys())
    if missing:
        chains = short_list(chain.name for chain in model)
        message = (
            f"The selected chains ({chains}) have no residue {_named(missing)}, which retainResidues names."
        )
        raise ScienceError("RECEPTOR_RESIDUE_NOT_FOUND", message)
    shared = frozenset(key for key, count in counts.items() if count > 1)
    return Places(retained, _keys(preparation.get("removeResidues", [])), waters, shared)


def place_of(chain: str, residue: gemmi.Residue) -> ResidueKey:
    """The place of a residue of a file."""
    return (chain, residue.seqid.num or 0, insertion_code(residue))


def absent_warnings(places: Places, polymer: Sequence[Residue], gone: Set[ResidueKey]) -> list[TaskWarning]:
    """What was named for nothing: residues of chains to retain, and residues to remove that are not there."""
    warnings: list[TaskWarning] = []
    kept = sorted(places.retained & {residue.key for residue in polymer} - places.shared)
    if kept:
        message = f"{_named(kept)} is to be retained: it is part of a chain, which stays anyway."
        warnings.append({"code": "COMPONENT_NOT_FOUND", "message": message})
    absent = sorted(places.removed - gone)
    if absent:
        message = f"{_named(absent)} is to be removed: the selection does not have it."
        warnings.append({"code": "COMPONENT_NOT_FOUND", "message": message})
    return warnings


def _keys(references: Iterable[ResidueRef]) -> Set[ResidueKey]:
    return frozenset((each["chain"], each["residue"], each["insertionCode"].strip()) for each in references)


def _named(keys: Iterable[ResidueKey]) -> str:
    return short_list(f"{chain}:{number}{code}" for chain, number, code in keys)
