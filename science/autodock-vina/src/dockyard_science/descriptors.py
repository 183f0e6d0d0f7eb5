"""What a chemist reads first of a ligand, by RDKit: size, polarity, drug-likeness, alerts and scaffold.

All is of the molecule that was sent, without its salts and before its protonation, because that is the molecule that
rules of thumb and catalogues of alerts are about. So the figures are those of RDKit alone for the same SMILES.
"""

import functools
from typing import Any

from rdkit import Chem
from rdkit.Chem import QED, FilterCatalog, rdMolDescriptors
from rdkit.Chem.rdMolDescriptors import _CalcMolWt
from rdkit.Chem.Scaffolds import MurckoScaffold

_CATALOGUES = ("PAINS", "BRENK", "NIH")
#: A molecule that is made of alerts has some dozens; the list is for reading.
_MOST_ALERTS = 50


def descriptors(mol: Chem.Mol) -> dict[str, Any]:
    """The columns of a molecule; a scaffold has no stereo, and is empty without rings."""
    mol = Chem.RemoveHs(mol)
    alerts = sorted({_alert(entry) for entry in _alerts().GetMatches(mol)})
    return {
        "molecularWeight": round(_CalcMolWt(mol), 3),
        "logP": _rounded(rdMolDescriptors.CalcCrippenDescriptors(mol)[0]),
        "tpsa": round(rdMolDescriptors.CalcTPSA(mol), 2),
        "donors": rdMolDescriptors.CalcNumHBD(mol),
        "acceptors": rdMolDescriptors.CalcNumHBA(mol),
        "rotatableBonds": rdMolDescriptors.CalcNumRotatableBonds(mol),
        "qed": round(QED.qed(mol), 3),
        "alerts": alerts[:_MOST_ALERTS],
        "scaffold": str(MurckoScaffold.MurckoScaffoldSmiles(mol=mol)),
    }


@functools.cache
def _alerts() -> FilterCatalog.FilterCatalog:
    """The patterns of all catalogues; made once, in some tenths of a second."""
    parameters = FilterCatalog.FilterCatalogParams()
    for name in _CATALOGUES:
        parameters.AddCatalog(getattr(FilterCatalog.FilterCatalogParams.FilterCatalogs, name))
    return FilterCatalog.FilterCatalog(parameters)


def _alert(entry: FilterCatalog.FilterCatalogEntry) -> str:
    """Catalogue and name, such as `PAINS: quinone_A`; what is in several parts of PAINS has the name of the whole."""
    catalogue = entry.GetProp("FilterSet").partition("_")[0].upper()
    return f"{catalogue}: {entry.GetDescription()}"


def _rounded(value: float) -> float:
    """Three decimals; adding nothing makes a plain zero of a negative one."""
    return round(value, 3) + 0.0
