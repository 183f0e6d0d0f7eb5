"""Formal charges of a receptor's atoms, as its bonds and hydrogens have them; tautomers as the hydrogens stand.

The dictionary gives one tautomer and one state of each component; the preparation chose another one wherever it put
the hydrogens otherwise. What an atom has more or fewer bonds than its element wants is its charge.
"""

from collections.abc import Sequence

from rdkit import Chem

from dockyard_science.contacts import is_metal

# The bonds that an atom without a charge has.
_VALENCES = {
    "N": (3,), "O": (2,), "S": (2, 4, 6), "SE": (2, 4, 6), "P": (3, 5), "B": (3,),
    "F": (1,), "CL": (1, 3, 5, 7), "BR": (1,), "I": (1, 3),
}  # fmt: skip
_ORDERS = {Chem.BondType.SINGLE: 1, Chem.BondType.DOUBLE: 2, Chem.BondType.TRIPLE: 3}
_MOBILE = frozenset({"N", "O", "S"})
# What a metal has that an organic ring holds by an atom with a charge, such as the iron of a heme.
_HELD_METAL_CHARGE = 2


def set_charges(mol: Chem.RWMol, names: Sequence[str]) -> None:
    """Give each atom its charge, and double bonds the place that the hydrogens leave them.

    A metal by itself gets no charge: contacts with it are coordination, whatever else is near.
    """
    for atom in mol.GetAtoms():
        atom.SetFormalCharge(_charge(atom, names[atom.GetIdx()]))
    for atom in list(mol.GetAtoms()):
        if atom.GetFormalCharge() == 1 and atom.GetSymbol() in _MOBILE:
            _shift(mol, atom)
    for atom in mol.GetAtoms():
        if is_metal(atom.GetSymbol()) and any(near.GetFormalCharge() < 0 for near in atom.GetNeighbors()):
            atom.SetFormalCharge(_HELD_METAL_CHARGE)


def _charge(atom: Chem.Atom, name: str) -> int:
    symbol = atom.GetSymbol().upper()
    valences = _VALENCES.get(symbol)
    if valences is None:
        return 0
    bonds = sum(_ORDERS.get(bond.GetBondType(), 0) for bond in atom.GetBonds())
    if symbol == "N" and name == "N" and bonds == 2:
        # The chain goes on behind this nitrogen, where the structure has a gap.
        atom.SetNoImplicit(False)
        return 0
    if symbol in {"S", "SE", "P", "CL", "I"}:
        # Beyond the first valence an odd number of bonds more is one of a charged atom, as in a sulfonium.
        return bonds - valences[0] if bonds < valences[0] else (bonds - valences[0]) % 2
    return bonds - valences[0] if symbol != "B" else valences[0] - bonds


def _shift(mol: Chem.RWMol, atom: Chem.Atom) -> None:
    """Move a double bond from a charged atom with a hydrogen to a neighbour's other atom that lacks a bond.

    So the two ends of a histidine's ring, of an acid or of an amidine are told apart by their hydrogens.
    """
    if not any(near.GetAtomicNum() == 1 for near in atom.GetNeighbors()):
        return
    for bond in atom.GetBonds():
        if bond.GetBondType() != Chem.BondType.DOUBLE:
            continue
        middle = bond.GetOtherAtom(atom)
        for other in middle.GetBonds():
            end = other.GetOtherAtom(middle)
            if (
                end.GetFormalCharge() == -1
                and end.GetSymbol() in _MOBILE
                and other.GetBondType() == Chem.BondType.SINGLE
            ):
                bond.SetBondType(Chem.BondType.SINGLE)
                other.SetBondType(Chem.BondType.DOUBLE)
                atom.SetFormalCharge(0)
                end.SetFormalCharge(0)
                return
