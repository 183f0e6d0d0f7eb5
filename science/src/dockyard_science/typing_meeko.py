"""Atom types and charges for docking: Meeko matches each residue to a template and writes PDBQT.

Templates of retained components are made from the Chemical Component Dictionary here; Meeko's own way to get
them, a download, is closed. A residue that no template matches is an error that names it and says why.
"""

import contextlib
import functools
import json
import logging
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meeko import MoleculePreparation, PDBQTWriterLegacy, Polymer, ResidueChemTemplates, chemtempgen
from meeko.polymer import ResidueTemplate, find_inter_mols_bonds
from rdkit import Chem, rdBase
from rdkit.Geometry import Point3D

from dockyard_science.atoms import Atom, Residue, ResidueKey, write_pdb
from dockyard_science.ccd import Ccd
from dockyard_science.contacts import is_metal
from dockyard_science.errors import ScienceError, one_line
from dockyard_science.residues import short_list
from dockyard_science.structure import BLANK_CHAIN

_RawMolecules = dict[str, tuple[Any, str]]
_Bonds = dict[tuple[str, str], list[tuple[int, int]]]

# As long as a residue name may be in PDB and PDBQT.
_NAME_LENGTH = 3


@dataclass
class Typed:
    """A typed receptor: its PDBQT and its residues with exactly the hydrogens that were typed.

    `changed` holds residues that got other hydrogens than they came with: template by label.
    """

    pdbqt: str
    residues: list[Residue]
    changed: dict[str, str]


def type_receptor(
    residues: Sequence[Residue],
    letters: Mapping[str, str],
    ccd: Ccd,
    templates_by_residue: Mapping[ResidueKey, str] | None = None,
) -> Typed:
    """Match templates and assign types; missing hydrogens are put where the template wants them.

    `templates_by_residue` forces a template. Raises RECEPTOR_UNKNOWN_COMPONENT, RECEPTOR_CLASH,
    RECEPTOR_MISSING_ATOMS or RECEPTOR_TEMPLATE_UNMATCHED.
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
    with _quiet(), _no_download():
        templates = _templates({residue.name for residue in residues if residue.hetero}, ccd)
        defined = {key: component_molecule(each, ccd) for key, each in by_key.items() if each.hetero}
        text = write_pdb((each for each in residues if not each.hetero), letters, blank=True)
        polymer = _build_polymer(text, defined, by_key, templates, forced)
        _refuse_untyped(polymer, by_key)
        pdbqt, _ = PDBQTWriterLegacy.write_from_polymer(polymer)
    typed = [_typed_residue(by_key[key], monomer) for key, monomer in polymer.monomers.items()]
    anomalies = polymer.log["matched_with_H_anomaly"]
    changed = {by_key[key].label: anomaly[0] for key, anomaly in anomalies.items()}
    return Typed(pdbqt, typed, changed)


def check_components(residues: Sequence[Residue], ccd: Ccd) -> None:
    """Raise what stands against retaining components, before anything slow is done."""
    with _quiet(), _no_download():
        _templates({residue.name for residue in residues}, ccd)
        for residue in residues:
            component_molecule(residue, ccd)


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
    text: str,
    defined: dict[str, Chem.Mol],
    by_key: Mapping[str, Residue],
    templates: ResidueChemTemplates,
    forced: dict[str, str],
) -> Polymer:
    bonds: _Bonds = {}
    try:
        found = {key: parts[0] for key, parts in Polymer._pdb_to_residue_mols(text).items()} | defined
        raw: _RawMolecules = {key: (found[key], residue.name) for key, residue in by_key.items()}
        bonds = _without_coordination(find_inter_mols_bonds(raw), raw)
        polymer = Polymer(raw, bonds, templates, MoleculePreparation(), forced)
    # Meeko and RDKit raise errors of every kind on structures they cannot follow; each is about this receptor.
    except Exception as error:
        cause = one_line(str(error) or type(error).__name__, 300)
        raise _explained(cause, by_key, bonds) from error
    unmatched = polymer.get_ignored_monomers()
    if unmatched:
        raise _unmatched([by_key[key] for key in unmatched], set(unmatched), by_key, bonds)
    return polymer


def component_molecule(residue: Residue, ccd: Ccd) -> Chem.Mol:
    """A retained component's heavy atoms in the residue's order, one conformer (N x 3, angstrom).

    Which atoms are bonded says the dictionary, not their distance: for that a crystal's phosphate or heme is
    not accurate enough. Orders and charges come with the template. Raises RECEPTOR_UNKNOWN_COMPONENT or
    RECEPTOR_MISSING_ATOMS.
    """
    definition = ccd.molecule(residue.name)
    if definition is None:
        message = (
            f"{residue.label} cannot be retained: the Chemical Component Dictionary has no bonds for it."
        )
        raise ScienceError("RECEPTOR_UNKNOWN_COMPONENT", message)
    molecule = Chem.RemoveAllHs(definition)
    index_by_name = {atom.GetProp("name"): atom.GetIdx() for atom in molecule.GetAtoms()}
    names = [atom.name for atom in residue.atoms]
    missing = [name for name in index_by_name if name not in names]
    if missing:
        message = f"{residue.label}, which is to be retained, lacks {short_list(missing)}."
        raise ScienceError("RECEPTOR_MISSING_ATOMS", message)
    if len(names) != len(index_by_name):
        extra = short_list(name for name in names if name not in index_by_name)
        message = f"{residue.label} cannot be retained: its definition does not have {extra}."
        raise ScienceError("RECEPTOR_UNKNOWN_COMPONENT", message)
    graph = Chem.RWMol()
    conformer = Chem.Conformer(len(names))
    conformer.Set3D(True)
    for atom in residue.atoms:
        index = graph.AddAtom(Chem.Atom(atom.element.capitalize()))
        conformer.SetAtomPosition(index, Point3D(*atom.position))
    position = {index_by_name[name]: index for index, name in enumerate(names)}
    for bond in molecule.GetBonds():
        ends = (position[bond.GetBeginAtomIdx()], position[bond.GetEndAtomIdx()])
        graph.AddBond(*ends, Chem.BondType.SINGLE)
    graph.AddConformer(conformer, assignId=True)
    graph.UpdatePropertyCache(strict=False)
    return graph.GetMol()


def _without_coordination(bonds: _Bonds, raw: _RawMolecules) -> _Bonds:
    """Bonds but for those to metals: an ion is a residue of its own, whose bonds no template has."""
    kept: _Bonds = {}
    for (first, second), pairs in bonds.items():
        covalent = [
            (i, j)
            for i, j in pairs
            if not is_metal(raw[first][0].GetAtomWithIdx(i).GetSymbol())
            and not is_metal(raw[second][0].GetAtomWithIdx(j).GetSymbol())
        ]
        if covalent:
            kept[(first, second)] = covalent
    return kept


def _explained(cause: str, by_key: Mapping[str, Residue], bonds: _Bonds) -> ScienceError:
    """The error for what Meeko raised, with the residue's own name where it names one by its key."""
    named = [residue.label for key, residue in by_key.items() if f" {key} " in f" {cause} "]
    crowded = _excess_bonds(set(by_key), by_key, bonds)
    if crowded:
        return ScienceError(
            "RECEPTOR_CLASH", f"Residues that are no neighbours touch: {short_list(crowded)}."
        )
    where = f"{short_list(named)}: " if named else ""
    return ScienceError("RECEPTOR_TEMPLATE_UNMATCHED", f"The receptor cannot be typed. {where}{cause}")


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
        return ScienceError(
            "RECEPTOR_CLASH", f"Residues that are no neighbours touch: {short_list(crowded)}."
        )
    message = f"No template matches {names}: atoms or bonds are not those of the residue."
    return ScienceError("RECEPTOR_TEMPLATE_UNMATCHED", message)


def _excess_bonds(keys: set[str], by_key: Mapping[str, Residue], bonds: _Bonds) -> list[str]:
    """Pairs of residues within bonding distance that are neither neighbours in a chain nor both cysteines."""
    order = {key: index for index, key in enumerate(by_key)}
    found: list[str] = []
    for first, second in bonds:
        one, other = by_key[first], by_key[second]
        neighbours = one.chain == other.chain and abs(order[first] - order[second]) == 1
        if not neighbours and {one.name, other.name} != {"CYS"} and keys & {first, second}:
            found.append(f"{one.label} and {other.label}")
    return found


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


@functools.cache
def _default_templates() -> ResidueChemTemplates:
    return ResidueChemTemplates.create_from_defaults()


def _templates(components: set[str], ccd: Ccd) -> ResidueChemTemplates:
    """Meeko's templates, with one more for each retained component that it has none for."""
    templates = _default_templates()
    known = templates.residue_templates.keys() | templates.ambiguous.keys()
    for name in sorted(components - known):
        template = _component_template(name, ccd)
        # Made from the dictionary alone, so it is the same in every later job of this process.
        templates.residue_templates[name] = template
        templates.ambiguous[name] = [name]
    return templates


def _component_template(name: str, ccd: Ccd) -> ResidueTemplate:
    if len(name) > _NAME_LENGTH:
        message = f"{name} cannot be retained: PDBQT has room for ids of three characters."
        raise ScienceError("RECEPTOR_UNKNOWN_COMPONENT", message)
    with tempfile.TemporaryDirectory() as folder:
        path = ccd.cif_path(name, Path(folder))
        if path is None:
            message = f"{name} cannot be retained: the Chemical Component Dictionary does not have it."
            raise ScienceError("RECEPTOR_UNKNOWN_COMPONENT", message)
        chemtempgen.fetch_from_pdb = lambda *_args, **_options: str(path)
        try:
            component = chemtempgen.build_noncovalent_CC(name)
        # Whatever stops Meeko here, it has no types for this component.
        except Exception as error:
            message = f"{name} cannot be retained, it cannot be typed: {error}"
            raise ScienceError("RECEPTOR_UNKNOWN_COMPONENT", message) from error
    if component is None:
        message = f"{name} cannot be retained: an element or a valence of it has no atom type."
        raise ScienceError("RECEPTOR_UNKNOWN_COMPONENT", message)
    exported = json.loads(chemtempgen.export_chem_templates_to_json([component]))
    parts = exported["residue_templates"][component.resname]
    return ResidueTemplate(parts["smiles"], {}, parts["atom_name"])


def _refuse_download(name: str, *_args: Any, **_options: Any) -> str:
    raise ScienceError("RECEPTOR_UNKNOWN_COMPONENT", f"{name} has no template, and none is downloaded.")


@contextlib.contextmanager
def _no_download() -> Iterator[None]:
    fetch = chemtempgen.fetch_from_pdb
    chemtempgen.fetch_from_pdb = _refuse_download
    try:
        yield
    finally:
        chemtempgen.fetch_from_pdb = fetch


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep warnings off the task's log: what matters of them is in the error or the report."""
    loggers = [
        logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("meeko")
    ]
    before = [(logger, logger.disabled) for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    with rdBase.BlockLogs(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            for logger, disabled in before:
                logger.disabled = disabled
