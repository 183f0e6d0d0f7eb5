"""Makes a ligand ready for docking: salt, tautomer, protonation, stereo, three dimensions, PDBQT, in this order.

The same molecule gives the same bytes however it was written and whatever the job's seed is. Every failure has a code;
nothing is changed in the ligand without a warning or an entry in the result.
"""

import warnings as python_warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdMolDescriptors

from dockyard_science.conformer import build_conformer
from dockyard_science.ligand_limits import check_molecule
from dockyard_science.ligand_neutral import smiles_order
from dockyard_science.ligand_protonation import Protonated, as_given, protonate, task_warning
from dockyard_science.ligand_sources import LigandInput, RawLigand, read_ligand
from dockyard_science.meeko_door import MoleculePreparation, PDBQTWriterLegacy
from dockyard_science.modes import most_small_shapes
from dockyard_science.molecule_faults import charge_fault
from dockyard_science.pdbqt import active_torsions, atom_lines, move_atoms, read_index_map
from dockyard_science.plain_ligand import plain_ligand
from dockyard_science.prepared_ligand import PreparedLigand, PreparedShapes
from dockyard_science.ring_shapes import MACROCYCLE_ATOMS, ring_shapes
from dockyard_science.spec import LigandProtonation, LigandTautomer
from dockyard_science.stereo import (
    OpenStereo,
    label_from_coordinates,
    stereo_choices,
    without_passing_labels,
)
from dockyard_science.stereo_words import warn_of_axes
from dockyard_science.tautomers import tautomer_of
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning

MAX_TORSIONS = 32

# Isomers tried where stereo is open; a cage can have dozens on paper that cannot exist.
_MAX_TRIED = 16
# The exhaustiveness of a job that names none.
_EXHAUSTIVENESS = 8

# Vina knows no boron. Carbon is what comes closest to it in size, and what AutoDock's users put in its place.
_BORON_AS_CARBON = [{"smarts": "[#5]", "atype": "C"}]


def _no_step() -> None:
    return


def prepare_ligand(
    raw: RawLigand,
    protonation_ph: float,
    protonation: LigandProtonation = "model",
    tautomer: LigandTautomer = "as_sent",
    on_step: Callable[[], None] = _no_step,
    *,
    exhaustiveness: int = _EXHAUSTIVENESS,
) -> PreparedLigand:
    """Prepare a ligand at a pH, or in the state given. Raises ScienceError with one of the LIGAND_ codes.

    The exhaustiveness of the docking says how many shapes of rings there may be.
    `on_step` is called now and then while the shapes of a ring are built, which takes long but not for ever.
    """
    ligand = read_ligand(raw)
    if ligand.pdbqt is not None:
        return _as_it_is(ligand, ligand.pdbqt)
    warnings: list[TaskWarning] = []
    desalted = plain_ligand(ligand, warnings)
    is_given = protonation == "as_given"
    wanted = without_passing_labels(desalted.mol)
    if is_given:
        state = as_given(wanted)
    else:
        state = protonate(tautomer_of(wanted, tautomer, warnings), protonation_ph, warnings)
    candidates, unknown = stereo_choices(state.mol)
    built, force_field = _build(state.mol, candidates)
    if unknown:
        warnings.append(_stereo_warning(unknown, built))
    warn_of_axes(state.mol, warnings)
    shapes = _shapes(built, force_field, warnings, on_step, most_small_shapes(exhaustiveness))
    return _describe(
        built,
        _write_pdbqt(built) if shapes is None else shapes.pdbqts[0],
        sent=desalted.mol,
        shapes=shapes,
        state=state,
        tautomer=tautomer,
        smiles_input=ligand.smiles_input,
        removed=desalted.removed,
        unknown=unknown,
        force_field=force_field,
        warnings=warnings,
    )


def _build(given: Chem.Mol, candidates: list[Chem.Mol]) -> tuple[Chem.Mol, str]:
    """Build the first isomer that exists; of a cage whose isomers on paper do not, what its rings allow."""
    is_open = len(candidates) > 1
    built, force_field = build_conformer([*candidates[:_MAX_TRIED], given] if is_open else [given])
    if is_open:
        label_from_coordinates(built)
    return built, force_field


def _shapes(
    built: Chem.Mol, force_field: str, warnings: list[TaskWarning], on_step: Callable[[], None], most: int
) -> PreparedShapes | None:
    found = ring_shapes(built, force_field, on_step, most)
    if found is None:
        return None
    if found.is_fallback:
        sizes = " and ".join(str(size) for size in found.rings)
        message = (
            f"No second conformation of the ring of {sizes} atoms could be built; it was docked in one shape."
        )
        warnings.append(task_warning("MACROCYCLE_RIGID", message))
    places = [np.asarray(shape.mol.GetConformer().GetPositions()) for shape in found.shapes]
    # Meeko looks at bonds alone: another shape has the same atoms, types and torsions.
    lowest = _write_pdbqt(found.shapes[0].mol)
    return PreparedShapes(found, [lowest, *(move_atoms(lowest, places[0], other) for other in places[1:])])


def _stereo_warning(unknown: OpenStereo, built: Chem.Mol) -> TaskWarning:
    parts = {"stereocentre": unknown.centres, "double bond": unknown.double_bonds}
    counts = " and ".join(f"{count} {name}{'s' * (count > 1)}" for name, count in parts.items() if count)
    docked = Chem.MolToSmiles(Chem.RemoveHs(built))
    return task_warning(
        "STEREO_UNSPECIFIED", f"The input leaves {counts} open; one isomer was docked: {docked}"
    )


def warm_up() -> None:
    """Load what the libraries load with their first molecule, so that every later one finds it there."""
    prepare_ligand(RawLigand("smiles", "CC(=O)Nc1ncccn1.Cl"), 7.4).record()


def _write_pdbqt(mol: Chem.Mol) -> str:
    has_boron = any(atom.GetAtomicNum() == 5 for atom in mol.GetAtoms())
    preparation = MoleculePreparation(
        rigid_macrocycles=True, add_atom_types=_BORON_AS_CARBON if has_boron else None
    )
    try:
        with python_warnings.catch_warnings(action="ignore"):
            setups = preparation.prepare(mol)
            text, is_ok, reason = PDBQTWriterLegacy.write_string(setups[0])
    except Exception as error:
        message = f"Meeko cannot make a docking input of this molecule: {error}. Send another form of it."
        raise ScienceError("LIGAND_UNSUPPORTED_ATOM", message) from error
    if not is_ok:
        fault = charge_fault(mol) or f"Meeko has no atom type for a part of this molecule: {reason}"
        message = f"{fault[:1].upper()}{fault[1:]}. Send another form of it."
        raise ScienceError("LIGAND_UNSUPPORTED_ATOM", message)
    return str(text)


def _as_it_is(ligand: LigandInput, pdbqt: str) -> PreparedLigand:
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
    return _describe(
        Chem.AddHs(ligand.mol),
        pdbqt,
        sent=ligand.mol,
        shapes=None,
        state=Protonated(ligand.mol, "as_given", {}),
        tautomer="as_sent",
        smiles_input=ligand.smiles_input,
        removed=[],
        unknown=stereo_choices(ligand.mol)[1],
        force_field=None,
        warnings=warnings,
    )


def _describe(
    mol: Chem.Mol,
    pdbqt: str,
    *,
    sent: Chem.Mol,
    shapes: PreparedShapes | None,
    state: Protonated,
    tautomer: LigandTautomer,
    smiles_input: str,
    removed: list[str],
    unknown: OpenStereo,
    force_field: str | None,
    warnings: list[TaskWarning],
) -> PreparedLigand:
    torsions = active_torsions(pdbqt)
    if torsions > MAX_TORSIONS:
        message = f"The ligand has {torsions} rotatable bonds; at most {MAX_TORSIONS} can be docked. Send a part of it."
        raise ScienceError("LIGAND_TOO_LARGE", message)
    rings = sorted(len(ring) for ring in mol.GetRingInfo().AtomRings() if len(ring) >= MACROCYCLE_ATOMS)
    is_rigid = shapes is None or len(shapes.pdbqts) == 1
    if force_field == "none" and mol.GetNumHeavyAtoms() > 1:
        message = (
            "No force field has parameters for this molecule; its shape comes from distance geometry alone."
        )
        warnings.append(task_warning("FORCE_FIELD_MISSING", message))
    if any(atom.GetAtomicNum() == 5 for atom in mol.GetAtoms()):
        message = "Vina has no parameters for boron; it was scored as carbon."
        warnings.append(task_warning("BORON_AS_CARBON", message))
    docked = Chem.RemoveHs(mol)
    smiles_docked, order = smiles_order(docked)
    return PreparedLigand(
        sent=sent,
        pdbqt=pdbqt,
        smiles_input=smiles_input,
        smiles_docked=smiles_docked,
        formula=_formula(mol),
        heavy_atoms=mol.GetNumHeavyAtoms(),
        formal_charge=Chem.GetFormalCharge(mol),
        torsions=torsions,
        removed_fragments=removed,
        open_stereo=unknown,
        force_field=force_field,
        macrocycles=rings if is_rigid else [],
        protonation=state.method,
        tautomer=tautomer,
        sites=_site_records(state, docked, order),
        warnings=warnings,
        shapes=shapes,
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


def _formula(mol: Chem.Mol) -> str:
    return str(rdMolDescriptors.CalcMolFormula(mol))
