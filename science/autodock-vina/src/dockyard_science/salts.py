"""Takes the salt and the solvent away from a ligand, by the list of `salts.tsv`.

The parent is what is left when the listed fragments are gone. Where more than one kind of molecule is left, or only
listed organic ones, nobody but the customer can say which is meant, so the ligand is refused and nothing is guessed.
"""

import functools
from dataclasses import dataclass

from rdkit import Chem
from rdkit.Chem.MolStandardize import rdMolStandardize

from dockyard_science.pka_table import read_table
from dockyard_session.errors import ScienceError

_ALKALI = frozenset({3, 11, 19})


@dataclass(frozen=True)
class Desalted:
    """The parent molecule, canonical SMILES of what was taken away, sorted, and the name of each of them."""

    mol: Chem.Mol
    removed: list[str]
    names: list[str]


def desalt(mol: Chem.Mol) -> Desalted:
    """Keep the one molecule that is meant.

    Raises ScienceError LIGAND_MULTI_FRAGMENT when that cannot be said, LIGAND_UNSUPPORTED_ATOM when there is none.
    """
    fragments = [
        (Chem.MolToSmiles(part), part) for part in Chem.GetMolFrags(_cut_alkali_bonds(mol), asMols=True)
    ]
    if len(fragments) == 1:
        return Desalted(fragments[0][1], [], [])
    fragments.sort(key=lambda fragment: fragment[0])
    kept = _parents(fragments)
    if not kept:
        names = ", ".join(smiles for smiles, _ in fragments)
        raise ScienceError(
            "LIGAND_UNSUPPORTED_ATOM", f"There is no organic molecule in {names}: nothing to dock."
        )
    if len({smiles for smiles, _ in kept}) > 1:
        metals = [part.GetAtomWithIdx(0).GetSymbol() for _, part in kept if _is_metal(part)]
        if metals:
            named = ", ".join(dict.fromkeys(metals))
            message = f"The ligand contains {named}, and complexes of metals are not docked"
            raise ScienceError(
                "LIGAND_UNSUPPORTED_ATOM",
                f"{message}; if only what is beside it is meant, send that alone.",
            )
        names = ", ".join(dict.fromkeys(smiles for smiles, _ in kept))
        is_listed = all(_neutral_smiles(part) in _salts() for _, part in kept)
        words = (
            f"Each molecule of the ligand is a known salt or solvent ({names}), so any of them may be meant"
            if is_listed
            else f"The ligand has several molecules that are not known salts or solvents ({names})"
        )
        raise ScienceError("LIGAND_MULTI_FRAGMENT", f"{words}; send the one to dock.")
    parent = kept[0][1]
    others = [fragment for fragment in fragments if fragment[1] is not parent]
    # What is no salt and was taken away is one more of the same molecule.
    told = [_salts().get(_neutral_smiles(part), "another copy of the molecule") for _, part in others]
    return Desalted(parent, [smiles for smiles, _ in others], told)


def _parents(fragments: list[tuple[str, Chem.Mol]]) -> list[tuple[str, Chem.Mol]]:
    organic = [(smiles, part) for smiles, part in fragments if _has_carbon(part)]
    unlisted = [(smiles, part) for smiles, part in fragments if _neutral_smiles(part) not in _salts()]
    # Sodium acetate: where nothing else is there, the acid of a salt is the ligand.
    return unlisted or organic


def _has_carbon(mol: Chem.Mol) -> bool:
    return any(atom.GetAtomicNum() == 6 for atom in mol.GetAtoms())


def _is_metal(mol: Chem.Mol) -> bool:
    """Whether a molecule that is no known salt is one atom of a metal."""
    return (
        mol.GetNumAtoms() == 1 and not _has_carbon(mol) and bool(mol.GetAtomWithIdx(0).GetFormalCharge() > 0)
    )


def _cut_alkali_bonds(mol: Chem.Mol) -> Chem.Mol:
    """Cut the bond of sodium that is drawn with a bond to its anion, so that it counts as any other salt."""
    bonded = (atom for atom in mol.GetAtoms() if atom.GetAtomicNum() in _ALKALI and atom.GetDegree() > 0)
    return rdMolStandardize.MetalDisconnector().Disconnect(mol) if next(bonded, None) else mol


@functools.cache
def _salts() -> dict[str, str]:
    """The names of salts and solvents by their neutral SMILES."""
    listed = {_neutral_smiles(Chem.MolFromSmiles(smiles)): name for name, smiles in read_table("salts.tsv")}
    # RDKit warns of a hydrogen by itself where it is read.
    return {**listed, "[H]": "hydron"}


def _neutral_smiles(mol: Chem.Mol) -> str:
    """SMILES without stereo and with the hydrogens that its neutral form has."""
    plain = Chem.Mol(mol)
    Chem.RemoveStereochemistry(plain)
    if plain.GetNumAtoms() == 1:
        return f"[{plain.GetAtomWithIdx(0).GetSymbol()}]"
    return str(Chem.MolToSmiles(rdMolStandardize.Uncharger(force=True).uncharge(plain)))
