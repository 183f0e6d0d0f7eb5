"""Standard amino acids under names of programs, known by their heavy atoms, whatever a program calls them.

A program gives a residue a name of its own for a charge, a metal beside it or an end of the chain. What has the heavy
atoms of an amino acid under their names, its bonds and its hand is that amino acid, unless the dictionary has another
residue of that name to which these atoms belong. Where such a residue has hydrogens in the file, its name stood for
the state that they show, so they tell it. So does a usual name of a program for a charge that is not the usual one.
"""

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import gemmi
import numpy as np
from rdkit import Chem

from dockyard_science.ccd import Ccd
from dockyard_science.contacts import BOND_TOLERANCE, bond_radius
from dockyard_science.fixed_states import HISTIDINE_FORMS
from dockyard_science.model_confidence import Confidence, confidence_of
from dockyard_science.spec import FixedProtonationState, PreparationSpec
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Residue, ResidueKey
from dockyard_structures.program_names import is_hydrogen_name, standard_atom_names, standardise
from dockyard_structures.residues import (
    AMINO_ACIDS,
    LINK_ANGSTROM,
    STATE_NAMES,
    insertion_code,
    is_polymer_name,
    is_water,
    label,
    short_list,
)
from dockyard_structures.structure import SourceStructure, read_structure

State = Literal["anionic", "neutral", "cationic", "delta", "epsilon", "both"]

_END_OXYGEN = "OXT"
_ACID_OXYGENS = {"ASP": ("OD1", "OD2"), "GLU": ("OE1", "OE2")}
_HYDROGENS_OF_AMMONIUM = 3

# Names by which programs say a charge that the residue does not have by itself at pH 7.
_UNUSUAL_STATES: Mapping[str, State] = {
    "ASH": "neutral",
    "GLH": "neutral",
    "LYN": "neutral",
    "HIP": "both",
    "HSP": "both",
    "CYM": "anionic",
    "TYM": "anionic",
}
# The atoms that have lost their proton where a residue is called so.
_WITHOUT_PROTON = {"CYM": "SG", "TYM": "OH"}

# Hydrogens lie at 0.96 to 1.09 Å from their atom, after a poor minimisation a little further.
_HYDROGEN_ANGSTROM = 1.3


@dataclass(frozen=True)
class Renamed:
    """A residue of the file under its own name, the amino acid that it is, and the state that its hydrogens show."""

    key: ResidueKey
    label: str
    deposited_name: str
    name: str
    state: State | None

    def reference(self) -> dict[str, str | int]:
        """The row of a report that tells the renaming."""
        chain, number, code = self.key
        return {
            "chain": chain,
            "residue": number,
            "insertionCode": code,
            "residueName": self.deposited_name,
            "to": self.name,
        }


@dataclass(frozen=True)
class ReadReceptor:
    """A receptor's file as read, under standard names, the residues that had others, and a prediction's confidence."""

    source: SourceStructure
    renamed: Sequence[Renamed]
    confidence: Confidence | None

    def told_states(
        self, polymer: Sequence[Residue], preparation: PreparationSpec
    ) -> list[FixedProtonationState]:
        """The states that hydrogens of renamed residues tell, but for those that the customer has set."""
        names = {residue.key: residue.name for residue in polymer}
        fixed = {
            (each["chain"], each["residue"], each["insertionCode"].strip())
            for each in preparation["fixedProtonationStates"]
        }
        return [
            {
                "chain": each.key[0],
                "residue": each.key[1],
                "insertionCode": each.key[2],
                "residueName": each.name,
                "state": each.state,
                "reason": None,
            }
            for each in self.renamed
            if each.state is not None and each.key not in fixed and names.get(each.key) == each.name
        ]


def with_states(preparation: PreparationSpec, told: Sequence[FixedProtonationState]) -> PreparationSpec:
    """The preparation with further states beside those that the customer has set."""
    return {**preparation, "fixedProtonationStates": [*preparation["fixedProtonationStates"], *told]}


def read_receptor(path: Path, ccd: Ccd) -> ReadReceptor:
    """Read a receptor as `read_structure` does, and bring residues to the names of the amino acids that they are."""
    source = read_structure(path)
    renamed: dict[ResidueKey, Renamed] = {}
    for model in source.structure:
        for each in _rename(model, ccd):
            renamed.setdefault(each.key, each)
    if renamed:
        # The ends and atoms of what is renamed have the names of programs, too.
        source.remarks += standardise(source.structure)
        source.warnings.append(_warning(list(renamed.values())))
    confidence = confidence_of(source.structure, path.read_text(encoding="utf-8", errors="replace"))
    return ReadReceptor(source, list(renamed.values()), confidence)


def _warning(renamed: Sequence[Renamed]) -> TaskWarning:
    told = [f"{each.label} as {each.name}{f' ({each.state})' if each.state else ''}" for each in renamed]
    message = (
        "Residues were read as the amino acids whose atoms and bonds they have, "
        f"and in the states that their hydrogens show: {short_list(told, most=8)}."
    )
    return {"code": "RESIDUE_RENAMED", "message": message}


def _rename(model: gemmi.Model, ccd: Ccd) -> Iterator[Renamed]:
    for chain in model:
        for index, residue in enumerate(chain):
            known = STATE_NAMES.get(residue.name, residue.name)
            if is_water(residue.name) or residue.seqid.num is None:
                continue
            key = (chain.name, residue.seqid.num, insertion_code(residue))
            if is_polymer_name(known):
                state = _UNUSUAL_STATES.get(residue.name)
                if state is not None and _state(residue, known) == state:
                    yield Renamed(key, label(chain.name, residue), residue.name, known, state)
                continue
            after = chain[index + 1] if index + 1 < len(chain) else None
            name = _amino_acid(residue, after, ccd)
            if name is None:
                continue
            yield Renamed(key, label(chain.name, residue), residue.name, name, _state(residue, name))
            residue.name = name


def _amino_acid(residue: gemmi.Residue, after: gemmi.Residue | None, ccd: Ccd) -> str | None:
    """The amino acid that a residue is by its atoms, or None."""
    places = {atom.name: atom for atom in residue if not _is_hydrogen(atom)}
    for name, atoms in AMINO_ACIDS.items():
        if len(places) - len(atoms) not in {0, 1}:
            continue
        usual = standard_atom_names(name, places)
        own = {usual.get(each, each): atom for each, atom in places.items()}
        if own.keys() - {_END_OXYGEN} != set(atoms):
            continue
        if not all(map(_has_own_element, own, own.values())):
            return None
        if not _has_bonds(own, _skeleton(name, ccd)) or _is_right_handed(own):
            return None
        return None if _is_another(residue.name, name, own, after, ccd) else name
    return None


def _is_another(
    component_id: str,
    amino_acid: str,
    own: Mapping[str, gemmi.Atom],
    after: gemmi.Residue | None,
    ccd: Ccd,
) -> bool:
    """Whether the dictionary has a residue of this id that these atoms belong to, and that differs in a chain."""
    skeleton = _skeleton(component_id, ccd)
    names = own.keys() - {_END_OXYGEN}
    if not names <= skeleton.names:
        return False
    if names < skeleton.names:
        # Without its modification a residue is the one that was modified; cut shorter it is itself, incomplete.
        return ccd.parent(component_id) != amino_acid
    nitrogen = after.find_atom("N", "*") if after is not None else None
    # At the end of a chain an aldehyde has the atoms of an amino acid, too; within it there is no aldehyde.
    is_within = nitrogen is not None and own["C"].pos.dist(nitrogen.pos) < LINK_ANGSTROM
    return not is_within or skeleton.smiles != _skeleton(amino_acid, ccd).smiles


@dataclass(frozen=True)
class _Skeleton:
    """The heavy atoms of a residue without the oxygen that ends a chain: their names, bonds, and SMILES with stereo."""

    names: frozenset[str] = frozenset()
    bonds: tuple[tuple[str, str], ...] = ()
    smiles: str = ""


@functools.lru_cache(maxsize=256)
def _skeleton(component_id: str, ccd: Ccd) -> _Skeleton:
    molecule = ccd.molecule(component_id)
    if molecule is None:
        return _Skeleton()
    heavy = Chem.RWMol(Chem.RemoveHs(molecule))
    end = next((atom for atom in heavy.GetAtoms() if atom.GetProp("name") == _END_OXYGEN), None)
    if end is not None:
        heavy.RemoveAtom(end.GetIdx())
    names = [atom.GetProp("name") for atom in heavy.GetAtoms()]
    bonds = tuple((names[bond.GetBeginAtomIdx()], names[bond.GetEndAtomIdx()]) for bond in heavy.GetBonds())
    for atom in heavy.GetAtoms():
        # A program's name may stand for a charge, which makes no other residue.
        atom.SetFormalCharge(0)
        atom.SetNoImplicit(False)
        atom.SetNumExplicitHs(0)
    return _Skeleton(frozenset(names), bonds, Chem.MolToSmiles(heavy))


def _has_bonds(own: Mapping[str, gemmi.Atom], skeleton: _Skeleton) -> bool:
    return all(
        own[first].pos.dist(own[second].pos)
        < BOND_TOLERANCE * (bond_radius(first[0]) + bond_radius(second[0]))
        for first, second in skeleton.bonds
    )


def _is_right_handed(own: Mapping[str, gemmi.Atom]) -> bool:
    """Whether the alpha carbon has the hand of a D-amino acid."""
    if "CB" not in own:
        return False
    alpha, *others = (np.array(own[name].pos.tolist()) for name in ("CA", "N", "C", "CB"))
    return bool(np.linalg.det([other - alpha for other in others]) < 0)


def _has_own_element(name: str, atom: gemmi.Atom) -> bool:
    """Whether an atom is of the element that its name begins with; files take CA for calcium, or know none."""
    return atom.element.name[0] in {name[0], "X"}


def _is_hydrogen(atom: gemmi.Atom) -> bool:
    return bool(atom.is_hydrogen()) or is_hydrogen_name(atom.name)


def _state(residue: gemmi.Residue, name: str) -> State | None:
    """The state of a residue by its hydrogens; None where it has none, or none that tell one."""
    hydrogens = [atom for atom in residue if _is_hydrogen(atom)]
    if not hydrogens:
        return None

    def carried(owner: str) -> int:
        places = [atom for atom in residue if atom.name == owner]
        return sum(
            any(math.dist(each.pos.tolist(), atom.pos.tolist()) < _HYDROGEN_ANGSTROM for atom in places)
            for each in hydrogens
        )

    if name == "HIS":
        found = HISTIDINE_FORMS.get((carried("ND1") > 0, carried("NE2") > 0))
        return next((form for form in ("delta", "epsilon", "both") if form == found), None)
    if name in _ACID_OXYGENS:
        return "neutral" if any(carried(oxygen) for oxygen in _ACID_OXYGENS[name]) else "anionic"
    if residue.name in _WITHOUT_PROTON:
        return None if carried(_WITHOUT_PROTON[residue.name]) else "anionic"
    if name == "LYS" and carried("NZ"):
        return "cationic" if carried("NZ") >= _HYDROGENS_OF_AMMONIUM else "neutral"
    return None
