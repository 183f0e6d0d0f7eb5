"""What dimorphite-dl knows of the atoms that the table leaves open: the mean pKa of a class, and its spread."""

import functools

from dimorphite_dl.mol import MoleculeRecord
from dimorphite_dl.protonate.detect import ProtonationSiteDetector
from rdkit import Chem

from dockyard_science.pka_table import Kind, Site

# Values below this only undo what the library's own neutralization does to nitro groups and azides.
_ARTEFACT_PKA = -100.0
_CARRIERS = frozenset({8, 15, 16, 34})


def is_open(mol: Chem.Mol, known: dict[int, Site]) -> bool:
    """Whether any atom that may take or give a proton is not in the table."""
    return any(
        atom.GetIdx() not in known
        and atom.GetFormalCharge() == 0
        and (atom.GetAtomicNum() == 7 or (atom.GetAtomicNum() in _CARRIERS and atom.GetTotalNumHs() > 0))
        for atom in mol.GetAtoms()
    )


def class_sites(mol: Chem.Mol, known: dict[int, Site]) -> list[Site]:
    """The sites that dimorphite-dl finds beside the known ones. Errors of any kind come through."""
    numbered = Chem.Mol(mol)
    for atom in numbered.GetAtoms():
        # The library reads SMILES and orders the atoms anew; the numbers lead back.
        atom.SetAtomMapNum(atom.GetIdx() + 1)
    _, found = _detector().find_sites(MoleculeRecord(Chem.MolToSmiles(numbered)))
    sites: dict[int, Site] = {}
    for each in found:
        is_acid_nitrogen = each.name.startswith("*")
        name = each.name.lstrip("*").replace("_", " ")
        for value in each.pkas:
            index = each.mol.GetAtomWithIdx(each.idxs_match[value.idx_site]).GetAtomMapNum() - 1
            if value.mean < _ARTEFACT_PKA or index < 0 or index in known or index in sites:
                continue
            atom = mol.GetAtomWithIdx(index)
            is_base = atom.GetAtomicNum() == 7 and not is_acid_nitrogen
            if atom.GetFormalCharge() or (not is_base and atom.GetTotalNumHs() == 0):
                continue
            source = f"dimorphite-dl 2.1.0, mean of the class {name}"
            kind: Kind = "base" if is_base else "acid"
            sites[index] = Site(index, kind, round(value.mean, 2), name, source, round(value.stdev, 2))
    return list(sites.values())


@functools.cache
def _detector() -> ProtonationSiteDetector:
    return ProtonationSiteDetector(validate_sites=True)
