"""Writes poses of three small ligands into a folder, as a docking session writes them, for exports that tests read."""

import sys
from pathlib import Path

from rdkit import Chem
from rdkit.Chem import AllChem

from dockyard_science.poses import DockedPoses, Pose, poses_sdf

#: By ligand id: the SMILES as given and as docked, and how many modes there are.
LIGANDS = {
    "l0": ("C[C@H](N)C(=O)O", "C[C@H]([NH3+])C(=O)[O-]", 2),
    "l1": ("CC(C)Cc1ccc(cc1)[C@H](C)C(=O)O", "CC(C)Cc1ccc([C@H](C)C(=O)[O-])cc1", 3),
    "l2": (r"F/C=C\Cl", r"F/C=C\Cl", 1),
}


def poses(smiles: str, modes: int) -> DockedPoses:
    """A molecule with all its hydrogens and one conformer a mode."""
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    AllChem.EmbedMultipleConfs(mol, modes, randomSeed=7)
    found = [Pose(mode, -7.0 + mode / 2, 0.0, 0.0, -7.0, 0.0, 0.0) for mode in range(1, modes + 1)]
    return DockedPoses(mol, found, "")


def main(folder: Path) -> None:
    """Write one file for each ligand."""
    for ligand_id, (given, docked, modes) in LIGANDS.items():
        text = poses_sdf(
            poses(docked, modes), ligand_id=ligand_id, smiles_input=given, smiles_docked=docked, seed=42
        )
        (folder / f"{ligand_id}.sdf").write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
