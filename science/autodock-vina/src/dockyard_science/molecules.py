"""Residues as molecular graphs: which atoms are bonded says the dictionary, by name, not their distance.

For distances a crystal's phosphate, heme or crowded side chain is not accurate enough. A residue whose places
contradict its bonds is refused: a bond torn apart, or atoms without a bond standing in each other.
"""

import math
from collections.abc import Sequence
from itertools import combinations

from rdkit import Chem, rdBase
from rdkit.Chem import rdDetermineBonds
from rdkit.Geometry import Point3D

from dockyard_science.ccd import Ccd
from dockyard_science.contacts import bond_radius, overlaps
from dockyard_science.faults import Culprit, SideChainError, blame
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Atom, Residue
from dockyard_structures.residues import AMINO_ACIDS, is_water, short_list

#: A bond longer than this factor times the sum of the covalent radii counts as torn (1.98 Å for two carbons).
TORN_TOLERANCE = 1.3

#: Atoms without a bond between them are 2.2 Å apart and more, where one atom lies between them.
CROWDED_ANGSTROM = 1.6

_Bonds = set[frozenset[str]]


def residue_molecule(residue: Residue, ccd: Ccd) -> Chem.Mol:
    """A residue of a chain with its hydrogens, atoms in its order, one conformer (N x 3, angstrom).

    Bonds are single but for the carbonyl's; orders and charges come with the template. Those of heavy atoms come
    from the dictionary, a hydrogen's from the nearest heavy atom. Where the residue has a name that the
    dictionary does not, all come from distances.
    """
    bonds = _dictionary_bonds(residue.component_id, ccd)
    known = {name for pair in bonds for name in pair}
    if not known.issuperset(atom.name for atom in residue.heavy_atoms):
        return _by_distance(residue.atoms)
    index = {atom.name: number for number, atom in enumerate(residue.atoms)}
    named = [sorted(index[name] for name in pair if name in index) for pair in bonds]
    pairs = sorted((pair[0], pair[1]) for pair in named if len(pair) == 2)
    heavy = residue.heavy_atoms
    for atom in residue.atoms:
        if atom.is_hydrogen:
            holder = min(heavy, key=lambda each: math.dist(each.position, atom.position))
            pairs.append((index[holder.name], index[atom.name]))
    graph = _graph(residue.atoms, pairs)
    # Without hydrogens Meeko cannot tell the two ends of a serine apart; the double bond tells them apart.
    if {"C", "O"} <= index.keys():
        graph.GetBondBetweenAtoms(index["C"], index["O"]).SetBondType(Chem.BondType.DOUBLE)
    return graph


def component_molecule(residue: Residue, ccd: Ccd) -> Chem.Mol:
    """A retained component's heavy atoms in its order, single bonds, one conformer (N x 3, angstrom).

    Orders and charges come with the template. A file that names the atoms otherwise is matched by bonds found
    from distances. A water keeps the hydrogens that it was given. Raises RECEPTOR_UNKNOWN_COMPONENT or
    RECEPTOR_MISSING_ATOMS.
    """
    if is_water(residue.name) and [atom.element for atom in residue.atoms] == ["O", "H", "H"]:
        return _graph(residue.atoms, [(0, 1), (0, 2)])
    definition = ccd.molecule(residue.component_id)
    if definition is None:
        message = (
            f"{residue.label} cannot be retained: the Chemical Component Dictionary has no bonds for it."
        )
        raise ScienceError("RECEPTOR_UNKNOWN_COMPONENT", message)
    molecule = Chem.RemoveAllHs(definition)
    names = [atom.GetProp("name") for atom in molecule.GetAtoms()]
    present = [atom.name for atom in residue.atoms]
    if sorted(names) != sorted(present):
        _refuse_unless_alike(residue, molecule, names, present)
        return _by_distance(residue.atoms)
    index = {name: number for number, name in enumerate(present)}
    return _graph(
        residue.atoms,
        [(index[names[b.GetBeginAtomIdx()]], index[names[b.GetEndAtomIdx()]]) for b in molecule.GetBonds()],
    )


def refuse_torn(residues: Sequence[Residue], ccd: Ccd) -> None:
    """Raise where the places of an amino acid's heavy atoms contradict its bonds.

    RECEPTOR_CLASH for atoms that stand in each other, RECEPTOR_TEMPLATE_UNMATCHED for a bond torn apart that
    did not bring its atoms upon those of another residue.
    """
    bonds = {name: _dictionary_bonds(name, ccd) for name in sorted({residue.name for residue in residues})}
    for residue in residues:
        if residue.name not in AMINO_ACIDS:
            continue
        known = {name for pair in bonds[residue.name] for name in pair}
        heavy = [atom for atom in residue.heavy_atoms if atom.name in known]
        for first, second in combinations(heavy, 2):
            is_bonded = frozenset({first.name, second.name}) in bonds[residue.name]
            _refuse_pair(residue, first, second, residues, is_bonded=is_bonded)


def _refuse_pair(
    residue: Residue, first: Atom, second: Atom, residues: Sequence[Residue], *, is_bonded: bool
) -> None:
    distance = math.dist(first.position, second.position)
    is_crowded = distance < (CROWDED_ANGSTROM / 2 if is_bonded else CROWDED_ANGSTROM)
    if not is_crowded and not (is_bonded and _is_torn(first, second, distance)):
        return
    where = f"{first.name} and {second.name} of {residue.label} are {distance:.2f} Å apart"
    atoms = frozenset({first.name, second.name})
    culprits = blame([(residue, first, residue, second)]) or [Culprit(residue.key, atoms, whole=True)]
    if is_crowded:
        why = "closer than any bond" if is_bonded else "without a bond between them"
        raise SideChainError("RECEPTOR_CLASH", f"{where}, {why}.", culprits)
    upon = [each.label for each in overlaps(residues) if residue in (each.first, each.second)]
    if upon:
        raise SideChainError("RECEPTOR_CLASH", f"{where}, and {short_list(upon, most=2)}.", culprits)
    message = f"{where}, though there is a bond between them."
    raise SideChainError("RECEPTOR_TEMPLATE_UNMATCHED", message, culprits)


def _is_torn(first: Atom, second: Atom, distance: float) -> bool:
    return distance > TORN_TOLERANCE * (bond_radius(first.element) + bond_radius(second.element))


def _dictionary_bonds(name: str, ccd: Ccd) -> _Bonds:
    molecule = ccd.molecule(name)
    if molecule is None:
        return set()
    return {
        frozenset({bond.GetBeginAtom().GetProp("name"), bond.GetEndAtom().GetProp("name")})
        for bond in molecule.GetBonds()
        if bond.GetBeginAtom().GetAtomicNum() > 1 and bond.GetEndAtom().GetAtomicNum() > 1
    }


def _refuse_unless_alike(residue: Residue, molecule: Chem.Mol, names: list[str], present: list[str]) -> None:
    """Raise unless atoms and bonds found from distances are those of the dictionary under other names."""
    pattern = _graph(
        [Atom("", atom.GetSymbol(), (0.0, 0.0, 0.0)) for atom in molecule.GetAtoms()], _pairs(molecule)
    )
    if len(names) == len(present) and _by_distance(residue.atoms).HasSubstructMatch(pattern):
        return
    missing = [name for name in names if name not in present]
    if missing:
        message = f"{residue.label}, which is to be retained, lacks {short_list(missing)}."
        raise ScienceError("RECEPTOR_MISSING_ATOMS", message)
    extra = short_list(name for name in present if name not in names)
    message = f"{residue.label} cannot be retained: its definition does not have {extra}."
    raise ScienceError("RECEPTOR_UNKNOWN_COMPONENT", message)


def _pairs(molecule: Chem.Mol) -> list[tuple[int, int]]:
    return [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in molecule.GetBonds()]


def _by_distance(atoms: Sequence[Atom]) -> Chem.Mol:
    lone = _graph(atoms, [])
    # The bonds decide here; the template later checks RDKit's opinion of the valences.
    with rdBase.BlockLogs():
        rdDetermineBonds.DetermineConnectivity(lone)
    return _graph(atoms, sorted(_pairs(lone)))


def _graph(atoms: Sequence[Atom], pairs: Sequence[tuple[int, int]]) -> Chem.Mol:
    graph = Chem.RWMol()
    conformer = Chem.Conformer(len(atoms))
    conformer.Set3D(True)
    for atom in atoms:
        made = Chem.Atom(atom.element.capitalize())
        made.SetNoImplicit(True)
        conformer.SetAtomPosition(graph.AddAtom(made), Point3D(*atom.position))
    for first, second in pairs:
        graph.AddBond(first, second, Chem.BondType.SINGLE)
    graph.AddConformer(conformer, assignId=True)
    graph.UpdatePropertyCache(strict=False)
    return graph.GetMol()
