"""Templates of retained components, made from the Chemical Component Dictionary and never from the network."""

import contextlib
import functools
import json
import logging
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rdkit import Chem, rdBase

from dockyard_science.ccd import Ccd
from dockyard_science.meeko_door import ResidueChemTemplates, ResidueTemplate, chemtempgen
from dockyard_science.metal_types import has_other_type
from dockyard_science.molecules import component_molecule
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Residue

# Names of amino acids in Meeko's templates: three characters, four at the ends of a chain.
_NAME_LENGTH = 3


def check_components(residues: Sequence[Residue], ccd: Ccd) -> None:
    """Raise what stands against retaining components, before anything slow is done."""
    with quiet(), no_download():
        make_templates(residues, ccd)
        for residue in residues:
            if not has_other_type(residue):
                component_molecule(residue, ccd)


@functools.cache
def default_templates() -> ResidueChemTemplates:
    """Meeko's templates, read once; those that are added here stay for later jobs of the process."""
    return ResidueChemTemplates.create_from_defaults()


def make_templates(residues: Sequence[Residue], ccd: Ccd) -> ResidueChemTemplates:
    """Meeko's templates, with one more for each retained component among the residues that it has none for."""
    templates = default_templates()
    components = {each.component_id for each in residues if each.hetero and not has_other_type(each)}
    known = templates.residue_templates.keys() | templates.ambiguous.keys()
    for name in sorted(components - known):
        template = _component_template(name, ccd)
        # The template is made from the dictionary alone, so every later job of this process may use it.
        templates.residue_templates[name] = template
        templates.ambiguous[name] = [name]
    return templates


def add_free_templates(templates: ResidueChemTemplates, name: str) -> None:
    """Add templates of an amino acid that is bonded to none: charged at its start and at its end."""
    starts = [
        key for key in templates.ambiguous.get(name, []) if key.startswith("N") and len(key) > _NAME_LENGTH
    ]
    for start in starts:
        key = f"{start}-free"
        if key not in templates.residue_templates:
            # The template is made from Meeko's template alone, so every later job of this process may use it.
            templates.residue_templates[key] = _free_template(templates.residue_templates[start])
            templates.ambiguous[name] = [*templates.ambiguous[name], key]


def _free_template(start: ResidueTemplate) -> ResidueTemplate:
    """The template of a chain's first residue with the oxygen that ends a chain where it has its link."""
    mol = Chem.RWMol(start.mol)
    (link,) = start.link_labels
    oxygen = Chem.Atom("O")
    oxygen.SetFormalCharge(-1)
    mol.AddBond(link, mol.AddAtom(oxygen), Chem.BondType.SINGLE)
    mol.UpdatePropertyCache()
    smiles = Chem.MolToSmiles(mol, canonical=False)
    order = json.loads(mol.GetProp("_smilesAtomOutputOrder").replace(",]", "]"))
    names = [*start.atom_names, "OXT"]
    return ResidueTemplate(smiles, {}, [names[index] for index in order])


def _component_template(name: str, ccd: Ccd) -> ResidueTemplate:
    with tempfile.TemporaryDirectory() as folder:
        path = ccd.cif_path(name, Path(folder))
        if path is None:
            message = f"{name} cannot be retained: the Chemical Component Dictionary does not have it."
            raise ScienceError("RECEPTOR_UNKNOWN_COMPONENT", message)
        chemtempgen.fetch_from_pdb = lambda *_args, **_options: str(path)
        try:
            component = chemtempgen.build_noncovalent_CC(name)
        # Whatever error stops Meeko here, Meeko has no types for this component.
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
def no_download() -> Iterator[None]:
    """Keep Meeko from the network: by default Meeko downloads templates that it lacks."""
    fetch = chemtempgen.fetch_from_pdb
    chemtempgen.fetch_from_pdb = _refuse_download
    try:
        yield
    finally:
        chemtempgen.fetch_from_pdb = fetch


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep warnings of Meeko and RDKit out of the task's log: errors and reports have what matters of them."""
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
