"""Metals without an atom type of their own: each is typed as the nearest one that has one.

The alkali metals bind as calcium does, through oxygens, at about its distance; nickel, cobalt, cadmium and mercury
bind as zinc does, beside which they stand in the periodic table and whose place they take in proteins. Vina has the
same terms for all metals, so its scores do not depend on the choice.
"""

from collections.abc import Mapping, Sequence

from rdkit import Chem
from rdkit.Geometry import Point3D

from dockyard_science.meeko_door import ResidueChemTemplates, ResidueTemplate
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Residue
from dockyard_structures.residues import short_list

#: The element whose atom type a metal gets, and the charge of its ion.
OTHER_TYPES = {
    "NA": ("Ca", 1),
    "K": ("Ca", 1),
    "NI": ("Zn", 2),
    "CO": ("Zn", 2),
    "CD": ("Zn", 2),
    "HG": ("Zn", 2),
}

# Ids of the dictionary for the same elements with another charge.
_CHARGES = {"3CO": 3, "3NI": 3}


def has_other_type(residue: Residue) -> bool:
    """Whether a retained component is a single metal that gets the atom type of another metal."""
    return len(residue.atoms) == 1 and residue.atoms[0].element.upper() in OTHER_TYPES


def add_metal_templates(templates: ResidueChemTemplates, by_key: Mapping[str, Residue]) -> dict[str, str]:
    """Add a template for each metal that is typed as another one; the template's name by the residue's key."""
    forced: dict[str, str] = {}
    for key, residue in by_key.items():
        if not (residue.hetero and has_other_type(residue)):
            continue
        (atom,) = residue.atoms
        stand_in, charge = OTHER_TYPES[atom.element.upper()]
        charge = _CHARGES.get(residue.component_id, charge)
        name = f"{atom.name}{charge}+ as {stand_in}"
        if name not in templates.residue_templates:
            smiles = f"[{stand_in}+{charge}]"
            templates.residue_templates[name] = ResidueTemplate(smiles, {}, [atom.name])
        forced[key] = name
    return forced


def metal_molecule(residue: Residue) -> Chem.Mol | None:
    """The one atom of a metal under the element that it is typed as, one conformer (angstrom); None for all else."""
    if not has_other_type(residue):
        return None
    (atom,) = residue.atoms
    stand_in, _ = OTHER_TYPES[atom.element.upper()]
    molecule = Chem.RWMol()
    molecule.AddAtom(Chem.Atom(stand_in))
    conformer = Chem.Conformer(1)
    conformer.Set3D(True)
    conformer.SetAtomPosition(0, Point3D(*atom.position))
    molecule.AddConformer(conformer, assignId=True)
    molecule.UpdatePropertyCache(strict=False)
    return molecule.GetMol()


def metal_type_warnings(retained: Sequence[Residue]) -> list[TaskWarning]:
    """A warning that names each metal that was typed as another one."""
    named = [
        f"{residue.label} as {OTHER_TYPES[residue.atoms[0].element.upper()][0]}"
        for residue in retained
        if has_other_type(residue)
    ]
    if not named:
        return []
    message = f"Metals without an atom type of their own have the nearest one's: {short_list(named)}."
    return [{"code": "METAL_TYPE_SUBSTITUTED", "message": message}]
