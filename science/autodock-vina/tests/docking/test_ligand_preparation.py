"""What is docked is the molecule that the customer means, in the state that the pH asks for."""

import pytest
from rdkit import Chem
from rdkit.Chem import AllChem, rdMolTransforms

from docking_world import NATIVE
from dockyard_science.ccd import default_ccd
from dockyard_science.conformer import build_conformer
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_sources import RawLigand, load_ligand
from dockyard_science.pka_table import read_table
from dockyard_science.salts import desalt

BENZAMIDINE = "NC(=N)c1ccccc1"
IBUPROFEN = "CC(C)Cc1ccc(cc1)[C@H](C)C(=O)O"


def prepare(smiles, ph=7.4):
    return prepare_ligand(RawLigand("smiles", smiles), ph)


def codes(ligand):
    return [warning["code"] for warning in ligand.warnings]


def donors(ligand):
    """How many hydrogens Vina sees as donors."""
    return sum(line[77:79].strip() == "HD" for line in ligand.pdbqt.splitlines() if line.startswith("ATOM"))


@pytest.mark.parametrize(
    ("smiles", "ph", "charge", "donor_hydrogens"),
    [
        (BENZAMIDINE, 7.4, 1, 4),
        (BENZAMIDINE, 13.5, 0, 3),
        (IBUPROFEN, 7.4, -1, 0),
        (IBUPROFEN, 2.0, 0, 1),
        ("CC(=O)O", 7.4, -1, 0),
        ("CC(=O)[O-]", 2.0, 0, 1),
        ("C[NH3+]", 13.5, 0, 2),
    ],
)
def test_the_ph_decides_the_charge(smiles, ph, charge, donor_hydrogens):
    ligand = prepare(smiles, ph)
    assert (ligand.formal_charge, donors(ligand)) == (charge, donor_hydrogens)


@pytest.mark.parametrize(
    ("smiles", "docked", "removed"),
    [
        ("CC(=O)[O-].[Na+]", "CC(=O)[O-]", ["[Na+]"]),
        ("CC(=O)O[Na]", "CC(=O)[O-]", ["[Na+]"]),
        ("NCCc1ccccc1.Cl.O", "[NH3+]CCc1ccccc1", ["Cl", "O"]),
        ("CN.OC(=O)c1cc2ccccc2c(Cc2c(O)c(cc3ccccc23)C(=O)O)c1O", "C[NH3+]", None),
        ("NCCc1ccccc1.NCCc1ccccc1.OC(=O)C(O)C(O)C(=O)O", "[NH3+]CCc1ccccc1", None),
        ("C[N+](C)(C)Cc1ccccc1.[I-]", "C[N+](C)(C)Cc1ccccc1", ["[I-]"]),
    ],
)
def test_salts_are_taken_away_and_named(smiles, docked, removed):
    ligand = prepare(smiles)
    assert ligand.smiles_docked == docked
    assert codes(ligand) == ["LIGAND_DESALTED"]
    assert removed is None or ligand.removed_fragments == removed


def test_each_listed_salt_is_taken_from_a_drug_and_told_by_its_name():
    drug = "CCCCN1CCC(Cc2ccc(F)cc2)CC1"
    for name, salt in read_table("salts.tsv"):
        desalted = desalt(Chem.MolFromSmiles(f"{salt}.{drug}"))
        assert (Chem.MolToSmiles(desalted.mol), desalted.names) == (drug, [name])
        assert desalt(Chem.MolFromSmiles(f"{drug}.{drug}.{salt}")).names.count(name) == 1
    ligand = prepare(f"{drug}.F[P-](F)(F)(F)(F)F.O")
    (warning,) = ligand.warnings
    assert "hexafluorophosphate (F[P-](F)(F)(F)(F)F), water (O)" in warning["message"]


@pytest.mark.parametrize(
    ("smiles", "parent", "removed"),
    [
        ("c1ccncc1.O=S(=O)=O", "c1ccncc1", ["sulfur trioxide"]),
        ("[N-]=[N+]=[N-].NC(N)=[NH2+]", "NC(N)=[NH2+]", ["azide"]),
        ("CC[NH3+].CC[NH3+].F[Si-2](F)(F)(F)(F)F", "CC[NH3+]", ["ethylamine", "hexafluorosilicate"]),
        ("OP(O)(=O)NP(O)(O)=O.CCN(CC)CC", "O=P(O)(O)NP(=O)(O)O", ["triethylamine"]),
        ("[H+].[Cl-].CCNc1ccccc1", "CCNc1ccccc1", ["chloride", "hydron"]),
        ("[BH4-].[Na+].NCc1ccccc1", "NCc1ccccc1", ["borane or borohydride", "sodium"]),
    ],
)
def test_the_organic_part_of_a_salt_is_the_ligand(smiles, parent, removed):
    desalted = desalt(Chem.MolFromSmiles(smiles))
    assert (Chem.MolToSmiles(desalted.mol), desalted.names) == (parent, removed)


def test_one_isomer_is_docked_however_the_racemate_is_written():
    writings = ["CC(C)Cc1ccc(cc1)C(C)C(=O)O", "OC(=O)C(C)c1ccc(CC(C)C)cc1", "C(c1ccc(cc1)CC(C)C)(C(O)=O)C"]
    ligands = [prepare(smiles) for smiles in writings]
    assert len({ligand.pdbqt for ligand in ligands}) == 1
    assert all(codes(ligand) == ["STEREO_UNSPECIFIED"] for ligand in ligands)
    assert "1 stereocentre open" in ligands[0].warnings[0]["message"]
    assert ligands[0].smiles_docked in ligands[0].warnings[0]["message"]


@pytest.mark.parametrize(
    "smiles", [IBUPROFEN, IBUPROFEN.replace("@", "@@"), r"C/C(F)=C(/Cl)C", r"C/C(F)=C(\Cl)C"]
)
def test_given_stereo_stays_without_a_warning(smiles):
    ligand = prepare(smiles, 2.0)
    assert ligand.smiles_docked == Chem.CanonSmiles(smiles)
    assert codes(ligand) == []


def test_of_two_nitrogens_side_by_side_one_is_charged():
    ligand = prepare("CN1CCN(CC1)Cc1ccc(cc1)C(=O)Nc1ccccc1")
    assert ligand.smiles_docked == "C[NH+]1CCN(Cc2ccc(C(=O)Nc3ccccc3)cc2)CC1"
    assert codes(prepare("NCCCCCCN")) == []


@pytest.mark.parametrize(
    "smiles",
    [
        # Acrivastine and its Z isomer.
        r"Cc1ccc(cc1)/C(=C\CN1CCCC1)/c1cccc(/C=C/C(=O)O)n1",
        "Cc1ccc(cc1)/C(=C/CN1CCCC1)/c1cccc(/C=C/C(=O)O)n1",
        "OC(=O)/C=C/C=C/CCN",
        "OC(=O)/C=C/c1ccccc1CCN",
    ],
)
def test_the_charges_of_a_zwitterion_twist_no_double_bond(smiles):
    # In a vacuum they lie on each other, and the bond between them is 30 to 60 degrees out of its plane.
    zwitterion = prepare(smiles).smiles_docked
    assert "+]" in zwitterion
    assert "[O-]" in zwitterion
    mol, _ = build_conformer([Chem.MolFromSmiles(zwitterion)])
    bonds = mol.GetSubstructMatches(Chem.MolFromSmarts("[!#1]~[C;X3]=[C;X3]~[!#1]"))
    assert bonds
    for bond in bonds:
        angle = abs(rdMolTransforms.GetDihedralDeg(mol.GetConformer(), *bond))
        assert min(angle, 180 - angle) < 10


def test_an_open_double_bond_is_chosen_and_said():
    ligand = prepare("CC(F)=C(Cl)C")
    assert "1 double bond open" in ligand.warnings[0]["message"]
    assert "/" in ligand.smiles_docked


@pytest.mark.parametrize("smiles", ["C1C2CC3CC1CC(C2)C3", "CN1CCN(CC1)Cc1ccccc1", "CNC(=N)N"])
def test_what_has_no_stereo_is_not_warned_about(smiles):
    assert "STEREO_UNSPECIFIED" not in codes(prepare(smiles))


@pytest.mark.parametrize("smiles", ["OC1C2CC1C2", "CC1CC2CC1C2", "C1CC12CC2", "C12C3C4C1C5C2C3C45"])
def test_strained_rings_are_built(smiles):
    assert prepare(smiles).heavy_atoms == Chem.MolFromSmiles(smiles).GetNumAtoms()


def test_boron_is_docked_as_carbon_and_said():
    ligand = prepare("OB(O)c1ccccc1")
    assert ligand.force_field == "UFF"
    assert codes(ligand) == ["PROTONATION_UNCERTAIN", "BORON_AS_CARBON"]
    assert "B" in Chem.MolFromSmiles(ligand.smiles_docked).GetAtomWithIdx(1).GetSymbol()


def test_isotopes_are_taken_away_and_said():
    ligand = prepare("[2H]C([2H])([2H])Oc1cc[13cH]cc1")
    assert ligand.smiles_docked == "COc1ccccc1"
    assert codes(ligand) == ["ISOTOPES_IGNORED"]


def test_a_component_of_the_dictionary_is_protonated_too():
    spec = {
        "ligandId": "x",
        "label": "x",
        "source": {"kind": "ccd", "componentId": "ben"},
        "protonationPh": 7.4,
    }
    ligand = prepare_ligand(load_ligand(spec, None, default_ccd()), 7.4)
    assert ligand.smiles_docked == "NC(=[NH2+])c1ccccc1"
    assert ligand.pdbqt == prepare(BENZAMIDINE).pdbqt


@pytest.mark.parametrize("is_3d", [False, True])
def test_an_sdf_gives_what_its_smiles_gives(is_3d):
    mol = Chem.MolFromSmiles(IBUPROFEN)
    if is_3d:
        mol = Chem.AddHs(mol)
        AllChem.EmbedMolecule(mol, randomSeed=3)
    else:
        AllChem.Compute2DCoords(mol)
    text = Chem.MolToMolBlock(mol) + "> <name>\nibuprofen\n\n$$$$\n"
    assert prepare_ligand(RawLigand("sdf", text), 7.4).pdbqt == prepare(IBUPROFEN).pdbqt


def test_an_sdf_without_a_title_or_with_v3000_is_read():
    mol = Chem.MolFromSmiles(IBUPROFEN)
    AllChem.Compute2DCoords(mol)
    for text in (Chem.MolToMolBlock(mol), Chem.MolToV3KMolBlock(mol)):
        assert text.startswith("\n")
        assert prepare_ligand(RawLigand("sdf", text), 7.4).smiles_docked == prepare(IBUPROFEN).smiles_docked


def test_the_crystal_ligand_keeps_its_six_centres():
    ligand = prepare_ligand(RawLigand("sdf", NATIVE.read_text()), 7.4)
    assert ligand.smiles_docked == "CC(=O)[C@H]1CC[C@H]2[C@@H]3CCC4=CC(=O)CC[C@]4(C)[C@H]3CC[C@]12C"
    assert codes(ligand) == []


def test_a_mol2_gives_what_its_smiles_gives():
    lines = ["@<TRIPOS>MOLECULE", "acetate", "7 6", "SMALL", "NO_CHARGES", "", "@<TRIPOS>ATOM"]
    atoms = [
        "C.3 0 0 0",
        "C.2 1.5 0 0",
        "O.co2 2 1 0",
        "O.co2 2 -1 0",
        "H -.4 1 0",
        "H -.4 -.5 .9",
        "H -.4 -.5 -.9",
    ]
    rows = [(f"A{number}", *atom.split()) for number, atom in enumerate(atoms)]
    lines += [f"{i} {name} {x} {y} {z} {kind} 1 LIG 0.0" for i, (name, kind, x, y, z) in enumerate(rows, 1)]
    bonds = ["1 2 1", "2 3 ar", "2 4 ar", "1 5 1", "1 6 1", "1 7 1"]
    lines += ["@<TRIPOS>BOND", *(f"{i} {bond}" for i, bond in enumerate(bonds, 1)), ""]
    assert prepare_ligand(RawLigand("mol2", "\n".join(lines)), 7.4).pdbqt == prepare("CC(=O)O").pdbqt


def test_a_pdbqt_of_meeko_is_docked_as_it_is():
    # Written at a pH where the acid is neutral; nothing may change that.
    given = prepare(IBUPROFEN, 2.0)
    text = f"MODEL 1\nREMARK VINA RESULT:    -7.0      0.000      0.000\n{given.pdbqt}ENDMDL\n"
    ligand = prepare_ligand(RawLigand("pdbqt", text), 7.4)
    assert ligand.pdbqt.split("\n") == given.pdbqt.split("\n")
    assert (ligand.smiles_docked, ligand.formal_charge) == (given.smiles_docked, 0)
    assert codes(ligand) == ["LIGAND_USED_AS_IS"]
