"""The parts of Meeko that docking uses; every other module takes them from here.

Meeko imports pandas where pandas is installed, for tables that docking never makes. That import is a quarter of the
start of a session and stays in its memory, so pandas is hidden while Meeko is loaded. PoseBusters finds pandas later.
"""

import importlib
import sys
from types import ModuleType
from typing import cast


def _load_without_pandas() -> None:
    modules = cast("dict[str, ModuleType | None]", sys.modules)
    if "pandas" in modules or "meeko" in modules:
        importlib.import_module("meeko")
        return
    # An entry of None is how Python is told that a module is not there.
    modules["pandas"] = None
    try:
        importlib.import_module("meeko")
    finally:
        del modules["pandas"]


_load_without_pandas()

from meeko import (  # noqa: E402 - Meeko is loaded above
    MoleculePreparation,
    PDBQTWriterLegacy,
    Polymer,
    ResidueChemTemplates,
    chemtempgen,
)
from meeko.polymer import ResiduePadder, ResidueTemplate, find_inter_mols_bonds  # noqa: E402
from meeko.utils.covalent_radius_table import covalent_radius  # noqa: E402

__all__ = [
    "MoleculePreparation",
    "PDBQTWriterLegacy",
    "Polymer",
    "ResidueChemTemplates",
    "ResiduePadder",
    "ResidueTemplate",
    "chemtempgen",
    "covalent_radius",
    "find_inter_mols_bonds",
]
