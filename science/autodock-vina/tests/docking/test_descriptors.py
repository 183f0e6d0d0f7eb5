"""The columns of a ligand are those of RDKit alone for the molecule that was sent."""

from pathlib import Path

import pytest
from rdkit import Chem, rdBase
from rdkit.Chem import AllChem, Crippen, Descriptors, Lipinski
from rdkit.Chem.FilterCatalog import FilterCatalog, FilterCatalogParams
from rdkit.Chem.QED import qed
from rdkit.Chem.Scaffolds.MurckoScaffold import GetScaffoldForMol

from dockyard_science.descriptors import descriptors
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_sources import RawLigand

ROOT = Path(__file__).parents[4]
TABLES = ROOT / "science" / "autodock-vina" / "src" / "dockyard_science"


def library():
    """200 molecules that the repository has: drugs of the bench, and the proofs of the pKa tables."""
    lines = (ROOT / "bench" / "ligands.smi").read_text().splitlines()
    texts = [line.split()[0] for line in lines if line.strip()]
    for name in ("pka_sites.tsv", "pka_shifts.tsv"):
        rows = [line.split("\t") for line in (TABLES / name).read_text().splitlines() if line[:1] != "#"]
        proofs = [entry.split(" ")[0] for row in rows[1:] for cell in row[-2:] for entry in cell.split(", ")]
        texts += [smiles for smiles in proofs if set(smiles) & set("cC") and "." not in smiles]
    with rdBase.BlockLogs():
        return [smiles for smiles in dict.fromkeys(texts) if Chem.MolFromSmiles(smiles) is not None][:200]


def by_rdkit(smiles):
    mol = Chem.MolFromSmiles(smiles)
    names = []
    for catalogue in ("PAINS_A", "PAINS_B", "PAINS_C", "BRENK", "NIH"):
        parameters = FilterCatalogParams()
        parameters.AddCatalog(getattr(FilterCatalogParams.FilterCatalogs, catalogue))
        found = FilterCatalog(parameters).GetMatches(mol)
        names += [f"{catalogue[:5]}: {entry.GetDescription()}".replace("NIH  ", "NIH") for entry in found]
    return {
        "molecularWeight": pytest.approx(Descriptors.MolWt(mol), abs=6e-4),
        "logP": pytest.approx(Crippen.MolLogP(mol), abs=6e-4),
        "tpsa": pytest.approx(Descriptors.TPSA(mol), abs=6e-3),
        "donors": Lipinski.NumHDonors(mol),
        "acceptors": Lipinski.NumHAcceptors(mol),
        "rotatableBonds": Lipinski.NumRotatableBonds(mol),
        "qed": pytest.approx(qed(mol), abs=6e-4),
        "alerts": sorted(set(names)),
        "scaffold": Chem.MolToSmiles(GetScaffoldForMol(mol), isomericSmiles=False),
    }


@pytest.mark.parametrize(
    "smiles",
    [
        "CC(=O)Oc1ccccc1C(=O)O",  # An ester and an acid.
        "NC(=N)NCCCC[NH3+]",  # A charge, and no ring.
        "O=C1C=CC(=O)c2ccccc12",  # A quinone, in PAINS and BRENK.
        "O=[N+]([O-])c1ccc(Cl)cc1Cl",  # A nitro group.
        "S=C1NC(=O)C(=Cc2ccccc2)S1",  # A rhodanine: two alerts of one place.
        "CC(=O)[C@H]1CC[C@H]2[C@@H]3CCC4=CC(=O)CC[C@]4(C)[C@H]3CC[C@]12C",  # Fused rings, a scaffold with a ketone.
        "CC(C)C[C@H](NC(=O)[C@H](N)CO)C(=O)O",  # A peptide.
        "C1CCC2(CC1)OCCO2",  # A spiro centre.
        "FC(F)(F)c1cc(on1)-c1ccc(s1)S(=O)(=O)NC1CC1",  # Heterocycles, a sulfonamide.
        "BrCCCCCCCCCCI",  # Halides of a chain, out of the range of QED.
    ],
)
def test_a_molecule_has_the_columns_of_rdkit_alone(smiles):
    assert descriptors(Chem.MolFromSmiles(smiles)) == by_rdkit(smiles)


@pytest.mark.long
def test_200_molecules_have_the_columns_of_rdkit_alone():
    texts = library()
    assert len(texts) == 200
    for smiles in texts:
        assert descriptors(Chem.MolFromSmiles(smiles)) == by_rdkit(smiles), smiles


def test_they_are_of_the_molecule_that_was_sent_without_its_salt():
    prepared = prepare_ligand(RawLigand("smiles", "CC(=O)Oc1ccccc1C(=O)O.Cl"), 7.4).record()
    assert prepared["formalCharge"] == -1
    assert prepared["descriptors"] == by_rdkit("CC(=O)Oc1ccccc1C(=O)O")


def test_a_file_with_hydrogens_has_those_of_its_smiles():
    mol = Chem.AddHs(Chem.MolFromSmiles("O=C1C=CC(=O)C=C1"))
    AllChem.EmbedMolecule(mol, randomSeed=7)
    prepared = prepare_ligand(RawLigand("sdf", Chem.MolToMolBlock(mol) + "$$$$\n"), 7.4).record()
    assert prepared["descriptors"] == by_rdkit("O=C1C=CC(=O)C=C1")
    assert "PAINS: quinone_A(370)" in prepared["descriptors"]["alerts"]


def test_a_molecule_without_rings_has_no_scaffold():
    assert descriptors(Chem.MolFromSmiles("CCO"))["scaffold"] == ""
