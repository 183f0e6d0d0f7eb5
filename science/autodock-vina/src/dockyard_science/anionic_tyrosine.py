"""Templates of tyrosine without its proton, which Meeko lacks; only a fixed state of a tyrosine uses them."""

import json
from collections.abc import Iterable

from rdkit import Chem

from dockyard_science.meeko_door import ResidueChemTemplates, ResidueTemplate

_SUFFIX = "-anionic"


def anionic_key(template: str) -> str:
    """The template key of the anionic form of a tyrosine."""
    return template + _SUFFIX


def add_anionic_templates(templates: ResidueChemTemplates, keys: Iterable[str]) -> None:
    """Add the anionic forms of the named templates; Meeko uses such a template only where a state is forced."""
    for key in keys:
        if key.endswith(_SUFFIX) and key not in templates.residue_templates:
            # The template is made from Meeko's template alone, so every later job of this process may use it.
            templates.residue_templates[key] = _anionic(
                templates.residue_templates[key.removesuffix(_SUFFIX)]
            )


def _anionic(neutral: ResidueTemplate) -> ResidueTemplate:
    """A template without HH whose oxygen is charged; the links stay on the atoms that have them."""
    names = list(neutral.atom_names)
    hydrogen = names.index("HH")
    mol = Chem.RWMol(neutral.mol)
    (oxygen,) = mol.GetAtomWithIdx(hydrogen).GetNeighbors()
    oxygen.SetFormalCharge(-1)
    mol.RemoveAtom(hydrogen)
    mol.UpdatePropertyCache()
    smiles = Chem.MolToSmiles(mol, canonical=False)
    order = json.loads(mol.GetProp("_smilesAtomOutputOrder").replace(",]", "]"))
    old = [index if index < hydrogen else index + 1 for index in order]
    links = {
        place: neutral.link_labels[index] for place, index in enumerate(old) if index in neutral.link_labels
    }
    return ResidueTemplate(smiles, links, [names[index] for index in old])
