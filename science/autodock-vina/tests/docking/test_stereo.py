"""The isomer that the customer means is the one in the poses, and its mirror image never is.

What is asked for is compared here by the graph itself: atoms are mapped on each other until every label fits, so no
canonical form decides. The mirror image of a pose is what a fault in coordinates or order would give at worst.
"""

import functools

import numpy as np
import pytest
from rdkit import Chem

from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.poses import read_poses
from dockyard_science.stereo import stereo_choices
from dockyard_session.errors import ScienceError
from structures_world import moved

# Molecules that differ from their mirror image.
CHIRAL = {
    "nateglinide": "CC(C)[C@H]1CC[C@@H](CC1)C(=O)N[C@H](Cc1ccccc1)C(O)=O",
    "levocetirizine": "OC(=O)COCCN1CCN(CC1)[C@H](c1ccccc1)c1ccc(Cl)cc1",
    "menthol": "CC(C)[C@@H]1CC[C@@H](C)C[C@H]1O",
    "atorvastatin": "CC(C)c1c(C(=O)Nc2ccccc2)c(-c2ccccc2)c(-c2ccc(F)cc2)n1CC[C@@H](O)C[C@@H](O)CC(=O)O",
    "rosuvastatin": "CC(C)c1nc(nc(c1/C=C/[C@@H](O)C[C@@H](O)CC(O)=O)-c1ccc(F)cc1)N(C)S(C)(=O)=O",
    "testosterone": "C[C@]12CC[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CC[C@@H]2O",
    "cholesterol": "C[C@H](CCCC(C)C)[C@H]1CC[C@H]2[C@@H]3CC=C4C[C@@H](O)CC[C@]4(C)[C@H]3CC[C@]12C",
    "trans-cyclohexane-1,2-diol": "O[C@@H]1CCCC[C@H]1O",
    "trans-cyclohexane-1,3-diol": "O[C@H]1CCC[C@H](O)C1",
    "hyoscyamine": "CN1[C@H]2CC[C@@H]1C[C@@H](C2)OC(=O)[C@@H](CO)c1ccccc1",
    "cocaine": "COC(=O)[C@H]1[C@@H](OC(=O)c2ccccc2)C[C@@H]2CC[C@H]1N2C",
    "quinine": "C=C[C@H]1CN2CC[C@H]1C[C@H]2[C@H](O)c1ccnc2ccc(OC)cc12",
    "quinine with its held nitrogen labelled": "C=C[C@H]1C[N@]2CC[C@H]1C[C@H]2[C@H](O)c1ccnc2ccc(OC)cc12",
    "solifenacin": "O=C(O[C@H]1CN2CCC1CC2)N1CCc2ccccc2[C@@H]1c1ccccc1",
    "camphor": "CC1(C)[C@@H]2CC[C@@]1(C)C(=O)C2",
    "morphine": "CN1CC[C@]23c4c5ccc(O)c4O[C@H]2[C@@H](O)C=C[C@H]3[C@H]1C5",
    "griseofulvin": "COC1=CC(=O)C[C@@H](C)[C@]11Oc2c(Cl)c(OC)cc(OC)c2C1=O",
    "esomeprazole": "COc1ccc2[nH]c(nc2c1)[S@](=O)Cc1ncc(C)c(OC)c1C",
    "armodafinil": "NC(=O)C[S@](=O)C(c1ccccc1)c1ccccc1",
    "sofosbuvir": "C[C@@H](C(=O)OC(C)C)N[P@](=O)(OC[C@@H]1[C@H]([C@@]([C@@H](O1)n1ccc(=O)[nH]c1=O)(C)F)O)Oc1ccccc1",
    "fluoxetine": "CNCC[C@@H](Oc1ccc(cc1)C(F)(F)F)c1ccccc1",
    "a quaternary ammonium": "CC[N@+](C)(CCC)Cc1ccccc1",
    "PAMP": "COc1ccccc1[P@](C)c1ccccc1",
    "an oxaziridine": "CC(C)(C)[N@]1O[C@@H]1c1ccccc1",
    "sertraline": "CN[C@H]1CC[C@@H](c2ccc(Cl)c(Cl)c2)c2ccccc12",
    "paroxetine": "Fc1ccc(cc1)[C@@H]1CCNC[C@H]1COc1ccc2OCOc2c1",
    "tartaric acid": "O[C@H]([C@@H](O)C(O)=O)C(O)=O",
    "ethambutol": "CC[C@@H](CO)NCCN[C@@H](CC)CO",
    "glucose": "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O",
    "sucrose": "OC[C@H]1O[C@H](O[C@]2(CO)O[C@H](CO)[C@@H](O)[C@@H]2O)[C@H](O)[C@@H](O)[C@@H]1O",
    "chiro-inositol": "O[C@H]1[C@H](O)[C@H](O)[C@@H](O)[C@H](O)[C@H]1O",
    "penicillin G": "CC1(C)S[C@@H]2[C@H](NC(=O)Cc3ccccc3)C(=O)N2[C@H]1C(O)=O",
    "captopril": "C[C@H](CS)C(=O)N1CCC[C@H]1C(O)=O",
    "lobeline": "CN1[C@@H](CCC[C@@H]1C[C@H](O)c1ccccc1)CC(=O)c1ccccc1",
    "oseltamivir": "CCOC(=O)C1=C[C@@H](OC(CC)CC)[C@H](NC(C)=O)[C@@H](N)C1",
    "epibatidine": "Clc1ccc(cn1)[C@H]1C[C@@H]2CC[C@H]1N2",
    "ticagrelor": "CCCSc1nc(N[C@@H]2C[C@H]2c2ccc(F)c(F)c2)c2nnn([C@@H]3C[C@H](OCCO)[C@@H](O)[C@H]3O)c2n1",
    "cefuroxime": r"CO/N=C(\C(=O)N[C@H]1[C@H]2SCC(COC(N)=O)=C(N2C1=O)C(O)=O)c1ccco1",
    "trans-decalin-1-ol": "O[C@H]1CCC[C@H]2CCCC[C@@H]12",
}
# Molecules that are their own mirror image, many of them with centres that depend on each other.
ACHIRAL = {
    "tranexamic acid": "NC[C@@H]1CC[C@H](CC1)C(O)=O",
    "its cis isomer": "NC[C@@H]1CC[C@@H](CC1)C(O)=O",
    "glimepiride": "CCC1=C(C)CN(C1=O)C(=O)NCCc1ccc(cc1)S(=O)(=O)NC(=O)N[C@H]1CC[C@H](C)CC1",
    "cariprazine": "CN(C)C(=O)N[C@H]1CC[C@@H](CC1)CCN1CCN(CC1)c1cccc(Cl)c1Cl",
    "cis-cyclohexane-1,2-diol": "O[C@H]1CCCC[C@H]1O",
    "cis-cyclohexane-1,3-diol": "O[C@H]1CCC[C@@H](O)C1",
    "cis-cyclohexane-1,4-diol": "O[C@H]1CC[C@@H](O)CC1",
    "trans-cyclohexane-1,4-diol": "O[C@H]1CC[C@H](O)CC1",
    "trans-3-methylcyclobutanoic acid": "C[C@H]1C[C@H](C(=O)O)C1",
    "meso-tartaric acid": "O[C@@H]([C@@H](O)C(O)=O)C(O)=O",
    "myo-inositol": "O[C@H]1[C@H](O)[C@@H](O)[C@H](O)[C@H](O)[C@@H]1O",
    "scyllo-inositol": "O[C@H]1[C@H](O)[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O",
    "cis-decalin": "C1CC[C@H]2CCCC[C@H]2C1",
    "trans-decalin": "C1CC[C@H]2CCCC[C@@H]2C1",
    "tropine ester": "CN1[C@H]2CC[C@@H]1C[C@H](C2)OC(c1ccccc1)c1ccccc1",
    "cis-2,6-dimethylpiperidine": "C[C@H]1CCC[C@@H](C)N1CC",
    "varenicline": "C1[C@@H]2CNC[C@H]1c1cc3nccnc3cc21",
    "tamoxifen": r"CC/C(=C(\c1ccccc1)c1ccc(OCCN(C)C)cc1)c1ccccc1",
    "diethylstilbestrol": r"CC/C(=C(/CC)c1ccc(O)cc1)c1ccc(O)cc1",
    "its cis isomer, an alkene": r"CC/C(=C(\CC)c1ccc(O)cc1)c1ccc(O)cc1",
    "tretinoin": r"CC1=C(C(C)(C)CCC1)/C=C/C(C)=C/C=C/C(C)=C/C(O)=O",
    "isotretinoin": r"CC1=C(C(C)(C)CCC1)/C=C/C(C)=C/C=C/C(C)=C\C(O)=O",
    "fluvoxamine": r"COCCCC/C(=N\OCCN)c1ccc(cc1)C(F)(F)F",
    "its Z isomer, an oxime ether": r"COCCCC/C(=N/OCCN)c1ccc(cc1)C(F)(F)F",
    "fumaric acid": r"OC(=O)/C=C/C(O)=O",
    "maleic acid": r"OC(=O)/C=C\C(O)=O",
    "clonidine": "Clc1cccc(Cl)c1N=C1NCCN1",
}
# What is left open, with the number of centres that a chemist counts.
OPEN = {
    "donepezil": ("COc1cc2CC(CC3CCN(Cc4ccccc4)CC3)C(=O)c2cc1OC", 1),
    "cetirizine": ("OC(=O)COCCN1CCN(CC1)C(c1ccccc1)c1ccc(Cl)cc1", 1),
    "atropine": ("CN1[C@H]2CC[C@@H]1C[C@@H](C2)OC(=O)C(CO)c1ccccc1", 1),
    "ipratropium": ("CC(C)[N@+]1(C)[C@H]2CC[C@@H]1C[C@@H](C2)OC(=O)C(CO)c1ccccc1", 1),
    "mirtazapine": ("CN1CCN2c3ncccc3Cc3ccccc3C2C1", 1),
    "azelastine": ("CN1CCCC(CC1)n1nc(Cc2ccc(Cl)cc2)c2ccccc2c1=O", 1),
    "cyclophosphamide": ("ClCCN(CCCl)P1(=O)NCCCO1", 1),
    "methadone": ("CCC(=O)C(CC(C)N(C)C)(c1ccccc1)c1ccccc1", 1),
    "preclamol": ("CCCN1CCCC(C1)c1cccc(O)c1", 1),
    "labetalol": ("CC(CCc1ccccc1)NCC(O)c1ccc(O)c(C(N)=O)c1", 2),
    "risperidone": ("Cc1nc2n(CCCC2)c(=O)c1CCN1CCC(CC1)c1noc2cc(F)ccc12", 0),
    "bepotastine": ("OC(=O)CCCN1CCC(CC1)O[C@@H](c1ccc(Cl)cc1)c1ccccn1", 0),
}
GIVEN = CHIRAL | ACHIRAL
PANEL = GIVEN | {name: smiles for name, (smiles, _) in OPEN.items()}
# One of each kind: chains, rings, cages, atoms other than carbon, double bonds, and what is its own mirror image.
SHORT = {
    *("menthol", "rosuvastatin", "quinine with its held nitrogen labelled", "armodafinil"),
    *("a quaternary ammonium", "fluoxetine", "tartaric acid", "trans-decalin-1-ol", "tranexamic acid"),
    *("cis-cyclohexane-1,4-diol", "meso-tartaric acid", "myo-inositol"),
    *("diethylstilbestrol", "fluvoxamine", "maleic acid"),
    *("atropine", "cyclophosphamide", "methadone", "risperidone"),
}
# Of these each is docked, because a large one takes long; with the stereo of rings, chains and double bonds.
DOCKED = [name for name, smiles in PANEL.items() if Chem.MolFromSmiles(smiles).GetNumHeavyAtoms() <= 22]
CHAINS = {"fluoxetine", "tartaric acid", "meso-tartaric acid", "ethambutol"}
DOUBLE_BONDS = {name for name in DOCKED if "/" in PANEL[name]}
# What Vina may evaluate of one ligand: so little takes a moment, and still moves and turns every one.
EVALUATIONS = 1000


def panel(names):
    """The names as cases, of which the long runs have those that are not one of each kind."""
    return [name if name in SHORT else pytest.param(name, marks=pytest.mark.long) for name in names]


@functools.cache
def prepare(smiles):
    return prepare_ligand(RawLigand("smiles", smiles), 7.4)


def answer(pdbqt):
    """What Vina would write of a ligand that it left where it is."""
    return f"MODEL 1\nREMARK VINA RESULT:    -1.0      0.000      0.000\n{pdbqt}\nENDMDL\n"


def in_a_mirror(pdbqt):
    return "\n".join(
        f"{line[:30]}{-float(line[30:38]):8.3f}{line[38:]}" if line.startswith("ATOM") else line
        for line in pdbqt.splitlines()
    )


def read(pdbqt, mirrored=False):
    text = answer(in_a_mirror(pdbqt) if mirrored else pdbqt)
    return read_poses(text, [[-1.0, -1.0, 0.0, 0.0, 0.0]]).mol


def without_charges(mol):
    """Heavy atoms, bonds and labels: what protonation does not change."""
    plain = Chem.RWMol(Chem.RemoveHs(mol))
    for atom in plain.GetAtoms():
        atom.SetFormalCharge(0)
        atom.SetNumExplicitHs(0)
        atom.SetNoImplicit(True)
        if atom.GetAtomicNum() == 7 and atom.GetDegree() < 4:
            atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    return plain


def has_isomer(smiles, mol, conformer=0):
    """Whether a conformer is the isomer that a SMILES asks for, by mapping the graphs on each other."""
    placed = Chem.Mol(mol, confId=conformer)
    Chem.AssignStereochemistryFrom3D(placed, replaceExistingTags=True)
    wanted = without_charges(Chem.MolFromSmiles(smiles))
    found = without_charges(placed)
    return found.GetNumAtoms() == wanted.GetNumAtoms() and found.HasSubstructMatch(wanted, useChirality=True)


@pytest.mark.parametrize("name", panel(GIVEN))
def test_a_given_isomer_is_kept_without_a_warning(name):
    ligand = prepare(GIVEN[name])
    assert "STEREO_UNSPECIFIED" not in [warning["code"] for warning in ligand.warnings]
    mol = read(ligand.pdbqt)
    assert has_isomer(GIVEN[name], mol)
    assert has_isomer(ligand.smiles_docked, mol)


@pytest.mark.parametrize("name", panel(CHIRAL))
def test_the_mirror_image_of_a_pose_is_refused(name):
    ligand = prepare(CHIRAL[name])
    with pytest.raises(ScienceError) as error:
        read(ligand.pdbqt, mirrored=True)
    assert (error.value.code, "stereochemistry" in error.value.message) == ("OUTPUT_UNVERIFIED", True)


@pytest.mark.parametrize("name", panel(ACHIRAL))
def test_what_is_its_own_mirror_image_may_be_mirrored(name):
    assert has_isomer(ACHIRAL[name], read(prepare(ACHIRAL[name]).pdbqt, mirrored=True))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("tranexamic acid", "its cis isomer"),
        ("cis-cyclohexane-1,4-diol", "trans-cyclohexane-1,4-diol"),
        ("cis-decalin", "trans-decalin"),
        ("myo-inositol", "scyllo-inositol"),
        ("diethylstilbestrol", "its cis isomer, an alkene"),
        ("tretinoin", "isotretinoin"),
        ("fluvoxamine", "its Z isomer, an oxime ether"),
        ("fumaric acid", "maleic acid"),
        ("maleic acid", "fumaric acid"),
    ],
)
def test_the_other_isomer_s_coordinates_are_refused(name, other):
    right, wrong = (read(prepare(ACHIRAL[each]).pdbqt) for each in (name, other))
    assert not has_isomer(ACHIRAL[name], wrong)
    # The same graph with the other isomer's places, under the remarks of the first.
    plain = [without_charges(mol) for mol in (right, wrong)]
    for mol in plain:
        Chem.RemoveStereochemistry(mol)
    match = plain[1].GetSubstructMatch(plain[0])
    places = wrong.GetConformer().GetPositions()
    pdbqt = prepare(ACHIRAL[name]).pdbqt
    index = dict(heavy_serials(pdbqt))
    with pytest.raises(ScienceError):
        read(with_places(pdbqt, {index[atom]: places[twin] for atom, twin in enumerate(match)}))


def heavy_serials(pdbqt):
    words = [
        word
        for line in pdbqt.splitlines()
        if line.startswith("REMARK SMILES IDX")
        for word in line.split()[3:]
    ]
    return [(int(atom) - 1, int(serial)) for atom, serial in zip(words[::2], words[1::2], strict=True)]


def with_places(pdbqt, places):
    lines = []
    for line in pdbqt.splitlines():
        serial = int(line[6:11]) if line.startswith("ATOM") else None
        lines.append(moved(line, places[serial]) if serial in places else line)
    return "\n".join(lines)


@pytest.mark.parametrize("smiles", ["CC(C)=C=CC(C)O", "CC(O)C=C=O"])
def test_a_double_bond_beside_another_one_is_not_open(smiles):
    ligand = prepare(smiles)
    assert (ligand.open_stereo.centres, ligand.open_stereo.double_bonds) == (1, 0)


@pytest.mark.parametrize(
    ("smiles", "docked", "open_bonds"),
    [
        ("C1CCCCCC=C1", "C1=C\\CCCCCC/1", 0),
        ("O=C1CC=CCCCN1", "O=C1C/C=C\\CCCN1", 0),
        ("C1CCC/C=C/CC1", "C1=C/CCCCCC/1", 0),
        ("C1CCCCCCC=C1", "C1=C\\CCCCCCC/1", 1),
        ("O=C1NCc2ccccc2C=Cc2ccccc12", "O=C1NCc2ccccc2/C=C\\c2ccccc21", 1),
        ("N=C(C)c1ccccc1", "CC(=N)c1ccccc1", 0),
    ],
)
def test_a_double_bond_that_nobody_labelled_is_cis_in_a_ring_of_eight_and_rather_so_in_one_of_nine(
    smiles, docked, open_bonds
):
    isomers, found = stereo_choices(Chem.MolFromSmiles(smiles))
    assert (Chem.MolToSmiles(isomers[0]), found.double_bonds) == (docked, open_bonds)


@pytest.mark.parametrize("name", panel(OPEN))
def test_open_stereo_is_counted_as_a_chemist_does_and_what_was_chosen_is_kept(name):
    smiles, centres = OPEN[name]
    ligand = prepare(smiles)
    assert ligand.open_stereo.centres == centres
    assert ("STEREO_UNSPECIFIED" in [warning["code"] for warning in ligand.warnings]) == (centres > 0)
    mol = read(ligand.pdbqt)
    assert has_isomer(smiles, mol)
    assert has_isomer(ligand.smiles_docked, mol)


@pytest.mark.parametrize(
    ("smiles", "centres"),
    [
        ("Nc1ncnc2n(cnc12)[C@@H]1O[C@H](COP(O)(=O)OP(O)(=O)OP(O)(O)=O)[C@@H](O)[C@H]1O", 0),  # ATP
        ("Nc1ncnc2n(cnc12)[C@@H]1O[C@@H]2COP(O)(=O)O[C@H]2[C@H]1O", 0),  # cyclic AMP
        ("NCCCC(O)(P(O)(O)=O)P(O)(O)=O", 0),  # alendronic acid
        ("CC(O)COP(O)(=O)OCC", 1),
        ("CCOP(O)(=S)OC", 1),  # a thiophosphate has one oxygen that is an end
        ("CCOP(=O)(OC)Oc1ccccc1", 1),
    ],
)
def test_the_oxygens_of_a_phosphate_make_no_stereocentre(smiles, centres):
    ligand = prepare(smiles)
    assert ligand.open_stereo.centres == centres
    assert ("STEREO_UNSPECIFIED" in [warning["code"] for warning in ligand.warnings]) == (centres > 0)
    assert has_isomer(ligand.smiles_docked, read(ligand.pdbqt))


@pytest.mark.parametrize("smiles", ["C[N@@H+]1CC[C@H](O)CC1", "C[N@H+]1CC[C@@H](O)CC1", "CN1CCC(O)CC1"])
def test_the_label_of_a_nitrogen_that_turns_over_means_nothing(smiles):
    ligand = prepare(smiles)
    assert ligand.smiles_docked == "C[NH+]1CCC(O)CC1"
    assert ligand.pdbqt == prepare("OC1CCN(C)CC1").pdbqt
    assert ligand.warnings == []


def test_a_nitrogen_held_by_a_cage_keeps_its_label():
    ligand = prepare(CHIRAL["quinine with its held nitrogen labelled"])
    assert "[N@" in ligand.smiles_docked


def test_more_than_forty_are_docked_with_stereo_of_rings_chains_and_double_bonds():
    assert len(DOCKED) > 40
    assert len(DOUBLE_BONDS) >= 8
    assert set(DOCKED) >= CHAINS
    assert all(kind.keys() & set(DOCKED) for kind in (CHIRAL, ACHIRAL, OPEN))
    for name in CHAINS:
        mol = Chem.MolFromSmiles(PANEL[name])
        assert not any(
            mol.GetAtomWithIdx(info.centeredOn).IsInRing() for info in Chem.FindPotentialStereo(mol)
        )


@pytest.mark.parametrize("name", panel(DOCKED))
def test_a_docking_keeps_the_isomer_and_the_mirror_images_of_its_modes_are_refused(name, engine, monkeypatch):
    search = functools.partial(engine._vina.dock, max_evals=EVALUATIONS)
    monkeypatch.setattr(engine._vina, "dock", search)
    ligand = prepare(PANEL[name])
    docked = engine.dock(ligand.pdbqt)
    built = read(ligand.pdbqt).GetConformer().GetPositions()
    for mode in range(len(docked.poses)):
        assert has_isomer(PANEL[name], docked.mol, mode)
        assert has_isomer(ligand.smiles_docked, docked.mol, mode)
        assert np.linalg.norm(docked.mol.GetConformer(mode).GetPositions() - built, axis=1).min() > 1.0
    if name in CHIRAL:
        energies = [[pose.affinity] * 5 for pose in docked.poses]
        with pytest.raises(ScienceError, match="Mode 1 has another stereochemistry"):
            read_poses(in_a_mirror(docked.pdbqt), energies)


@pytest.mark.long
def test_drugs_with_dependent_and_open_stereo_are_docked(dock):
    drugs = {
        "tranexamic acid": ACHIRAL["tranexamic acid"],
        "scyllo-inositol": ACHIRAL["scyllo-inositol"],
        "preclamol": OPEN["preclamol"][0],
    }
    for name, smiles in drugs.items():
        ligand_id = name.replace(" ", "-")
        _, summary = dock(ligand_id, smiles)
        path = dock.out / "ligands" / ligand_id / "poses.sdf"
        poses = Chem.SDMolSupplier(str(path), removeHs=False)
        assert summary["poseCount"] == len(poses) > 0
        assert all(has_isomer(summary["smilesDocked"], mol, -1) for mol in poses)
        assert all(has_isomer(smiles, mol, -1) for mol in poses)
