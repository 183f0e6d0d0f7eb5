"""Describes a built ligand as the result does, with its docking input: a PDBQT of Meeko's."""

import warnings as python_warnings
from dataclasses import dataclass
from typing import Any

from rdkit import Chem
from rdkit.Chem import rdMolDescriptors

from dockyard_science.ligand_limits import check_molecule
from dockyard_science.ligand_neutral import smiles_order
from dockyard_science.ligand_protonation import Protonated, task_warning
from dockyard_science.ligand_sources import LigandInput
from dockyard_science.meeko_door import MoleculePreparation, PDBQTWriterLegacy
from dockyard_science.molecule_faults import charge_fault, element_fault, type_fault
from dockyard_science.pdbqt import active_torsions, atom_lines, read_index_map
from dockyard_science.prepared_ligand import PreparedLigand, PreparedShapes
from dockyard_science.ring_shapes import MACROCYCLE_ATOMS
from dockyard_science.salts import Desalted
from dockyard_science.spec import LigandTautomer
from dockyard_science.stereo import OpenStereo, stereo_choices
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning

MAX_TORSIONS = 32

# Vina knows no boron. Carbon is what comes closest to it in size, and what AutoDock's users put in its place.
_BORON_AS_CARBON = [{"smarts": "[#5]", "atype": "C"}]


@dataclass(frozen=True)
class SentLigand:
    """What all states of a ligand were made of: the molecule without salts, how it was written, what was asked."""

    desalted: Desalted
    smiles_input: str
    tautomer: LigandTautomer


@dataclass(frozen=True)
class BuiltState:
    """A state in three dimensions, explicit hydrogens included; `unknown` is what was open, `cost` in kcal/mol."""

    mol: Chem.Mol
    force_field: str | None
    state: Protonated
    unknown: OpenStereo
    cost: float = 0.0


def write_pdbqt(mol: Chem.Mol) -> str:
    """The docking input of a molecule. Raises ScienceError LIGAND_UNSUPPORTED_ATOM where Meeko knows none."""
    has_boron = any(atom.GetAtomicNum() == 5 for atom in mol.GetAtoms())
    preparation = MoleculePreparation(
        rigid_macrocycles=True, add_atom_types=_BORON_AS_CARBON if has_boron else None
    )
    try:
        with python_warnings.catch_warnings(action="ignore"):
            setups = preparation.prepare(mol)
            text, is_ok, _ = PDBQTWriterLegacy.write_string(setups[0])
    except Exception as error:
        # Meeko's own words are of its code; they stay in the log.
        fault = (
            element_fault(mol) or charge_fault(mol) or "Meeko cannot make a docking input of this molecule"
        )
        raise _untyped(fault) from error
    if not is_ok:
        untyped = [atom.index for atom in setups[0].atoms if atom.atom_type is None]
        raise _untyped(element_fault(mol) or charge_fault(mol) or type_fault(mol, untyped))
    return str(text)


def _untyped(fault: str) -> ScienceError:
    message = f"{fault[:1].upper()}{fault[1:]}. Send another form of it."
    return ScienceError("LIGAND_UNSUPPORTED_ATOM", message)


def as_it_is(ligand: LigandInput, pdbqt: str) -> PreparedLigand:
    """A PDBQT of Meeko's: nothing is done to it but to see that remarks and atoms agree."""
    check_molecule(ligand.mol)
    index = read_index_map(pdbqt)
    atoms = atom_lines(pdbqt)
    places = [serial for _, serial in index.heavy + index.hydrogens]
    is_whole = (
        sorted(atom for atom, _ in index.heavy) == list(range(ligand.mol.GetNumAtoms()))
        and len(set(places)) == len(places)
        and max(places) < len(atoms)
        and all(parent < ligand.mol.GetNumAtoms() for parent, _ in index.hydrogens)
    )
    if not is_whole:
        message = "The atoms of the PDBQT are not those of its 'REMARK SMILES'; prepare it again or send SDF."
        raise ScienceError("LIGAND_PARSE_FAILED", message)
    message = "The PDBQT was docked as it is: no desalting, no protonation, no new coordinates."
    warnings = [task_warning("LIGAND_USED_AS_IS", message)]
    built = BuiltState(
        Chem.AddHs(ligand.mol), None, Protonated(ligand.mol, "as_given", {}), stereo_choices(ligand.mol)[1]
    )
    sent = SentLigand(Desalted(ligand.mol, [], []), ligand.smiles_input, "as_sent")
    return describe(sent, built, pdbqt, None, warnings)


def describe(
    sent: SentLigand,
    built: BuiltState,
    pdbqt: str,
    shapes: PreparedShapes | None,
    warnings: list[TaskWarning],
) -> PreparedLigand:
    """A built state with its docking input, as the result tells it. Raises ScienceError LIGAND_TOO_LARGE."""
    torsions = active_torsions(pdbqt)
    if torsions > MAX_TORSIONS:
        message = f"The ligand has {torsions} rotatable bonds; at most {MAX_TORSIONS} can be docked. Send a part of it."
        raise ScienceError("LIGAND_TOO_LARGE", message)
    rings = sorted(len(ring) for ring in built.mol.GetRingInfo().AtomRings() if len(ring) >= MACROCYCLE_ATOMS)
    is_rigid = shapes is None or len(shapes.pdbqts) == 1
    if built.force_field == "none" and built.mol.GetNumHeavyAtoms() > 1:
        message = (
            "No force field has parameters for this molecule; its shape comes from distance geometry alone."
        )
        warnings.append(task_warning("FORCE_FIELD_MISSING", message))
    if any(atom.GetAtomicNum() == 5 for atom in built.mol.GetAtoms()):
        message = "Vina has no parameters for boron; it was scored as carbon."
        warnings.append(task_warning("BORON_AS_CARBON", message))
    docked = Chem.RemoveHs(built.mol)
    smiles_docked, order = smiles_order(docked)
    return PreparedLigand(
        sent=sent.desalted.mol,
        pdbqt=pdbqt,
        smiles_input=sent.smiles_input,
        smiles_docked=smiles_docked,
        formula=str(rdMolDescriptors.CalcMolFormula(built.mol)),
        heavy_atoms=built.mol.GetNumHeavyAtoms(),
        formal_charge=Chem.GetFormalCharge(built.mol),
        torsions=torsions,
        removed_fragments=sent.desalted.removed,
        open_stereo=built.unknown,
        force_field=built.force_field,
        macrocycles=rings if is_rigid else [],
        protonation=built.state.method,
        tautomer=sent.tautomer,
        sites=_site_records(built.state, docked, order),
        warnings=warnings,
        shapes=shapes,
        cost=built.cost,
    )


def _site_records(state: Protonated, docked: Chem.Mol, order: list[int]) -> list[dict[str, Any]]:
    """The sites of the state, by the places of their atoms in the SMILES of what was docked."""
    if not state.sites:
        return []
    # The isomer that was built is the same graph with its atoms in another order.
    twin = docked.GetSubstructMatch(state.mol)
    place = {atom: index for index, atom in enumerate(order)}
    records = [(place[twin[atom]], site) for atom, site in state.sites.items()]
    return [site.record(atom) for atom, site in sorted(records, key=lambda record: record[0])]
