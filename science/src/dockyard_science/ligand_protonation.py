"""The protonation state of a ligand at a pH, by dimorphite-dl.

It knows the pKa of groups and not what stands beside them, so two amines close together may both come out charged. That
is not put right here, because it would be a guess of our own; it is said.
"""

from dimorphite_dl.protonate.run import Protonate
from rdkit import Chem

from dockyard_science.errors import one_line
from dockyard_science.spec import TaskWarning

# Two cations this many bonds apart, as in a piperazine, repel each other enough for one to let its proton go.
_CLOSE_BONDS = 3
_WARNING_CHARACTERS = 300


def protonate(mol: Chem.Mol, ph: float, warnings: list[TaskWarning]) -> Chem.Mol:
    """The most likely state at a pH, adding to `warnings` what is doubtful; the tautomer stays as given."""
    smiles = Chem.MolToSmiles(mol)
    # A list, because a bare string would first be tried as the name of a file.
    protonation = Protonate(
        [smiles], ph_min=ph, ph_max=ph, precision=0.0, max_variants=1, validate_output=True
    )
    try:
        states = protonation.to_list()
    except Exception:
        # The library lets errors of any kind through.
        states = []
    charged = Chem.MolFromSmiles(states[0]) if states else None
    is_whole = charged is not None and charged.GetNumHeavyAtoms() == mol.GetNumHeavyAtoms()
    if charged is None or not is_whole or protonation.stats.fallback_used:
        message = "dimorphite-dl could not treat this molecule; it was docked in the protonation state given."
        warnings.append(task_warning("PROTONATION_NOT_APPLIED", message))
        return Chem.MolFromSmiles(smiles) or mol
    if _has_close_cations(charged) and not _has_close_cations(mol):
        state = Chem.MolToSmiles(charged)
        message = f"Two nitrogens close to each other were both protonated, which is seldom so at pH {ph:g}: {state}"
        warnings.append(task_warning("PROTONATION_DOUBTFUL", message))
    return charged


def task_warning(code: str, message: str) -> TaskWarning:
    """A warning of one line that is short enough to be listed."""
    return {"code": code, "message": one_line(message, _WARNING_CHARACTERS)}


def _has_close_cations(mol: Chem.Mol) -> bool:
    distances = Chem.GetDistanceMatrix(mol)
    cations = [
        atom.GetIdx()
        for atom in mol.GetAtoms()
        if atom.GetAtomicNum() == 7 and atom.GetFormalCharge() > 0 and atom.GetTotalNumHs() > 0
    ]
    return any(distances[one, other] <= _CLOSE_BONDS for one in cations for other in cations if one < other)
