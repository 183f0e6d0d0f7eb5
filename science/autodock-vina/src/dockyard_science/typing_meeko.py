"""Atom types and charges for docking: Meeko matches each residue to a template and writes PDBQT.

Bonds between residues are found here before Meeko sees them, so that a metal's are left out. A residue that no
template matches is an error that names it and says why.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rdkit import Chem

from dockyard_science.anionic_tyrosine import add_anionic_templates
from dockyard_science.ccd import Ccd
from dockyard_science.contacts import Contact, is_metal, overlaps
from dockyard_science.faults import Culprit, Pair, SideChainError, blame, is_side_chain, own_culprit
from dockyard_science.flexible_typing import turn_side_chains
from dockyard_science.meeko_door import (
    MoleculePreparation,
    PDBQTWriterLegacy,
    Polymer,
    ResidueChemTemplates,
    find_inter_mols_bonds,
)
from dockyard_science.metal_types import add_metal_templates, metal_molecule
from dockyard_science.molecules import component_molecule, residue_molecule
from dockyard_science.stretches import begins_chain, is_alone
from dockyard_science.templates import add_free_templates, make_templates, no_download, quiet
from dockyard_session.errors import ScienceError, one_line
from dockyard_structures.atoms import Atom, Residue, ResidueKey
from dockyard_structures.residues import AMINO_ACIDS, short_list
from dockyard_structures.structure import BLANK_CHAIN

_RawMolecules = dict[str, tuple[Any, str]]
_Bonds = dict[tuple[str, str], list[tuple[int, int]]]


@dataclass
class Typed:
    """A typed receptor: its PDBQT and its residues with exactly the hydrogens that were typed.

    `changed` holds residues that got other hydrogens than they came with: template by label. `flexible` has the PDBQT
    of each side chain that turns, which the receptor's own is then without.
    """

    pdbqt: str
    residues: list[Residue]
    changed: dict[str, str]
    flexible: dict[ResidueKey, str] = field(default_factory=dict)


def type_receptor(
    residues: Sequence[Residue],
    letters: Mapping[str, str],
    ccd: Ccd,
    templates_by_residue: Mapping[ResidueKey, str] | None = None,
    flexible: Collection[ResidueKey] = (),
) -> Typed:
    """Match templates and assign types; missing hydrogens are put where the template wants them.

    `templates_by_residue` forces a template, `flexible` lets side chains turn. Raises RECEPTOR_UNKNOWN_COMPONENT,
    RECEPTOR_CLASH, RECEPTOR_MISSING_ATOMS, RECEPTOR_TEMPLATE_UNMATCHED or RECEPTOR_RESIDUE_NOT_FLEXIBLE.
    """
    by_key = {_meeko_key(residue.key, letters): residue for residue in residues}
    if len(by_key) != len(residues):
        twice = short_list(
            residue.label for residue in residues if by_key[_meeko_key(residue.key, letters)] is not residue
        )
        raise ScienceError(
            "RECEPTOR_TEMPLATE_UNMATCHED", f"Two residues have the same chain and number: {twice}."
        )
    forced = {_meeko_key(key, letters): name for key, name in (templates_by_residue or {}).items()}
    with quiet(), no_download():
        templates = make_templates(residues, ccd)
        forced |= {key: each.component_id for key, each in by_key.items() if each.hetero and each.component}
        forced |= add_metal_templates(templates, by_key)
        molecules = {key: _molecule(each, ccd) for key, each in by_key.items()}
        for name in sorted({residue.name for residue in residues if is_alone(residue)}):
            add_free_templates(templates, name)
        add_anionic_templates(templates, forced.values())
        polymer = _build_polymer(molecules, by_key, templates, forced)
        _refuse_untyped(polymer, by_key)
        turn_side_chains(polymer, {key: each for key, each in by_key.items() if each.key in flexible})
        pdbqt, turning = PDBQTWriterLegacy.write_from_polymer(polymer)
    typed = [_typed_residue(by_key[key], monomer) for key, monomer in polymer.monomers.items()]
    anomalies = polymer.log["matched_with_H_anomaly"]
    changed = {by_key[key].label: anomaly[0] for key, anomaly in anomalies.items()}
    return Typed(pdbqt, typed, changed, {by_key[key].key: text for key, text in turning.items()})


def _molecule(residue: Residue, ccd: Ccd) -> Chem.Mol:
    if not residue.hetero:
        return residue_molecule(residue, ccd)
    return metal_molecule(residue) or component_molecule(residue, ccd)


def _refuse_untyped(polymer: Polymer, by_key: Mapping[str, Residue]) -> None:
    """Raise RECEPTOR_UNKNOWN_COMPONENT for elements that have a template but no atom type, such as sodium."""
    untyped = [
        by_key[key].label
        for key, monomer in polymer.monomers.items()
        if any(atom.atom_type is None and not atom.is_ignore for atom in monomer.molsetup.atoms)
    ]
    if untyped:
        message = f"There is no atom type for {short_list(untyped)}, which is to be retained."
        raise ScienceError("RECEPTOR_UNKNOWN_COMPONENT", message)


def _meeko_key(key: ResidueKey, letters: Mapping[str, str]) -> str:
    chain, number, code = key
    return f"{'' if chain == BLANK_CHAIN else letters[chain]}:{number}{code}"


def _build_polymer(
    molecules: Mapping[str, Chem.Mol],
    by_key: Mapping[str, Residue],
    templates: ResidueChemTemplates,
    forced: dict[str, str],
) -> Polymer:
    bonds: _Bonds = {}
    try:
        raw: _RawMolecules = {key: (molecules[key], residue.name) for key, residue in by_key.items()}
        bonds = _between_heavy_atoms(find_inter_mols_bonds(raw), raw)
        blunt = [*_blunt_ends(by_key, bonds), *_linked_blunt_ends(by_key, bonds, templates, forced)]
        polymer = Polymer(raw, bonds, templates, MoleculePreparation(), forced, blunt_ends=blunt)
    # Meeko and RDKit raise errors of every kind on structures they cannot follow; each is about this receptor.
    except Exception as error:
        cause = one_line(str(error) or type(error).__name__, 300)
        raise _explained(cause, by_key, bonds) from error
    unmatched = polymer.get_ignored_monomers()
    if unmatched:
        raise _unmatched([by_key[key] for key in unmatched], set(unmatched), by_key, bonds)
    return polymer


def _between_heavy_atoms(bonds: _Bonds, raw: _RawMolecules) -> _Bonds:
    """Bonds but for those to metals and hydrogens.

    An ion is a residue of its own, whose bonds no template has; a hydrogen near another residue is bonded to its own.
    """
    kept: _Bonds = {}
    for (first, second), pairs in bonds.items():
        covalent = [
            (i, j)
            for i, j in pairs
            if not _is_loose(raw[first][0].GetAtomWithIdx(i).GetSymbol())
            and not _is_loose(raw[second][0].GetAtomWithIdx(j).GetSymbol())
        ]
        if covalent:
            kept[(first, second)] = covalent
    return kept


def _is_loose(element: str) -> bool:
    return element == "H" or is_metal(element)


def _blunt_ends(by_key: Mapping[str, Residue], bonds: _Bonds) -> list[tuple[str, int]]:
    """The atoms that face a gap in residues that end a chain on their other side.

    Meeko leaves a gap's side uncharged by itself only where the chain goes on at the other side.
    """
    bonded = _bonded_atoms(bonds)
    found: list[tuple[str, int]] = []
    for key, residue in by_key.items():
        index = {atom.name: number for number, atom in enumerate(residue.atoms)}
        if residue.name not in AMINO_ACIDS or not {"N", "C"} <= index.keys():
            continue
        begins, ends = begins_chain(residue), residue.atom("OXT") is not None
        if begins != ends:
            facing = index["C" if begins else "N"]
            if (key, facing) not in bonded:
                found.append((key, facing))
    return found


def _linked_blunt_ends(
    by_key: Mapping[str, Residue], bonds: _Bonds, templates: ResidueChemTemplates, forced: Mapping[str, str]
) -> list[tuple[str, int]]:
    """The atoms of caps and modified residues that their template links and that have no neighbour to link to."""
    bonded = _bonded_atoms(bonds)
    found: list[tuple[str, int]] = []
    for key, residue in by_key.items():
        if not residue.linked:
            continue
        template = templates.residue_templates[forced[key]]
        links = {template.atom_names[index] for index in template.link_labels}
        facing = [number for number, atom in enumerate(residue.atoms) if atom.name in links]
        found += [(key, number) for number in facing if (key, number) not in bonded]
    return found


def _bonded_atoms(bonds: _Bonds) -> set[tuple[str, int]]:
    """Atoms with a bond to another residue, as keys and indices."""
    return {
        (key, index)
        for keys, pairs in bonds.items()
        for pair in pairs
        for key, index in zip(keys, pair, strict=True)
    }


def _explained(cause: str, by_key: Mapping[str, Residue], bonds: _Bonds) -> ScienceError:
    """The error for what Meeko raised, with the residue's own name where it names one by its key."""
    named = [residue for key, residue in by_key.items() if f" {key} " in f" {cause} "]
    crowded = _excess_bonds(set(by_key), by_key, bonds)
    if crowded:
        return _touching(crowded)
    where = f"{short_list(residue.label for residue in named)}: " if named else ""
    message = f"The receptor cannot be typed. {where}{cause}"
    return SideChainError("RECEPTOR_TEMPLATE_UNMATCHED", message, _own_fault(named))


def _touching(crowded: Sequence[Pair]) -> ScienceError:
    message = f"Residues that are no neighbours touch: {short_list(_pair(*pair) for pair in crowded)}."
    return SideChainError("RECEPTOR_CLASH", message, blame(crowded))


def _own_fault(residues: Sequence[Residue]) -> list[Culprit]:
    """The residues as culprits by themselves; none where one of them has no side chain to change."""
    atoms = [
        frozenset(atom.name for atom in each.heavy_atoms if is_side_chain(each, atom)) for each in residues
    ]
    if not all(names - {"CB"} for names in atoms):
        return []
    return [Culprit(residue.key, names) for residue, names in zip(residues, atoms, strict=True)]


def _unmatched(
    residues: list[Residue], keys: set[str], by_key: Mapping[str, Residue], bonds: _Bonds
) -> ScienceError:
    names = short_list(residue.label for residue in residues)
    hetero = [residue.label for residue in residues if residue.hetero]
    if hetero:
        message = (
            f"Retained components lack atoms or bonds that the dictionary gives them: {short_list(hetero)}."
        )
        return ScienceError("RECEPTOR_UNKNOWN_COMPONENT", message)
    crowded = _excess_bonds(keys, by_key, bonds)
    if crowded:
        return _touching(crowded)
    near = [contact for contact in overlaps(list(by_key.values())) if _is_of(contact, residues)]
    if near:
        named = short_list((contact.label for contact in near), 3)
        message = f"Atoms of different residues are closer than atoms without a bond can be: {named}."
        return SideChainError("RECEPTOR_CLASH", message, blame([contact.pair for contact in near]))
    message = f"No template matches {names}: atoms or bonds are not those of the residue."
    linked = [own_culprit(residue) for residue in residues if residue.linked]
    if linked:
        culprits = linked if len(linked) == len(residues) else []
        return SideChainError("RECEPTOR_UNKNOWN_COMPONENT", message, culprits)
    return SideChainError("RECEPTOR_TEMPLATE_UNMATCHED", message, _own_fault(residues))


def _is_of(contact: Contact, residues: list[Residue]) -> bool:
    return any(residue is contact.first or residue is contact.second for residue in residues)


def _excess_bonds(keys: set[str], by_key: Mapping[str, Residue], bonds: _Bonds) -> list[Pair]:
    """Pairs within bonding distance whose residues are neither neighbours in a chain nor both cysteines."""
    order = {key: index for index, key in enumerate(by_key)}
    found: list[Pair] = []
    for (first, second), pairs in bonds.items():
        one, other = by_key[first], by_key[second]
        neighbours = one.chain == other.chain and abs(order[first] - order[second]) == 1
        if not neighbours and {one.name, other.name} != {"CYS"} and keys & {first, second}:
            found += [(one, one.atoms[i], other, other.atoms[j]) for i, j in pairs]
    return found


def _pair(one: Residue, first: Atom, other: Residue, second: Atom) -> str:
    distance = math.dist(first.position, second.position)
    return f"{first.name} of {one.label} and {second.name} of {other.label} are {distance:.2f} Å apart"


def _typed_residue(residue: Residue, monomer: Any) -> Residue:
    """The residue with the atoms that were typed: its own ones, then the hydrogens that the template added."""
    kept = set(monomer.mapidx_to_raw.values())
    atoms = [atom for index, atom in enumerate(residue.atoms) if index in kept]
    positions = monomer.rdkit_mol.GetConformer().GetPositions()
    taken = {atom.name for atom in atoms}
    for atom in monomer.rdkit_mol.GetAtoms():
        if atom.GetIdx() in monomer.mapidx_to_raw:
            continue
        name = _free_name(monomer.atom_names[atom.GetIdx()] if monomer.atom_names else "", taken)
        x, y, z = (round(float(value), 3) for value in positions[atom.GetIdx()])
        atoms.append(Atom(name, atom.GetSymbol(), (x, y, z)))
        taken.add(name)
    return residue.with_atoms(atoms)


def _free_name(wanted: str, taken: set[str]) -> str:
    """The template's name for a hydrogen, another one where the residue has that already."""
    if wanted and wanted not in taken:
        return wanted
    return next(name for name in (f"H{number}" for number in range(1, 999)) if name not in taken)
