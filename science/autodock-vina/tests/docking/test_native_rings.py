"""A ligand of a deposited complex whose ring has other shape in the receptor than the one that is built first."""

import json
from pathlib import Path

import prolif
import pytest
from rdkit import Chem
from rdkit.Chem import AllChem, rdMolAlign

from docking_world import SPEC
from dockyard_science.docking import DockingEngine
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_sources import RawLigand
from receptor_world import prepare_in, session
from structures_world import MODIFIED

ADENOSINE = Path(prolif.__file__).parent / "data" / "implicitHbond"
XK263 = "O=C1N(Cc2ccc3ccccc3c2)[C@H](Cc2ccccc2)[C@H](O)[C@@H](O)[C@@H](Cc2ccccc2)N1Cc1ccc2ccccc2c1"


@pytest.fixture
def redock(tmp_path):
    """Prepares a receptor and docks the native ligand without its places: best score, RMSD of the first mode."""
    engines = []

    def run(receptor, box, native):
        prepare_in(tmp_path, receptor, session(box))
        found = json.loads((tmp_path / "box.json").read_text())
        engines.append(
            DockingEngine(SPEC | {"exhaustiveness": 8}, next(tmp_path.rglob("prepared.pdbqt")), found)
        )
        ligand = prepare_ligand(RawLigand("smiles", Chem.MolToSmiles(native)), 7.4)
        docked = engines[0].dock_shapes(ligand.shapes)
        first = Chem.RemoveHs(Chem.Mol(docked.mol, confId=0))
        return docked.poses[0].affinity, rdMolAlign.CalcRMS(first, native)

    yield run
    for engine in engines:
        engine.close()


@pytest.mark.long
def test_deoxyadenosine_comes_back_with_the_pucker_that_the_receptor_holds(redock):
    [native] = Chem.SDMolSupplier(str(ADENOSINE / "1.D.sdf"))
    Chem.AssignStereochemistryFrom3D(native)
    box = {"centerAngstrom": [-0.522, -6.929, -22.808], "sizeAngstrom": [19.25, 18.69, 18.0]}
    score, rmsd = redock(ADENOSINE / "receptor.pdb", box, native)
    # Vina finds -6.84 kcal/mol and 1.47 A with the ring that is built first, and -8.85 with that of the crystal, whose
    # O4'-exo pucker MMFF94 puts 5 kcal/mol up.
    assert score <= -8.85 + 0.7
    assert rmsd < 1


@pytest.mark.long
def test_a_cyclic_urea_that_was_built_strained_comes_back_in_the_ring_of_the_crystal(redock):
    lines = [line for line in MODIFIED.read_text().splitlines() if line[17:20] == "XK2"]
    native = AllChem.AssignBondOrdersFromTemplate(
        Chem.MolFromSmiles(XK263), Chem.MolFromPDBBlock("\n".join(lines))
    )
    Chem.AssignStereochemistryFrom3D(native)
    box = {"ligand": {"componentId": "XK2", "chain": "A", "residue": 263}}
    score, rmsd = redock(MODIFIED, box, native)
    # The ring that is built first lies 8.8 kcal/mol up, and alone gives -11.84 kcal/mol at 5.5 A.
    assert score <= -12.2
    assert rmsd < 2
