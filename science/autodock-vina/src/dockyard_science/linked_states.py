"""The protonation state of a modified residue at a pH, and which of Meeko's templates that is.

Phosphorylated residues and hydroxyproline have templates in Meeko. Any other one is taken from the dictionary, capped
to an amide on both sides, and protonated as a ligand is. What has no backbone of an amino acid is refused by name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rdkit import Chem

from dockyard_science.ccd import Ccd
from dockyard_science.ligand_protonation import protonate
from dockyard_session.tool import TaskWarning

#: How a residue's nitrogen is bound: by one carbon, by two, or in an amide, where no neighbour can stand before it.
Amine = Literal["primary", "secondary", "amide"]

#: Meeko's templates of residues with a second proton to lose: above this pKa, below it, and the pKa in peptides
#: (Bienkiewicz & Lumb, J. Biomol. NMR 15:203, 1999).
PHOSPHATES = {"SEP": ("SEP", "S1P", 5.96), "TPO": ("TPO", "T1P", 6.3), "PTR": ("PTR", "Y1P", 5.96)}

# A doubt of a phosphate is told where a ligand's is.
_NEAR_PKA_UNITS = 1.0

_BACKBONE_BONDS = (("N", "CA"), ("CA", "C"), ("C", "O"))


class UnclearError(Exception):
    """A residue has no state that could be given to it; the text says why."""


@dataclass(frozen=True)
class State:
    """A residue as a free amino acid with its side chain in its state: explicit hydrogens, atoms with names."""

    mol: Chem.Mol
    amine: Amine


def phosphate_template(component_id: str, ph: float, label: str) -> tuple[str, list[TaskWarning]]:
    """Meeko's template of a phosphorylated residue at a pH, and a warning where the pKa is near."""
    above, below, pka = PHOSPHATES[component_id]
    if abs(pka - ph) > _NEAR_PKA_UNITS:
        return above if ph > pka else below, []
    message = f"{label}: pKa {pka:g} of its phosphate is within {_NEAR_PKA_UNITS:g} of pH {ph:g}."
    return above if ph > pka else below, [{"code": "PROTONATION_NEAR_PKA", "message": message}]


def residue_state(component_id: str, ph: float, ccd: Ccd, warnings: list[TaskWarning]) -> State:
    """The state of a modified residue at a pH, adding to `warnings` what is doubtful of it.

    Raises UnclearError.
    """
    definition = ccd.molecule(component_id)
    if definition is None:
        raise UnclearError("the Chemical Component Dictionary does not have it")
    heavy = Chem.RemoveHs(definition)
    amine = _amine(heavy)
    capped = _capped(heavy, amine)
    protonated = protonate(capped, ph, warnings)
    if protonated.method != "model":
        raise UnclearError("its charges cannot be set for the pH")
    return State(_free(protonated.mol, capped, definition), amine)


def state_record(component_id: str, state: State) -> dict[str, Any]:
    """The state as a record of the dictionary, of which a template is made."""
    mol = Chem.Mol(state.mol)
    Chem.Kekulize(mol, clearAromaticFlags=True)
    orders = {Chem.BondType.SINGLE: "SING", Chem.BondType.DOUBLE: "DOUB", Chem.BondType.TRIPLE: "TRIP"}
    return {
        "name": component_id,
        "type": "L-PEPTIDE LINKING",
        "names": [atom.GetProp("name") for atom in mol.GetAtoms()],
        "elements": [atom.GetSymbol() for atom in mol.GetAtoms()],
        "charges": [atom.GetFormalCharge() for atom in mol.GetAtoms()],
        "leaving": ["N"] * mol.GetNumAtoms(),
        "ideal": None,
        "model": None,
        "bonds": [
            (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), orders[bond.GetBondType()])
            for bond in mol.GetBonds()
        ],
        "aromatic": ["N"] * mol.GetNumBonds(),
    }


def _by_name(mol: Chem.Mol) -> dict[str, Chem.Atom]:
    return {atom.GetProp("name"): atom for atom in mol.GetAtoms() if atom.HasProp("name")}


def _amine(heavy: Chem.Mol) -> Amine:
    atoms = _by_name(heavy)
    for first, second in _BACKBONE_BONDS:
        ends = (atoms.get(first), atoms.get(second))
        if None in ends or heavy.GetBondBetweenAtoms(*(atom.GetIdx() for atom in ends if atom)) is None:
            raise UnclearError("it does not have the backbone of an amino acid")
    others = [near for near in atoms["N"].GetNeighbors() if near.GetProp("name") != "CA"]
    if "OXT" not in atoms or len(others) > 1 or atoms["N"].GetIsAromatic():
        raise UnclearError("it does not have the backbone of an amino acid")
    if not others:
        return "primary"
    return "amide" if _is_acyl(others[0], atoms["N"]) else "secondary"


def _is_acyl(carbon: Chem.Atom, nitrogen: Chem.Atom) -> bool:
    return any(
        bond.GetBondType() == Chem.BondType.DOUBLE and bond.GetOtherAtom(carbon).GetIdx() != nitrogen.GetIdx()
        for bond in carbon.GetBonds()
    )


def _capped(heavy: Chem.Mol, amine: Amine) -> Chem.Mol:
    """The residue between two amides; atoms of the caps have no names."""
    mol = Chem.RWMol(heavy)
    atoms = _by_name(mol)
    end, start = atoms["OXT"], atoms["N"]
    end.SetAtomicNum(7)
    end.SetFormalCharge(0)
    end.ClearProp("name")
    _count_anew(end)
    mol.AddBond(end.GetIdx(), mol.AddAtom(Chem.Atom(6)), Chem.BondType.SINGLE)
    if amine != "amide":
        _count_anew(start)
        start.SetFormalCharge(0)
        carbon, oxygen, methyl = (mol.AddAtom(Chem.Atom(number)) for number in (6, 8, 6))
        mol.AddBond(start.GetIdx(), carbon, Chem.BondType.SINGLE)
        mol.AddBond(carbon, oxygen, Chem.BondType.DOUBLE)
        mol.AddBond(carbon, methyl, Chem.BondType.SINGLE)
    if Chem.SanitizeMol(mol, catchErrors=True) != Chem.SanitizeFlags.SANITIZE_NONE:
        raise UnclearError("its valences cannot be drawn")
    return mol.GetMol()


def _count_anew(atom: Chem.Atom) -> None:
    atom.SetNoImplicit(False)
    atom.SetNumExplicitHs(0)


def _free(protonated: Chem.Mol, capped: Chem.Mol, definition: Chem.Mol) -> Chem.Mol:
    """The protonated residue without its caps, a free acid and amine, with the names of the dictionary."""
    match = _skeleton(protonated).GetSubstructMatch(_skeleton(capped))
    if len(match) != capped.GetNumAtoms():
        raise UnclearError("its atoms cannot be told apart after protonation")
    mol = Chem.RWMol(protonated)
    for atom in capped.GetAtoms():
        if atom.HasProp("name"):
            mol.GetAtomWithIdx(match[atom.GetIdx()]).SetProp("name", atom.GetProp("name"))
    named = _by_name(mol)
    cap = next(near for near in named["C"].GetNeighbors() if not near.HasProp("name"))
    cap.SetAtomicNum(8)
    cap.SetProp("name", "OXT")
    for atom in (cap, named["N"]):
        _count_anew(atom)
    for index in sorted((atom.GetIdx() for atom in mol.GetAtoms() if not atom.HasProp("name")), reverse=True):
        mol.RemoveAtom(index)
    Chem.SanitizeMol(mol)
    free = Chem.AddHs(mol)
    _name_hydrogens(free, definition)
    return free


def _skeleton(mol: Chem.Mol) -> Chem.Mol:
    """Elements and which of them are bonded, and nothing else."""
    bare = Chem.RWMol()
    for atom in mol.GetAtoms():
        made = Chem.Atom(atom.GetAtomicNum())
        made.SetNoImplicit(True)
        bare.AddAtom(made)
    for bond in mol.GetBonds():
        bare.AddBond(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), Chem.BondType.SINGLE)
    bare.UpdatePropertyCache(strict=False)
    return bare.GetMol()


def _name_hydrogens(mol: Chem.Mol, definition: Chem.Mol) -> None:
    """Give hydrogens the dictionary's names, and free ones to those that it does not have."""
    usual: dict[str, list[str]] = {}
    for atom in definition.GetAtoms():
        if atom.GetAtomicNum() == 1:
            usual.setdefault(atom.GetNeighbors()[0].GetProp("name"), []).append(atom.GetProp("name"))
    taken = set(_by_name(mol)) | {name for names in usual.values() for name in names}
    free = (f"H{number}" for number in range(1, 999))
    for atom in mol.GetAtoms():
        if atom.HasProp("name"):
            continue
        names = usual.get(atom.GetNeighbors()[0].GetProp("name"), [])
        atom.SetProp("name", names.pop(0) if names else next(name for name in free if name not in taken))


def doubts(warnings: Sequence[TaskWarning], label: str) -> list[TaskWarning]:
    """Warnings of a protonation as those of a residue."""
    return [{"code": each["code"], "message": f"{label}: {each['message']}"} for each in warnings]
