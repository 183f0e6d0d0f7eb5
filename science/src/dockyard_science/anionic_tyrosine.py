"""Templates of tyrosine without its proton, which Meeko does not have; only a fixed state asks for them."""

import json
from collections.abc import Iterable

from meeko import ResidueChemTemplates
from meeko.polymer import ResidueTemplate
from rdkit import Chem

_SUFFIX = "-anionic"


def anionic_key(template: str) -> str:
    """The key of the anionic twin of a tyrosine's template."""
    return template + _SUFFIX


def add_anionic_templates(templates: ResidueChemTemplates, keys: Iterable[str]) -> None:
    """Add those of the named templates that are twins of Meeko's; they are matched only where they are forced."""
    for key in keys:
        if key.endswith(_SUFFIX) and key not in templates.residue_templates:
            # Made from Meeko's template alone, so it is the same in every later job of this process.
            templates.residue_templates[key] = _anionic(
                templates.residue_templates[key.removesuffix(_SUFFIX)]
            )


def _anionic(neutral: ResidueTemplate) -> ResidueTemplate:
    """A template without HH, its oxygen charged; links stay on the atoms that have them."""
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
