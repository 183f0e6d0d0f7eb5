"""The ligand of the crystal as a reference for the control docking: its place, the dictionary's bonds.

Structure files know no bond orders, so they come from the Chemical Component Dictionary by atom name. The
reference must be whole: a deviation over some of the atoms would look better than it is.
"""

import gemmi
from rdkit import Chem
from rdkit.Geometry import Point3D

from dockyard_science.ccd import Ccd
from dockyard_science.residue_names import the_residue
from dockyard_science.spec import NativeReference
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Residue
from dockyard_structures.residues import short_list

_CODE = "NATIVE_REFERENCE_NOT_FOUND"


def find_native(model: gemmi.Model, wanted: NativeReference) -> Residue:
    """The residue that a native reference names, of the selected model.

    Raises NATIVE_REFERENCE_NOT_FOUND, RECEPTOR_RESIDUE_AMBIGUOUS.
    """
    return the_residue(model, wanted, _CODE, is_ligand=True)


def native_molecule(residue: Residue, ccd: Ccd) -> Chem.Mol:
    """The ligand's heavy atoms where the crystal has them (N x 3, angstrom), bond orders and charges assigned.

    Raises NATIVE_REFERENCE_NOT_FOUND where the dictionary does not have the component or the atoms differ.
    """
    template = ccd.molecule(residue.deposited_name)
    if template is None:
        message = f"The Chemical Component Dictionary has no bond orders for {residue.label}."
        raise ScienceError(_CODE, message)
    molecule = Chem.RemoveHs(template)
    names = [atom.GetProp("name") for atom in molecule.GetAtoms()]
    _check_atoms(residue, names)
    places = {atom.name: atom.position for atom in residue.heavy_atoms}
    molecule.RemoveAllConformers()
    conformer = Chem.Conformer(molecule.GetNumAtoms())
    conformer.Set3D(True)
    for index, name in enumerate(names):
        conformer.SetAtomPosition(index, Point3D(*places[name]))
    molecule.AddConformer(conformer, assignId=True)
    # The stereo centres follow the crystal, not the dictionary's ideal coordinates.
    Chem.AssignStereochemistryFrom3D(molecule, replaceExistingTags=True)
    return molecule


def write_native(molecule: Chem.Mol, residue: Residue) -> str:
    """The reference as one SDF record that names component, chain, residue and insertion code."""
    record = Chem.Mol(molecule)
    record.SetProp("_Name", residue.deposited_name)
    properties = {
        "component_id": residue.deposited_name,
        "chain": residue.chain,
        "residue": str(residue.number),
        "insertion_code": residue.insertion_code,
    }
    lines = [Chem.MolToMolBlock(record)]
    lines += [f">  <{name}>\n{value}\n\n" for name, value in properties.items() if value]
    return "".join(lines) + "$$$$\n"


def _check_atoms(residue: Residue, names: list[str]) -> None:
    """The crystal's atoms are the dictionary's, but for oxygens and others that leave when a bond forms."""
    have = {atom.name for atom in residue.heavy_atoms}
    missing = [name for name in names if name not in have]
    extra = sorted(have - set(names))
    if missing:
        message = (
            f"{residue.label} lacks {short_list(missing)} in the file, so no deviation from it can be given."
        )
        raise ScienceError(_CODE, message)
    if extra:
        message = f"{residue.label} has atoms that its definition lacks: {short_list(extra)}."
        raise ScienceError(_CODE, message)
