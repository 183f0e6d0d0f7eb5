"""The uncharged form of a molecule, from which every protonation state is made.

Charges that protons explain are taken away, so that a salt, an ion and a zwitterion start from the same molecule.
Others stay: quaternary nitrogens, N-oxides, nitro groups. The tautomer stays as it was drawn.
"""

from rdkit import Chem, rdBase

_PROTON_CARRIERS = frozenset({7, 8, 16, 34})
_CHARGE_SEPARATED = frozenset({15, 16, 34})
_UNSATURATED = frozenset({Chem.BondType.DOUBLE, Chem.BondType.AROMATIC})


def neutral_form(mol: Chem.Mol) -> Chem.Mol | None:
    """The uncharged molecule with its atoms in the order of its canonical SMILES; None where there is none."""
    editable = Chem.RWMol(mol)
    _join_charge_separated(editable)
    _move_charges_to_protons(editable)
    for atom in editable.GetAtoms():
        if atom.GetAtomicNum() in _PROTON_CARRIERS:
            balance(atom)
    ordered = canonical_order(editable)
    return None if ordered is None else ordered[0]


def canonical_order(mol: Chem.Mol) -> tuple[Chem.Mol, list[int]] | None:
    """The same molecule, sanitized anew, with its atoms in the order of its canonical SMILES.

    The list tells for each of them the index that it had. None where the molecule is none.
    """
    mol.UpdatePropertyCache(strict=False)
    if Chem.SanitizeMol(mol, catchErrors=True) != Chem.SanitizeFlags.SANITIZE_NONE:
        return None
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    smiles, given = smiles_order(mol)
    first = _read(smiles, len(given))
    if first is None:
        return None
    # Reading finds aromatic rings anew, which may change the order once more.
    again, order = smiles_order(first)
    second = first if again == smiles else _read(again, len(order))
    return None if second is None else (second, [given[index] for index in order])


def smiles_order(mol: Chem.Mol) -> tuple[str, list[int]]:
    """The canonical SMILES of a molecule and the indices of its atoms in the order in which they stand there."""
    smiles = str(Chem.MolToSmiles(mol))
    # As text, because reading one property is many times as fast as reading all of them.
    order = mol.GetProp("_smilesAtomOutputOrder").strip("[],")
    return smiles, [int(index) for index in order.split(",")] if order else []


def _read(smiles: str, atoms: int) -> Chem.Mol | None:
    made = Chem.MolFromSmiles(smiles)
    return None if made is None or made.GetNumAtoms() != atoms else made


def hydrogen_name(mol: Chem.Mol) -> str:
    """One text for each molecule with its hydrogens in their places, however its charges and bonds are written."""
    with rdBase.BlockLogs():
        inchi = Chem.MolToInchi(mol, options="/FixedH", logLevel=None)
    return str(inchi or Chem.MolToSmiles(mol))


def set_protons(atom: Chem.Atom, charge: int, hydrogens: int) -> None:
    """Give an atom, in place, a formal charge and its number of hydrogens."""
    atom.SetFormalCharge(charge)
    atom.SetNoImplicit(True)
    atom.SetNumExplicitHs(hydrogens)


def _join_charge_separated(mol: Chem.RWMol) -> None:
    """Sulfoxides, sulfones and phosphates that are drawn with a charge on both ends of a bond."""
    for atom in mol.GetAtoms():
        if atom.GetAtomicNum() not in _CHARGE_SEPARATED:
            continue
        for bond in atom.GetBonds():
            end = bond.GetOtherAtom(atom)
            if atom.GetFormalCharge() > 0 and end.GetAtomicNum() == 8 and end.GetFormalCharge() == -1:
                bond.SetBondType(Chem.BondType.DOUBLE)
                atom.SetFormalCharge(atom.GetFormalCharge() - 1)
                end.SetFormalCharge(0)


def _move_charges_to_protons(mol: Chem.RWMol) -> None:
    """An amidinium or imidazolium may be drawn with its charge on the nitrogen that has no proton."""
    for atom in mol.GetAtoms():
        if (
            atom.GetAtomicNum() != 7
            or atom.GetFormalCharge() != 1
            or atom.GetTotalNumHs()
            or _is_dipole(atom)
        ):
            continue
        partner = _proton_partner(atom)
        if partner is None:
            continue
        carbon, other = partner
        set_protons(other, 0, other.GetTotalNumHs() - 1)
        atom.SetFormalCharge(0)
        if carbon is not None and not atom.GetIsAromatic():
            mol.GetBondBetweenAtoms(atom.GetIdx(), carbon.GetIdx()).SetBondType(Chem.BondType.SINGLE)
            mol.GetBondBetweenAtoms(carbon.GetIdx(), other.GetIdx()).SetBondType(Chem.BondType.DOUBLE)


def _proton_partner(cation: Chem.Atom) -> tuple[Chem.Atom | None, Chem.Atom] | None:
    """The nitrogen with a proton that shares the charge: next to the cation in a ring, or across a carbon."""
    found = []
    for bond in cation.GetBonds():
        middle = bond.GetOtherAtom(cation)
        if bond.GetBondType() not in _UNSATURATED:
            continue
        if bond.GetIsAromatic() and _gives_proton(middle):
            found.append((None, middle))
        if middle.GetAtomicNum() != 6:
            continue
        for next_bond in middle.GetBonds():
            other = next_bond.GetOtherAtom(middle)
            is_same_system = next_bond.GetIsAromatic() == bond.GetIsAromatic()
            if other.GetIdx() != cation.GetIdx() and is_same_system and _gives_proton(other):
                found.append((middle, other))
    return found[0] if found else None


def _gives_proton(atom: Chem.Atom) -> bool:
    return bool(atom.GetAtomicNum() == 7 and atom.GetFormalCharge() == 0 and atom.GetTotalNumHs())


def _is_dipole(atom: Chem.Atom) -> bool:
    """Whether a neighbour has the opposite charge, as in a nitro group, an N-oxide or an azide."""
    charge = atom.GetFormalCharge()
    return any(near.GetFormalCharge() * charge < 0 for near in atom.GetNeighbors())


def balance(atom: Chem.Atom) -> None:
    """Take away, in place, the charge of an atom that its protons explain."""
    charge, hydrogens = atom.GetFormalCharge(), atom.GetTotalNumHs()
    if charge == 0 or _is_dipole(atom):
        return
    lost = min(charge, hydrogens)
    set_protons(atom, charge - lost, hydrogens - lost)


def enol_smiles(mol: Chem.Mol, carbon: int) -> str:
    """The SMILES of the enol that a carbon beside a carbonyl group makes, the first by its canonical SMILES."""
    found: list[str] = []
    for beside in mol.GetAtomWithIdx(carbon).GetNeighbors():
        for oxygen in beside.GetNeighbors():
            bond = mol.GetBondBetweenAtoms(beside.GetIdx(), oxygen.GetIdx())
            if oxygen.GetAtomicNum() != 8 or bond.GetBondType() != Chem.BondType.DOUBLE:
                continue
            enol = Chem.RWMol(mol)
            enol.GetBondBetweenAtoms(beside.GetIdx(), oxygen.GetIdx()).SetBondType(Chem.BondType.SINGLE)
            enol.GetBondBetweenAtoms(carbon, beside.GetIdx()).SetBondType(Chem.BondType.DOUBLE)
            atom = enol.GetAtomWithIdx(carbon)
            atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
            atom.SetNumExplicitHs(max(0, atom.GetNumExplicitHs() - 1))
            Chem.SanitizeMol(enol)
            found.append(Chem.MolToSmiles(enol))
    return min(found, default="none can be drawn")
