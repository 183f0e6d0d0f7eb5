"""The limits of a molecule that can be docked; loads nothing but RDKit, so that a preview can use it, too."""

from rdkit import Chem

from dockyard_session.errors import ScienceError

MAX_HEAVY_ATOMS = 100

_ELEMENTS = frozenset({"H", "C", "N", "O", "F", "P", "S", "Cl", "Br", "I", "B", "Si"})


def check_molecule(mol: Chem.Mol) -> None:
    """Refuse what cannot be docked: LIGAND_UNSUPPORTED_ATOM, LIGAND_TOO_LARGE."""
    strange = next((atom for atom in mol.GetAtoms() if atom.GetSymbol() not in _ELEMENTS), None)
    if strange is not None:
        symbol = strange.GetSymbol()
        what = "a dummy or attachment point" if strange.GetAtomicNum() == 0 else f"the element {symbol}"
        message = (
            f"Atom {strange.GetIdx() + 1} is {what}; ligands of H C N O F P S Cl Br I B Si can be docked. "
            "Send a molecule without it."
        )
        raise ScienceError("LIGAND_UNSUPPORTED_ATOM", message)
    radical = next((atom for atom in mol.GetAtoms() if atom.GetNumRadicalElectrons()), None)
    if radical is not None:
        name = f"{radical.GetSymbol()}{radical.GetIdx() + 1}"
        message = f"Atom {name} is a radical (a hydrogen or bond is missing); send the whole molecule."
        raise ScienceError("LIGAND_UNSUPPORTED_ATOM", message)
    heavy = mol.GetNumHeavyAtoms()
    if heavy == 0:
        raise ScienceError(
            "LIGAND_UNSUPPORTED_ATOM", "The ligand has hydrogen atoms only; there is nothing to dock."
        )
    if heavy > MAX_HEAVY_ATOMS:
        message = (
            f"The ligand has {heavy} heavy atoms; at most {MAX_HEAVY_ATOMS} can be docked. Send a part of it."
        )
        raise ScienceError("LIGAND_TOO_LARGE", message)
