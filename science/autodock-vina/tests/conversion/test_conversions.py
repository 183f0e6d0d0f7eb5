"""Conversions there and back: the same atoms, charges, chirality and places, or a warning that names the loss."""

import csv
import re
import string
import zipfile
from pathlib import Path

import gemmi
import numpy as np
import pytest
from rdkit import Chem
from rdkit.Chem.AllChem import EmbedMolecule

from dockyard_science.conversion import Converted
from dockyard_science.convert_molecules import mol2_to_sdf, pdbqt_to_sdf, sdf_to_pdbqt, smi_to_sdf
from dockyard_science.convert_structures import mmcif_to_pdb, pdb_to_mmcif
from dockyard_session.errors import ScienceError

STRUCTURES = sorted((Path(__file__).parents[4] / "test" / "fixtures" / "structures").glob("*.pdb"))
DRUGS = Path(__file__).parents[1] / "docking" / "data" / "drugs-pka.tsv"

HYDROGEN = """hydrogen
     RDKit          3D

  2  1  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.3000 H   0  0
    0.0000    0.0000   -0.4000 H   0  0
  1  2  1  0
M  END
$$$$
"""

#: Ordinary warnings of each conversion; any other one is a loss that the test has to expect.
ALWAYS = {
    smi_to_sdf: {"CONFORMERS_MADE"},
    sdf_to_pdbqt: {"BONDS_IN_REMARKS", "HYDROGENS_MERGED"},
    pdbqt_to_sdf: {"PARTIAL_CHARGES_DROPPED", "HYDROGENS_PLACED"},
}


def drugs(count):
    with DRUGS.open() as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    step = max(1, len(rows) // count)
    return [(row["name"], row["smiles"]) for row in rows[::step]]


@pytest.fixture
def convert(tmp_path):
    def run(converter, text, name="file"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return converter(path)

    return run


def codes(converted: Converted) -> set[str]:
    return {warning["code"] for warning in converted.warnings}


def molecules(text):
    supplier = Chem.SDMolSupplier()
    supplier.SetData(text, removeHs=False)
    found = list(supplier)
    assert all(mol is not None for mol in found)
    return found


def smiles_3d(mol):
    """SMILES with the chirality of the places."""
    plain = Chem.RemoveHs(mol)
    Chem.AssignStereochemistryFrom3D(plain, replaceExistingTags=True)
    # Only the places of protons make the phosphorus of a phosphate a centre.
    for atom in plain.GetAtoms():
        if atom.GetSymbol() == "P":
            atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    return Chem.MolToSmiles(plain)


def atoms_of(structure):
    return sorted(
        (
            number, site.chain.name.strip() or "_", str(site.residue.seqid), site.residue.name, site.atom.name,
            site.atom.altloc, site.atom.element.name, site.atom.charge, *np.round(site.atom.pos.tolist(), 3),
        )
        for number, model in enumerate(structure)
        for site in model.all()
    )  # fmt: skip


@pytest.mark.parametrize("path", STRUCTURES, ids=lambda path: path.stem)
def test_an_entry_goes_to_mmcif_and_back_with_every_atom(path, convert):
    text = path.read_bytes()
    there = convert(pdb_to_mmcif, text)
    back = convert(mmcif_to_pdb, there.text)
    # The entry of 1995 has its own text behind column 72.
    given = atoms_of(gemmi.read_pdb_string(text, max_line_length=72 if path.stem == "1hpv" else 0))
    middle = atoms_of(gemmi.make_structure_from_block(gemmi.cif.read_string(there.text)[0]))
    assert middle == given
    assert atoms_of(gemmi.read_pdb_string(back.text)) == given
    lines = text.decode(errors="replace").splitlines()
    assert ("BONDS_DROPPED" in codes(there)) == any(line.startswith("CONECT") for line in lines)
    assert codes(there) <= {"BONDS_DROPPED", "METADATA_DROPPED", "CHAIN_NAMED", "SEGMENTS_DROPPED"}
    assert convert(pdb_to_mmcif, text).text == there.text, "the same bytes again"


COLUMNS = """
group_PDB id type_symbol label_atom_id label_alt_id label_comp_id label_asym_id label_seq_id Cartn_x Cartn_y Cartn_z
occupancy B_iso_or_equiv auth_seq_id auth_asym_id pdbx_PDB_model_num pdbx_formal_charge
"""


def small(**changes):
    """Two atoms in mmCIF, with changes of the second one."""
    rows = [
        {
            "chain": "A",
            "residue": "ALA",
            "number": 1,
            "name": "CA",
            "x": 1.0,
            "b": 10.0,
            "charge": 0,
            "alt": ".",
        }
    ]
    rows.append({**rows[0], "name": "CB", "x": 2.5, **changes})
    names = re.findall(r"\S+", COLUMNS)
    head = "data_x\nloop_\n" + "".join(f"_atom_site.{name}\n" for name in names)
    body = "".join(
        f"HETATM {serial} C {row['name']} {row['alt']} {row['residue']} {row['chain']} {row['number']} {row['x']} 0 0 "
        f"1 {row['b']} {row['number']} {row['chain']} 1 {row['charge']}\n"
        for serial, row in enumerate(rows, 1)
    )
    return head + body + "#\n"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"chain": "AA"}, "chain ids"),
        ({"residue": "A1ABC"}, "residue names"),
        ({"number": 10_000}, "residue numbers"),
        ({"number": -1000}, "residue numbers"),
        ({"name": "CAAAA"}, "atom names"),
        ({"x": 10_000.0}, "coordinates"),
    ],
)
def test_what_pdb_has_no_room_for_is_refused(change, told, convert):
    with pytest.raises(ScienceError, match=told) as failure:
        convert(mmcif_to_pdb, small(**change))
    assert failure.value.code == "CONVERSION_IMPOSSIBLE"


def test_losses_of_pdb_are_told(convert):
    assert codes(convert(mmcif_to_pdb, small(charge=2))) == set(), "PDB has charges"
    assert codes(convert(mmcif_to_pdb, small(b=1234.5))) == {"B_FACTORS_CUT"}
    assert codes(convert(mmcif_to_pdb, small() + "_refine.ls_d_res_high 1.9\n")) == {"METADATA_DROPPED"}


def test_atoms_are_compared_whatever_their_order_and_the_names_of_their_parts(convert):
    named = small().replace("ALA A ", "ALA LIGAND_IN_SITE ", 1)
    assert codes(convert(mmcif_to_pdb, named)) == set()
    atom = "ATOM  {0:5d}  {1:<3} {2} {3}{4:4d}    {5:8.3f}   0.000   0.000  1.00 20.00           {1:.1}  \n"
    rows = [
        ("N", "GLY", "B", 2, 1.0),
        ("O", "HOH", "A", 9, 5.0),
        ("C", "GLY", "B", 2, 2.5),
        ("N", "ALA", "A", 1, 9.0),
    ]
    text = "".join(atom.format(serial, *row) for serial, row in enumerate(rows, 1)) + "END\n"
    converted = convert(pdb_to_mmcif, text)
    assert codes(converted) == set()
    after = gemmi.make_structure_from_block(gemmi.cif.read_string(converted.text)[0])
    assert atoms_of(after) == atoms_of(gemmi.read_pdb_string(text))


def test_names_of_any_sign_are_written_such_that_they_are_read_again(convert):
    atom = "ATOM      1  N  {alt}GLY {chain}   1{icode}     11.000  12.000  13.000  1.00 20.00           N  \nEND\n"
    plain = {"alt": " ", "chain": "A", "icode": " "}
    for sign in string.punctuation:
        for column in plain:
            text = atom.format(**{**plain, column: sign})
            if sign in ".?" and column != "chain":
                # By themselves they say in mmCIF that there is none.
                with pytest.raises(ScienceError, match="first N of A:GLY 1"):
                    convert(pdb_to_mmcif, text)
                continue
            there = convert(pdb_to_mmcif, text)
            assert atoms_of(gemmi.read_pdb_string(convert(mmcif_to_pdb, there.text).text)) == atoms_of(
                gemmi.read_pdb_string(text)
            ), (sign, column)


def test_a_place_or_an_atom_that_would_change_is_refused_by_name(convert, monkeypatch):
    atom = "ATOM      1  N   GLY #   1A     11.000  12.000  13.000  1.00 20.00           N  \n"
    writing = gemmi.Structure.update_mmcif_block
    for change, told in (
        (lambda site: setattr(site, "pos", gemmi.Position(11.003, 12, 13)), "more than 0.001"),
        (lambda site: setattr(site, "name", "NX"), "first N of #:GLY 1A"),
    ):

        def written(structure, block, groups, change=change):
            other = structure.clone()
            change(other[0][0][0][0])
            writing(other, block, groups)

        monkeypatch.setattr(gemmi.Structure, "update_mmcif_block", written)
        with pytest.raises(ScienceError, match=told):
            convert(pdb_to_mmcif, atom + "END\n")
    monkeypatch.setattr(
        gemmi.Structure,
        "update_mmcif_block",
        lambda structure, *rest: charged(writing, structure.clone(), *rest),
    )
    (warning,) = convert(pdb_to_mmcif, atom + "END\n").warnings
    assert warning["code"] == "CHARGES_DROPPED"
    assert "N of #:GLY 1A" in warning["message"]


def charged(writing, structure, *rest):
    structure[0][0][0][0].charge = 1
    writing(structure, *rest)


GLYCINE = "ATOM      1  N   GLY A   1      11.000  12.000  13.000  1.00 20.00           N  \nEND\n"


@pytest.mark.parametrize(
    "line",
    [
        *[f"SEQRES   1 A    1  {name}" for name in ("_LY", "#LY", "'LY", '"LY', "$LY")],
        "CRYST1   50.000   60.000   70.000  90.00  90.00  90.00 P 21 21 21    _",
        """\
REMARK 350 BIOMOLECULE: $
REMARK 350 APPLY THE FOLLOWING TO CHAINS: A
REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000
REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000
REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000""",
    ],
)
def test_signs_in_other_lines_than_those_of_atoms_are_written_such_that_they_are_read_again(line, convert):
    converted = convert(pdb_to_mmcif, f"{line}\n{GLYCINE}")
    again = gemmi.make_structure_from_block(gemmi.cif.read_string(converted.text)[0])
    assert atoms_of(again) == atoms_of(gemmi.read_pdb_string(GLYCINE))


@pytest.mark.parametrize(
    "text",
    [
        f"SEQRES   1 A    8GLY SER CYS ALA\n{GLYCINE}",
        f"MODEL        1\nENDMDL\nMODEL        2\n{GLYCINE.replace('END', 'ENDMDL')}END\n",
    ],
)
def test_what_mmcif_would_not_say_is_refused(text, convert):
    with pytest.raises(ScienceError) as refusal:
        convert(pdb_to_mmcif, text)
    assert refusal.value.code == "CONVERSION_IMPOSSIBLE"


@pytest.mark.parametrize(
    "record", ["COMPND    MOLECULE: LYSOZYME", "HETNAM     BEN BENZAMIDINE", "SITE     1 AC1  1 GLY"]
)
def test_records_that_mmcif_lacks_are_told_without_a_remark(record, convert):
    atom = "ATOM      1  N   GLY A   1      11.000  12.000  13.000  1.00 20.00           N  \n"
    assert codes(convert(pdb_to_mmcif, atom + "END\n")) == set()
    (warning,) = convert(pdb_to_mmcif, f"{record}\n{atom}END\n").warnings
    assert warning["code"] == "METADATA_DROPPED"
    assert record.split()[0] in warning["message"]


def test_names_and_hydrogen_bonds_that_pdb_lacks_are_told(convert):
    named = small() + "_entity.id 1\n_entity.pdbx_description lysozyme\n"
    assert codes(convert(mmcif_to_pdb, named)) == {"METADATA_DROPPED"}
    assert codes(convert(mmcif_to_pdb, named.replace("lysozyme", "?"))) == set()
    structure = gemmi.make_structure_from_block(gemmi.cif.read_string(small())[0])
    bond = gemmi.Connection()
    bond.name, bond.type = "hydrog1", gemmi.ConnectionType.Hydrog
    bond.partner1, bond.partner2 = (
        gemmi.AtomAddress("A", gemmi.SeqId("1"), "ALA", name) for name in ("CA", "CB")
    )
    structure.connections.append(bond)
    (warning,) = convert(mmcif_to_pdb, structure.make_mmcif_document().as_string()).warnings
    assert "hydrogen bonds" in warning["message"]


def test_a_hundred_thousand_atoms_are_refused(convert):
    row = "HETATM {0} O O . HOH A {1} {1}.0 0 0 1 10 {1} A 1 0\n"
    head, _, _ = small().partition("HETATM")
    text = head + "".join(row.format(serial, serial % 9000) for serial in range(1, 100_002))
    with pytest.raises(ScienceError, match="100001 atoms") as failure:
        convert(mmcif_to_pdb, text)
    assert failure.value.code == "CONVERSION_IMPOSSIBLE"


@pytest.mark.parametrize("count", [8, pytest.param(200, marks=pytest.mark.long)])
def test_drugs_go_from_smiles_to_sdf_to_pdbqt_and_back(convert, count):
    for name, smiles in drugs(count):
        sdf = convert(smi_to_sdf, f"{smiles} {name}\n")
        (mol,) = molecules(sdf.text)
        wanted = Chem.MolFromSmiles(smiles)
        assert codes(sdf) - {"STEREO_CHOSEN"} == ALWAYS[smi_to_sdf], name
        assert mol.GetProp("_Name") == name
        assert mol.GetConformer().Is3D()
        assert Chem.GetFormalCharge(mol) == Chem.GetFormalCharge(wanted)
        measured = Chem.RemoveHs(mol)
        Chem.AssignStereochemistryFrom3D(measured, replaceExistingTags=True)
        # What the SMILES leaves open, or only a cage settles, may be anything; what it says must be there.
        assert measured.GetNumAtoms() == wanted.GetNumAtoms(), name
        assert measured.HasSubstructMatch(wanted, useChirality=True), name
        pdbqt = convert(sdf_to_pdbqt, sdf.text)
        assert codes(pdbqt) - {"HYDROGENS_MERGED"} == {"BONDS_IN_REMARKS"}, name
        back = convert(pdbqt_to_sdf, pdbqt.text)
        assert codes(back) == ALWAYS[pdbqt_to_sdf]
        (again,) = molecules(back.text)
        assert again.GetNumAtoms() == mol.GetNumAtoms(), name
        assert again.GetProp("_Name") == name
        assert smiles_3d(again) == smiles_3d(mol), name
        assert Chem.GetFormalCharge(again) == Chem.GetFormalCharge(mol)
        assert heavy_distance(mol, again) < 0.0011, name


def heavy_distance(first, second):
    """Farthest that a heavy atom of one is from the nearest of its element in the other, in angstrom."""
    places = []
    for mol in (first, second):
        heavy = [atom for atom in mol.GetAtoms() if atom.GetAtomicNum() > 1]
        where = mol.GetConformer().GetPositions()
        places.append([(atom.GetSymbol(), where[atom.GetIdx()]) for atom in heavy])
    return max(
        min(np.abs(place - other).max() for kind, other in places[1] if kind == symbol)
        for symbol, place in places[0]
    )


TYPES = {"C": {2: "C.1", 3: "C.2", 4: "C.3"}, "N": {2: "N.1", 3: "N.2", 4: "N.3"}, "O": {3: "O.2", 4: "O.3"}}


def mol2_of(mol, name):
    """A MOL2 file as Corina types it, of molecules without charges."""
    kekule = Chem.Mol(mol)
    Chem.Kekulize(kekule, clearAromaticFlags=True)
    where = mol.GetConformer().GetPositions()
    lines = [
        "@<TRIPOS>MOLECULE",
        name,
        f"{mol.GetNumAtoms()} {mol.GetNumBonds()}",
        "SMALL",
        "USER_CHARGES",
        "@<TRIPOS>ATOM",
    ]
    for atom in kekule.GetAtoms():
        symbol, hybrid = atom.GetSymbol(), int(atom.GetHybridization())
        kind = TYPES.get(symbol, {}).get(hybrid, symbol if symbol not in {"S", "P"} else f"{symbol}.3")
        x, y, z = where[atom.GetIdx()]
        number = atom.GetIdx() + 1
        lines.append(f"{number} {symbol}{number} {x:.4f} {y:.4f} {z:.4f} {kind} 1 LIG 0.1250")
    lines.append("@<TRIPOS>BOND")
    for bond in kekule.GetBonds():
        order = int(bond.GetBondTypeAsDouble())
        lines.append(f"{bond.GetIdx() + 1} {bond.GetBeginAtomIdx() + 1} {bond.GetEndAtomIdx() + 1} {order}")
    return "\n".join(lines) + "\n"


def test_mol2_goes_to_sdf_with_its_losses_told(convert):
    plain = ["CC(=O)OC", "C[C@H](O)CN", "C1CCOCC1", "C/C=C/C", "CC#CCO", "FC(Cl)Br", "C1=CC=CC=C1O"]
    built = [molecules(convert(smi_to_sdf, smiles).text)[0] for smiles in plain]
    text = "".join(mol2_of(mol, f"m{number}") for number, mol in enumerate(built))
    converted = convert(mol2_to_sdf, text)
    assert codes(converted) == {"PARTIAL_CHARGES_DROPPED", "NAMES_DROPPED"}
    for mol, made in zip(built, molecules(converted.text), strict=True):
        assert smiles_3d(made) == smiles_3d(mol)
        assert np.abs(made.GetConformer().GetPositions() - mol.GetConformer().GetPositions()).max() < 0.001


def test_losses_of_molecules_are_told(convert):
    sdf = convert(smi_to_sdf, "C[C@@H](O)C(=O)[O-]\tlactate\nCC(O)F open\n")
    assert codes(sdf) == {"CONFORMERS_MADE", "STEREO_CHOSEN"}
    assert [mol.GetProp("_Name") for mol in molecules(sdf.text)] == ["lactate", "open"]
    assert len(molecules(convert(smi_to_sdf, "# a library\nCCO ethanol\n").text)) == 1, "comments are none"
    assert len(molecules(convert(smi_to_sdf, "SMILES Name \nCCO ethanol\n").text)) == 1, "titles are none"
    first = sdf.text.partition("$$$$")[0]
    more = first.replace("M  END", "M  ISO  1   1  13\nM  END") + ">  <Ki_nM>\n12\n\n$$$$\n"
    assert {"PROPERTIES_DROPPED", "ISOTOPES_DROPPED"} <= codes(convert(sdf_to_pdbqt, more))
    bare = Chem.MolToMolBlock(Chem.RemoveHs(Chem.MolFromMolBlock(first)))
    assert "HYDROGENS_ADDED" in codes(convert(sdf_to_pdbqt, bare))


def test_atoms_that_docking_does_not_know_are_refused_in_words_of_the_molecule(convert):
    text = convert(smi_to_sdf, "CCO").text
    group = text.replace(" C   0", " R#  0", 1).replace("M  END", "M  RGP  1   1   1\nM  END")
    aluminium = Chem.AddHs(Chem.MolFromSmiles("C[Al](C)C"))
    EmbedMolecule(aluminium, randomSeed=1)
    for sdf, told in (
        (group, "Atom 1 (R1) is open, as an R group"),
        (text.replace(" C   0", " A   0", 1), "Atom 1 (*) is open"),
        (text.replace(" C   0", " Se  0", 1), "Selenium with 4 neighbours has no partial charges"),
        (Chem.MolToMolBlock(aluminium), "AutoDock has no atom type for atom 2 (Al)"),
        (HYDROGEN, "The molecule has no atom but hydrogen"),
    ):
        with pytest.raises(ScienceError) as failure:
            convert(sdf_to_pdbqt, sdf)
        assert failure.value.code == "CONVERSION_IMPOSSIBLE"
        assert told in failure.value.message


def test_every_model_of_docking_becomes_a_record_with_its_score(convert):
    pdbqt = convert(sdf_to_pdbqt, convert(smi_to_sdf, "CCO ethanol").text).text
    pose = "REMARK VINA RESULT:    -5.100      0.000      0.000\n" + pdbqt
    found = molecules(convert(pdbqt_to_sdf, f"MODEL 1\n{pose}ENDMDL\nMODEL 2\n{pose}ENDMDL\n").text)
    assert [mol.GetProp("affinity_kcal_mol") for mol in found] == ["-5.100", "-5.100"]


def zipped(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.pdb", STRUCTURES[0].read_bytes())
    return path.read_bytes()


@pytest.mark.parametrize(
    "converter", [pdb_to_mmcif, mmcif_to_pdb, sdf_to_pdbqt, pdbqt_to_sdf, mol2_to_sdf, smi_to_sdf]
)
def test_garbage_is_called_unreadable(converter, convert, tmp_path):
    for text in (
        b"",
        b"\n \n",
        b"\x00\x01\x02" * 100,
        zipped(tmp_path),
        b"garbage\nof many (words\n",
        b"\xff" * 50,
    ):
        with pytest.raises(ScienceError) as failure:
            convert(converter, text)
        assert failure.value.code == "CONVERSION_INPUT_UNREADABLE", text[:20]


def test_files_that_break_off_and_other_formats_are_refused(convert):
    path = next(each for each in STRUCTURES if each.stem == "1hpv")
    pdb, cif = path.read_bytes(), convert(pdb_to_mmcif, path.read_bytes()).text
    sdf = convert(smi_to_sdf, "CCO").text
    pdbqt = convert(sdf_to_pdbqt, sdf).text
    unreadable = [
        (pdb_to_mmcif, cif), (mmcif_to_pdb, pdb), (mmcif_to_pdb, cif[: len(cif) // 3]),
        (pdb_to_mmcif, pdb[: len(pdb) // 2 - 13]), (sdf_to_pdbqt, sdf[: len(sdf) // 2]),
        (pdbqt_to_sdf, pdbqt[: pdbqt.index("ATOM") + 100]), (smi_to_sdf, "CCO\nC1CC\n"),
    ]  # fmt: skip
    for converter, text in unreadable:
        with pytest.raises(ScienceError) as failure:
            convert(converter, text)
        assert failure.value.code == "CONVERSION_INPUT_UNREADABLE"
    impossible = [
        (sdf_to_pdbqt, sdf + sdf), (sdf_to_pdbqt, Chem.MolToMolBlock(Chem.MolFromSmiles("CCO"))),
        (smi_to_sdf, "CCO.Cl\n"), (smi_to_sdf, "C\n" * 101),
        (pdbqt_to_sdf, "".join(line for line in pdbqt.splitlines(keepends=True) if "SMILES" not in line)),
    ]  # fmt: skip
    for converter, text in impossible:
        with pytest.raises(ScienceError) as failure:
            convert(converter, text)
        assert failure.value.code == "CONVERSION_IMPOSSIBLE"
