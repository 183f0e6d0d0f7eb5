"""Says in a chemist's words why RDKit or Meeko refuses a molecule. Atoms are counted from 1."""

from collections.abc import Sequence

from rdkit import Chem
from rdkit.Chem import rdPartialCharges

from dockyard_structures.residues import short_list

# A fused system of so many rings is written anew by its author, not by a message.
_MOST_REPAIRS = 4
_NITROGEN_BONDS = 3


def reading_fault(unchecked: Chem.Mol) -> str | None:
    """The first reason for which a molecule that was read without checks is none; None where there is no reason."""
    problem = next(iter(Chem.DetectChemistryProblems(unchecked)), None)
    if problem is None:
        return None
    match problem.GetType():
        case "AtomValenceException":
            return _valence(unchecked.GetAtomWithIdx(problem.GetAtomIdx()))
        case "AtomKekulizeException":
            return f"{_named(unchecked, [problem.GetAtomIdx()])} is drawn as aromatic and stands in no ring"
        case "KekulizeException":
            return _no_double_bonds(unchecked, list(problem.GetAtomIndices()))
        case _:
            return str(problem.Message())


def charge_fault(mol: Chem.Mol) -> str | None:
    """Why an atom of a whole molecule gets no partial charge; None where all do."""
    try:
        rdPartialCharges.ComputeGasteigerCharges(Chem.Mol(mol), throwOnParamFailure=True)
    except ValueError as error:
        symbols = [
            word for word in str(error).split() if word in {atom.GetSymbol() for atom in mol.GetAtoms()}
        ]
        strange = max(
            (atom for atom in mol.GetAtoms() if atom.GetSymbol() in symbols),
            key=Chem.Atom.GetDegree,
            default=None,
        )
        if strange is None:
            return None
        name = Chem.GetPeriodicTable().GetElementName(strange.GetAtomicNum()).lower()
        bonds = f"{strange.GetDegree()} neighbour{'s' * (strange.GetDegree() != 1)}{_charge(strange)}"
        return f"{name} with {bonds} has no partial charges (Gasteiger has none for it)"
    return None


def element_fault(mol: Chem.Mol) -> str | None:
    """Why a molecule is of no elements that a docking input knows; None where nothing shows it."""
    open_atoms = [atom.GetIdx() for atom in mol.GetAtoms() if atom.GetAtomicNum() == 0 or atom.HasQuery()]
    if open_atoms:
        return f"{_named(mol, open_atoms)} is open, as an R group or a list of elements; write the atom that is meant"
    if all(atom.GetAtomicNum() == 1 for atom in mol.GetAtoms()):
        return "the molecule has no atom but hydrogen"
    return None


def type_fault(mol: Chem.Mol, untyped: Sequence[int]) -> str:
    """That AutoDock has no type for some atoms, whose indices are given."""
    return f"AutoDock has no atom type for {_named(mol, untyped)}"


def _valence(atom: Chem.Atom) -> str:
    atom.UpdatePropertyCache(strict=False)
    valence = atom.GetValence(Chem.ValenceType.EXPLICIT)
    charge = _charge(atom)
    hint = ""
    if atom.GetAtomicNum() == 7 and valence == _NITROGEN_BONDS + 1 and not charge:
        hint = "; write its charge, as in [N+]"
    where = f"atom {atom.GetIdx() + 1} ({atom.GetSymbol()})"
    return f"{where} has a valence of {valence}{charge}, more than it can have{hint}"


def _charge(atom: Chem.Atom) -> str:
    return f" and the charge {atom.GetFormalCharge():+d}" if atom.GetFormalCharge() else ""


def _no_double_bonds(unchecked: Chem.Mol, atoms: Sequence[int]) -> str:
    repaired, places = Chem.RWMol(unchecked), list[int]()
    broken = set(atoms)
    while broken and len(places) < _MOST_REPAIRS:
        nitrogen = _repair(repaired, broken)
        if nitrogen is None:
            where = short_list([str(each + 1) for each in sorted(broken)], most=12)
            return f"the atoms {where} are drawn as aromatic, and no alternating double bonds fit them"
        repaired.GetAtomWithIdx(nitrogen).SetNumExplicitHs(1)
        places.append(nitrogen)
        broken = _unmatched(repaired)
    return (
        f"an aromatic nitrogen lacks its hydrogen: write [nH] for {_named(unchecked, places)}, "
        f"as in {Chem.MolToSmiles(repaired)}"
    )


def _repair(mol: Chem.RWMol, broken: set[int]) -> int | None:
    """The first nitrogen, those of rings of five before others, whose hydrogen makes a ring aromatic that is not."""
    Chem.GetSSSR(mol)
    for index in sorted(broken, key=lambda each: (not mol.GetAtomWithIdx(each).IsInRingSize(5), each)):
        atom = mol.GetAtomWithIdx(index)
        is_bare = atom.GetAtomicNum() == 7 and not atom.GetFormalCharge() and not atom.GetNumExplicitHs()
        if not is_bare or atom.GetDegree() == _NITROGEN_BONDS:
            continue
        tried = Chem.RWMol(mol)
        tried.GetAtomWithIdx(index).SetNumExplicitHs(1)
        if index not in _unmatched(tried):
            return index
    return None


def _unmatched(mol: Chem.Mol) -> set[int]:
    """The aromatic atoms for which there are no double bonds."""
    problems = Chem.DetectChemistryProblems(mol)
    kekulize = [each for each in problems if each.GetType() == "KekulizeException"]
    return {index for each in kekulize for index in each.GetAtomIndices()}


def _named(mol: Chem.Mol, atoms: Sequence[int]) -> str:
    return ", ".join(f"atom {index + 1} ({mol.GetAtomWithIdx(index).GetSymbol()})" for index in atoms)
