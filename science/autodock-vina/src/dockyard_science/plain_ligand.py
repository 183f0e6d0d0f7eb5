"""What of a ligand is prepared: the molecule without salts and solvents, and what is told of that."""

from dockyard_science.ligand_limits import check_molecule
from dockyard_science.ligand_protonation import task_warning
from dockyard_science.ligand_sources import LigandInput
from dockyard_science.salts import Desalted, desalt
from dockyard_science.stereo_words import warn_of_relative_stereo
from dockyard_session.tool import TaskWarning


def plain_ligand(
    ligand: LigandInput, warnings: list[TaskWarning], *, is_each_docked: bool = False
) -> Desalted:
    """Take away what is not docked, adding to `warnings`. Raises ScienceError with one of the LIGAND_ codes.

    `is_each_docked` tells that enhanced stereo is followed, and not only told.
    """
    if ligand.had_isotopes:
        message = "Isotope labels were taken away; docking does not know them."
        warnings.append(task_warning("ISOTOPES_IGNORED", message))
    warn_of_relative_stereo(ligand.mol, warnings, is_each_docked=is_each_docked)
    desalted = desalt(ligand.mol)
    if desalted.removed:
        told = zip(desalted.names, desalted.removed, strict=True)
        names = ", ".join(f"{name} ({smiles})" for name, smiles in told)
        warnings.append(task_warning("LIGAND_DESALTED", f"Taken away as salt or solvent: {names}."))
    check_molecule(desalted.mol)
    return desalted
