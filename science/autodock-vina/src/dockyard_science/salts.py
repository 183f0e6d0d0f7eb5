"""Takes the salt and the solvent away from a ligand, by a pinned list.

The parent is what is left when the listed fragments are gone. Where more than one kind of molecule is left, or only
listed organic ones, nobody but the customer can say which is meant, so the ligand is refused and nothing is guessed.
"""

import functools
from dataclasses import dataclass

from rdkit import Chem
from rdkit.Chem.MolStandardize import rdMolStandardize

from dockyard_session.errors import ScienceError

# Counter-ions and solvents of commercial libraries, compared with all charges taken away, so that one line
# stands for an acid and for its anion. Changing the list changes results: the list is part of the toolchain digest.
_COMMON_SALTS = (
    # inorganic acids and bases
    "Cl", "Br", "I", "F", "O", "N", "[Li]", "[Na]", "[K]", "[Mg]", "[Ca]", "[Zn]", "[Al]", "[Cs]", "[Ag]",
    "OS(=O)(=O)O", "OP(=O)(O)O", "O[N+](=O)[O-]", "OCl(=O)(=O)=O", "OC(=O)O", "OB(O)O", "FB(F)F", "FP(F)(F)(F)F",
    "N#CS", "OO",
    # organic acids
    "OC=O", "CC(=O)O", "CCC(=O)O", "OC(=O)C(F)(F)F", "OC(=O)C(=O)O", "OC(=O)CC(=O)O", "OC(=O)CCC(=O)O",
    "OC(=O)C=CC(=O)O", "OC(=O)CC(O)C(=O)O", "OC(=O)C(O)C(O)C(=O)O", "OC(=O)CC(O)(CC(=O)O)C(=O)O", "CC(O)C(=O)O",
    "OCC(=O)O", "OCC(O)C(O)C(O)C(O)C(=O)O", "OC(=O)CCCCC(=O)O", "OC(=O)c1ccccc1", "OC(=O)c1ccccc1O",
    "OC(C(=O)O)c1ccccc1", "CS(=O)(=O)O", "CCS(=O)(=O)O", "OCCS(=O)(=O)O", "OS(=O)(=O)CCS(=O)(=O)O",
    "OS(=O)(=O)C(F)(F)F", "OS(=O)(=O)c1ccccc1", "Cc1ccc(cc1)S(=O)(=O)O", "COS(=O)(=O)O",
    "OS(=O)(=O)c1cccc2ccccc12", "OS(=O)(=O)c1cccc2c1cccc2S(=O)(=O)O", "OC(=O)c1cc2ccccc2c(c1O)O",
    "OC(=O)c1cc2ccccc2c(Cc2c(O)c(cc3ccccc23)C(=O)O)c1O", "Oc1ccc2ccccc2c1C(=O)O", "Oc1c(cccc1)C(=O)O",
    "Oc1c([N+](=O)[O-])cc([N+](=O)[O-])cc1[N+](=O)[O-]",
    # organic bases
    "CCN", "CCNCC", "CCN(CC)CC", "CCN(C(C)C)C(C)C", "CN(C)C", "NCCO", "OCCNCCO", "OCCN(CCO)CCO", "NC(CO)(CO)CO",
    "NCCN", "C1CNCCN1", "C1COCCN1", "CNCC(O)C(O)C(O)C(O)CO", "NC(CCCNC(N)=N)C(=O)O", "NCCCCC(N)C(=O)O",
    "C[N+](C)(C)CCO", "C[N+](C)(C)C", "CC[N+](CC)(CC)CC", "CCCC[N+](CCCC)(CCCC)CCCC", "C1CCCCC1NC1CCCCC1",
    # solvents
    "CO", "CCO", "CCCO", "CC(C)O", "CC(C)=O", "CC#N", "CS(C)=O", "CN(C)C=O", "ClCCl", "ClC(Cl)Cl", "CCOC(C)=O",
    "CCOCC", "C1CCOC1", "C1COCCO1", "CCCCCC", "c1ccccc1", "Cc1ccccc1", "c1ccncc1", "OCC(O)CO", "OCCO",
)  # fmt: skip

_ALKALI = frozenset({3, 11, 19})


@dataclass(frozen=True)
class Desalted:
    """The parent molecule, and canonical SMILES of what was taken away, sorted."""

    mol: Chem.Mol
    removed: list[str]


def desalt(mol: Chem.Mol) -> Desalted:
    """Keep the one molecule that is meant.

    Raises ScienceError LIGAND_MULTI_FRAGMENT when that cannot be said, LIGAND_UNSUPPORTED_ATOM when there is none.
    """
    fragments = [
        (Chem.MolToSmiles(part), part) for part in Chem.GetMolFrags(_cut_alkali_bonds(mol), asMols=True)
    ]
    if len(fragments) == 1:
        return Desalted(fragments[0][1], [])
    fragments.sort(key=lambda fragment: fragment[0])
    kept = _parents(fragments)
    if not kept:
        names = ", ".join(smiles for smiles, _ in fragments)
        raise ScienceError(
            "LIGAND_UNSUPPORTED_ATOM", f"There is no organic molecule in {names}: nothing to dock."
        )
    if len({smiles for smiles, _ in kept}) > 1:
        names = ", ".join(dict.fromkeys(smiles for smiles, _ in kept))
        raise ScienceError(
            "LIGAND_MULTI_FRAGMENT",
            f"The ligand has several molecules that are not known salts or solvents ({names}); send the one to dock.",
        )
    parent = kept[0][1]
    return Desalted(parent, [smiles for smiles, part in fragments if part is not parent])


def _parents(fragments: list[tuple[str, Chem.Mol]]) -> list[tuple[str, Chem.Mol]]:
    organic = [(smiles, part) for smiles, part in fragments if _has_carbon(part)]
    unlisted = [(smiles, part) for smiles, part in fragments if _neutral_smiles(part) not in _salt_keys()]
    # Sodium acetate: where nothing else is there, the acid of a salt is the ligand.
    return unlisted or organic


def _has_carbon(mol: Chem.Mol) -> bool:
    return any(atom.GetAtomicNum() == 6 for atom in mol.GetAtoms())


def _cut_alkali_bonds(mol: Chem.Mol) -> Chem.Mol:
    """Cut the bond of sodium that is drawn with a bond to its anion, so that it counts as any other salt."""
    bonded = (atom for atom in mol.GetAtoms() if atom.GetAtomicNum() in _ALKALI and atom.GetDegree() > 0)
    return rdMolStandardize.MetalDisconnector().Disconnect(mol) if next(bonded, None) else mol


@functools.cache
def _salt_keys() -> frozenset[str]:
    return frozenset(_neutral_smiles(Chem.MolFromSmiles(smiles)) for smiles in _COMMON_SALTS)


def _neutral_smiles(mol: Chem.Mol) -> str:
    """SMILES without stereo and with the hydrogens that its neutral form has."""
    plain = Chem.Mol(mol)
    Chem.RemoveStereochemistry(plain)
    if plain.GetNumAtoms() == 1:
        return f"[{plain.GetAtomWithIdx(0).GetSymbol()}]"
    return str(Chem.MolToSmiles(rdMolStandardize.Uncharger(force=True).uncharge(plain)))
