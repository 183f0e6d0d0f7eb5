"""Templates of caps and modified residues, made from Meeko's own and from the dictionary.

Meeko builds the template of a residue within a chain; from it come those of one that begins or ends a chain, which it
would leave uncharged. They stay for later jobs of the process, so each is named by all that it depends on.
"""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rdkit import Chem

from dockyard_science.ccd import Ccd, cif_text
from dockyard_science.faults import Culprit, SideChainError, own_culprit
from dockyard_science.linked import is_cap
from dockyard_science.linked_states import (
    PHOSPHATES,
    State,
    UnclearError,
    doubts,
    phosphate_template,
    residue_state,
    state_record,
)
from dockyard_science.meeko_door import ResidueChemTemplates, ResiduePadder, ResidueTemplate, chemtempgen
from dockyard_science.spec import PreparationSpec
from dockyard_science.stretches import letter_stretches
from dockyard_science.templates import default_templates, no_download, quiet
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Residue, ResidueKey
from dockyard_structures.residues import short_list

_AMIDE_CAP = "NH2"
_AMIDE_LINK = "amide-cap"

# The group with which the cap is padded, and where the group is found in the residue before the cap.
_AMIDE_START = ("[N:1]>>[N:1][C:11](=[O:12])[C:13]", "[C:11](=[O:12])[C:13]")

# A backbone by its nitrogen, and which atoms of it leave a residue within a chain, by their place in the pattern.
_RECIPES = {
    "primary": ("[NX3]([H])([H])[CX4][CX3](=O)[O]", {1, 6}),
    "secondary": ("[NX3]([H])([#6])[CX4][CX3](=O)[O]", {1, 6}),
    "amide": ("[NX3]([H])([CX3]=O)[CX4][CX3](=O)[O]", {7}),
}
_LINKS = {"[NX3h1]": "N-term", "[CX3h1]": "C-term"}


@dataclass
class LinkedTemplates:
    """The template of each cap and modified residue by key, and what is doubtful of their states."""

    names: dict[ResidueKey, str] = field(default_factory=dict)
    warnings: list[TaskWarning] = field(default_factory=list)


def linked_templates(polymer: Sequence[Residue], preparation: PreparationSpec, ccd: Ccd) -> LinkedTemplates:
    """Make the templates that the caps and modified residues of the chains need.

    Raises RECEPTOR_UNKNOWN_COMPONENT, which names those that have none, or RECEPTOR_MISSING_ATOMS; to blame are these
    residues.
    """
    made = LinkedTemplates()
    if not any(residue.linked for residue in polymer):
        return made
    starts = _starts(polymer, preparation)
    refused: dict[str, list[str]] = {}
    culprits: list[Culprit] = []
    with quiet(), no_download():
        for residue in polymer:
            if not residue.linked:
                continue
            try:
                made.names[residue.key] = _template(
                    residue, residue.key in starts, preparation, ccd, made.warnings
                )
            except UnclearError as error:
                refused.setdefault(str(error), []).append(f"{residue.label}{_parent(residue, ccd)}")
                culprits.append(own_culprit(residue))
    if refused:
        reasons = "; ".join(f"{short_list(labels)}: {why}" for why, labels in refused.items())
        message = f"Modified residues cannot be prepared: {reasons}."
        raise SideChainError("RECEPTOR_UNKNOWN_COMPONENT", message, culprits)
    return made


def _starts(polymer: Sequence[Residue], preparation: PreparationSpec) -> set[ResidueKey]:
    """The first residue of each molecule, which pdb2pqr charges; Meeko's own method leaves ends without a charge."""
    if preparation["protonationMethod"] == "meeko":
        return set()
    lettered = letter_stretches(polymer)
    first: dict[str, ResidueKey] = {}
    for residue, twin in zip(polymer, lettered.residues, strict=True):
        first.setdefault(twin.chain, residue.key)
    return set(first.values())


def _parent(residue: Residue, ccd: Ccd) -> str:
    parent = ccd.parent(residue.component_id)
    return f" (modified {parent})" if parent else ""


def _template(
    residue: Residue, begins: bool, preparation: PreparationSpec, ccd: Ccd, warnings: list[TaskWarning]
) -> str:
    templates, ph = default_templates(), preparation["protonationPh"]
    if is_cap(residue):
        return _cap_template(residue, templates)
    own: list[TaskWarning] = []
    if residue.component_id in PHOSPHATES:
        base, own = phosphate_template(residue.component_id, ph, residue.label)
    elif residue.component_id == "HYP":
        base = "HYP"
    else:
        base = f"{residue.component_id} at pH {ph:g}"
        doubtful: list[TaskWarning] = []
        state = residue_state(residue.component_id, ph, ccd, doubtful)
        own = doubts(doubtful, residue.label)
        if base not in templates.residue_templates:
            templates.residue_templates[base] = _built(residue.component_id, state)
    _refuse_incomplete(residue, templates.residue_templates[base])
    warnings.extend(own)
    return _with_ends(templates, base, begins=begins, ends=residue.atom("OXT") is not None)


class _EndPadder:
    """Meeko's padder of a residue's C, which wants a carbon beyond the nitrogen behind it; an amide has none."""

    def __init__(self, usual: ResiduePadder) -> None:
        """Keep the usual one."""
        self.usual = usual
        self.auto_blunt = usual.auto_blunt

    def __call__(
        self, target: Chem.Mol, adjacent: Chem.Mol | None = None, *indices: int | None
    ) -> tuple[Chem.Mol, list[int | None]]:
        """Pad a residue with what is beside it; padding counts for charges only, not for places."""
        if adjacent is not None and adjacent.GetNumHeavyAtoms() == 1:
            adjacent = Chem.RWMol(adjacent)
            next(atom for atom in adjacent.GetAtoms() if atom.GetAtomicNum() == 1).SetAtomicNum(6)
            adjacent.UpdatePropertyCache(strict=False)
        padded: tuple[Chem.Mol, list[int | None]] = self.usual(target, adjacent, *indices)
        return padded


def _add_amide_cap(templates: ResidueChemTemplates) -> None:
    """Add the template of NH2, and padders for both sides of its bond."""
    templates.padders[_AMIDE_LINK] = ResiduePadder(*_AMIDE_START, True)
    templates.padders["C-term"] = _EndPadder(templates.padders["C-term"])
    names = ["N", "HN1", "HN2"]
    templates.residue_templates[_AMIDE_CAP] = ResidueTemplate("N([H])[H]", {0: _AMIDE_LINK}, names)


def _cap_template(residue: Residue, templates: ResidueChemTemplates) -> str:
    name = residue.component_id
    if name == _AMIDE_CAP and name not in templates.residue_templates:
        _add_amide_cap(templates)
    heavy = [atom for atom in templates.residue_templates[name].mol.GetAtoms() if atom.GetAtomicNum() > 1]
    if len(heavy) != len(residue.heavy_atoms):
        message = f"{residue.label} has {len(residue.heavy_atoms)} heavy atoms instead of {len(heavy)}."
        raise SideChainError("RECEPTOR_MISSING_ATOMS", message, [own_culprit(residue)])
    return name


def _refuse_incomplete(residue: Residue, template: ResidueTemplate) -> None:
    present = {atom.name for atom in residue.heavy_atoms}
    atoms = zip(template.mol.GetAtoms(), template.atom_names, strict=True)
    names = [name for atom, name in atoms if atom.GetAtomicNum() > 1]
    missing = [name for name in names if name not in present]
    # A file that calls its atoms otherwise has as many; their bonds say which is which.
    if missing and len(present - {"OXT"}) < len(names):
        message = f"{residue.label} lacks {short_list(missing)}, which nothing here builds."
        raise SideChainError("RECEPTOR_MISSING_ATOMS", message, [own_culprit(residue)])


def _built(component_id: str, state: State) -> ResidueTemplate:
    """The template of a residue within a chain, by Meeko, which reads the state as it reads a dictionary."""
    pattern, leaving = _RECIPES[state.amine]
    acids, fetch = chemtempgen.acidic_proton_loc_canonical, chemtempgen.fetch_from_pdb
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "component.cif")
        path.write_text(cif_text(component_id, state_record(component_id, state)), encoding="utf-8")
        chemtempgen.fetch_from_pdb = lambda *_args, **_options: str(path)
        # The state is already the state at the pH, so Meeko must not remove acidic protons.
        chemtempgen.acidic_proton_loc_canonical = {}
        try:
            built = chemtempgen.build_linked_CCs(
                component_id,
                embed_allowed_smarts=pattern,
                cap_allowed_smarts=pattern,
                pattern_to_label_mapping_standard=_LINKS,
                variant_dict={"": ({pattern: leaving}, None)},
            )
        # Whatever error stops Meeko here, Meeko has no types for this residue.
        except Exception as error:
            raise UnclearError(f"Meeko makes no template of it ({type(error).__name__})") from error
        finally:
            chemtempgen.acidic_proton_loc_canonical, chemtempgen.fetch_from_pdb = acids, fetch
    if not built:
        raise UnclearError("Meeko makes no template of it")
    exported = json.loads(chemtempgen.export_chem_templates_to_json([built[0]]))
    parts: dict[str, Any] = exported["residue_templates"][component_id]
    labels = {int(index): label for index, label in parts["link_labels"].items()}
    names = parts["atom_name"]
    if "H" not in names:
        # Of the two hydrogens of an amine the first was removed; an amide's hydrogen has the removed one's name.
        names = ["H" if name == "H2" else name for name in names]
    template = ResidueTemplate(parts["smiles"], labels, names)
    _check_charge(template, state)
    return template


def _check_charge(template: ResidueTemplate, state: State) -> None:
    """Raise UnclearError where Meeko's reading of the state lost or gained a charge."""
    if Chem.GetFormalCharge(template.mol) != Chem.GetFormalCharge(state.mol):
        raise UnclearError("Meeko reads its charges otherwise")


def _with_ends(templates: ResidueChemTemplates, base: str, *, begins: bool, ends: bool) -> str:
    """The name of the template for a residue that begins or ends a chain, charged there; it is made where it is new."""
    inner = templates.residue_templates[base]
    links = {label: index for index, label in inner.link_labels.items()}
    charged = [*(["N-term"] if begins and "N-term" in links else []), *(["C-term"] if ends else [])]
    if not charged:
        return base
    name = f"{base}, {' and '.join(charged)}"
    if name in templates.residue_templates:
        return name
    mol, names = Chem.RWMol(inner.mol), list(inner.atom_names)
    if "N-term" in charged:
        nitrogen = mol.GetAtomWithIdx(links["N-term"])
        nitrogen.SetFormalCharge(1)
        free = (each for each in ("H1", "H2", "H3", "H4") if each not in names)
        for _ in range(4 - nitrogen.GetDegree()):
            mol.AddBond(links["N-term"], mol.AddAtom(Chem.Atom("H")), Chem.BondType.SINGLE)
            names.append(next(free))
    if "C-term" in charged:
        oxygen = Chem.Atom("O")
        oxygen.SetFormalCharge(-1)
        mol.AddBond(links["C-term"], mol.AddAtom(oxygen), Chem.BondType.SINGLE)
        names.append("OXT")
    mol.UpdatePropertyCache()
    smiles = Chem.MolToSmiles(mol, canonical=False)
    order = json.loads(mol.GetProp("_smilesAtomOutputOrder").replace(",]", "]"))
    left = {index: label for label, index in links.items() if label not in charged}
    labels = {order.index(index): label for index, label in left.items()}
    templates.residue_templates[name] = ResidueTemplate(smiles, labels, [names[index] for index in order])
    return name
