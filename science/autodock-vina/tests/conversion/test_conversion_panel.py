"""Conversions of ordinary files of others: what gemmi and RDKit find before, they find after, or a warning tells.

The files are those that the repository and the packages of the tools bring, and components of the dictionary. The
long test takes all, some two hundred; the short one takes ten.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import gemmi
import numpy as np
import pytest
from rdkit import Chem

from dockyard_science.ccd import default_ccd
from dockyard_science.conversion import Converted
from dockyard_science.convert_molecules import mol2_to_sdf, pdbqt_to_sdf, sdf_to_pdbqt, smi_to_sdf
from dockyard_science.convert_structures import mmcif_to_pdb, pdb_to_mmcif
from dockyard_session.errors import ScienceError

ROOT = Path(__file__).parents[4]
#: Structures of packages above this size take minutes and are no other kind of file.
MOST_BYTES = 2_000_000
RECORDS_OF_A_FILE = 30
#: Every five hundredth component of the dictionary that has places and is of ordinary size.
COMPONENTS = """
007 0FZ 0WE 1BG 1QB 25Z 2KS 30A 3F6 3U5 495 4NY 530 5HP 5WH 6BI 6QE 753 7JY 7YU 8DZ 8T2 983 9ND A1A1K A1AHW
A1AXM A1BF9 A1BWX A1D7Y A1H2X A1IDF A1IUA A1L5R A8W ANN B29 BW3 CAV CPB D3Y DIQ DXG ECE ERI F6J FLF G0I GFH
GU7 H92 HNY I2P IIS IXE JRR K6N KLR L1K LGC LV9 MA8 MP3 N3Z NIN NXA OCD ORT P6R PLE Q01 QF1 QTW R8Y RNZ S30
SI5 SWV TBN TQ6
"""
#: Facts of structures, each with the warning that may stand for its loss.
FACTS: dict[str, tuple[Callable[[gemmi.Structure], Any], str | None]] = {
    "models": (len, None),
    "cell": (lambda each: tuple(np.round(each.cell.parameters, 2)), None),
    "symmetry": (lambda each: each.spacegroup_hm or "P 1", None),
    "title": (lambda each: str(dict(each.info).get("_struct.title", "")).upper(), None),
    "bonds": (
        lambda each: sorted(
            (bond.type.name, *sorted([str(bond.partner1), str(bond.partner2)]))
            for bond in each.connections
            if bond.type.name != "Hydrog"
        ),
        None,
    ),
    "hydrogen bonds": (
        lambda each: sum(bond.type.name == "Hydrog" for bond in each.connections),
        "METADATA_DROPPED",
    ),
    "helices": (lambda each: len(each.helices), None),
    "strands": (lambda each: sum(len(sheet.strands) for sheet in each.sheets), None),
    "assemblies": (lambda each: len(each.assemblies), None),
    "cis peptides": (lambda each: len(each.cispeps), None),
    "sequences": (
        lambda each: sorted({tuple(entity.full_sequence) for entity in each.entities} - {()}),
        None,
    ),
}


@dataclass
class File:
    """A file of the panel."""

    name: str
    text: bytes
    convert: Callable[[Path], Converted]


def packaged(package: str, pattern: str) -> list[Path]:
    """Files that a package of the tools brings; a package that is not installed brings none."""
    folder = Path(str(distribution(package).locate_file("")))
    return [path for path in sorted(folder.glob(pattern)) if path.stat().st_size < MOST_BYTES]


def structures() -> Iterator[File]:
    """Structures in PDB, from deposited entries to the output of simulation programs."""
    paths = sorted((ROOT / "test" / "fixtures" / "structures").glob("*.pdb"))
    paths += [ROOT / "examples" / "1a28" / "1a28.pdb"]
    paths += packaged("posebusters", "posebusters/**/*.pdb") + packaged("prolif", "prolif/data/**/*.pdb")
    for path in paths:
        yield File(path.name, path.read_bytes(), pdb_to_mmcif)


def records() -> Iterator[File]:
    """Molecules with places: vendors' and crystals' records, and components of the dictionary."""
    paths = packaged("rdkit", "rdkit/Contrib/**/*.sdf") + packaged(
        "posebusters", "posebusters/**/*_ligand.sdf"
    )
    paths += packaged("prolif", "prolif/data/**/*.sdf")
    for path in paths:
        blocks = [block for block in path.read_text().split("$$$$\n") if block.strip()]
        for number, block in enumerate(blocks[:RECORDS_OF_A_FILE]):
            yield File(f"{path.name} {number}", f"{block}$$$$\n".encode(), sdf_to_pdbqt)
    ccd = default_ccd()
    for component in COMPONENTS.split():
        mol = ccd.molecule(component)
        if mol is not None and mol.GetNumConformers():
            yield File(f"CCD {component}", Chem.MolToMolBlock(mol).encode(), sdf_to_pdbqt)


def libraries() -> Iterator[File]:
    """Files of Tripos' format, and SMILES of a library."""
    for path in packaged("prolif", "prolif/data/**/*.mol2"):
        yield File(path.name, path.read_bytes(), mol2_to_sdf)
    yield File("library.smi", (ROOT / "examples" / "1a28" / "library.smi").read_bytes(), smi_to_sdf)


def run(convert: Callable[[Path], Converted], text: bytes, folder: Path) -> Converted:
    path = folder / "file"
    path.write_bytes(text)
    return convert(path)


def codes(converted: Converted) -> set[str]:
    return {warning["code"] for warning in converted.warnings}


def sites(structure: gemmi.Structure) -> list[tuple[Any, ...]]:
    return sorted(
        (number, site.chain.name.strip() or "_", str(site.residue.seqid), site.residue.name, site.atom.name,
         site.atom.altloc, site.atom.element.name, site.atom.charge, round(site.atom.occ, 2),
         round(site.atom.b_iso, 2), site.atom.aniso.nonzero(), *np.round(site.atom.pos.tolist(), 3))
        for number, model in enumerate(structure)
        for site in model.all()
    )  # fmt: skip


def of_mmcif(text: str) -> gemmi.Structure:
    return gemmi.make_structure_from_block(gemmi.cif.read_string(text)[0])


def of_pdb(text: str, name: str) -> gemmi.Structure:
    # The entry of 1995 has its own text behind column 72.
    return gemmi.read_pdb_string(text, max_line_length=72 if name == "1hpv.pdb" else 0)


def same_structure(file: File, folder: Path) -> None:
    there = run(pdb_to_mmcif, file.text, folder)
    back = run(mmcif_to_pdb, there.text.encode(), folder)
    given = of_pdb(file.text.decode(errors="replace"), file.name)
    for found, told in (
        (of_mmcif(there.text), codes(there)),
        (of_pdb(back.text, ""), codes(there) | codes(back)),
    ):
        assert sites(found) == sites(given), file.name
        for fact, (read, code) in FACTS.items():
            assert read(found) == read(given) or code in told, f"{file.name}: {fact}"


def in_space(mol: Chem.Mol) -> str:
    plain = Chem.RemoveHs(mol)
    Chem.AssignStereochemistryFrom3D(plain, replaceExistingTags=True)
    return Chem.MolToSmiles(plain)


def from_sdf(text: str) -> list[Chem.Mol]:
    supplier = Chem.SDMolSupplier()
    supplier.SetData(text, removeHs=False)
    return list(supplier)


def same_molecule(before: Chem.Mol, after: Chem.Mol, told: set[str], name: str) -> None:
    assert in_space(before) == in_space(after), name
    assert Chem.GetFormalCharge(before) == Chem.GetFormalCharge(after), name
    assert before.GetProp("_Name").strip() == after.GetProp("_Name").strip() or "NAMES_DROPPED" in told, name
    properties = set(before.GetPropNames()) - set(after.GetPropNames())
    assert not properties or "PROPERTIES_DROPPED" in told, name
    assert before.GetNumAtoms() == after.GetNumAtoms() or "HYDROGENS_ADDED" in told, name
    # Atoms lie within 0.001 Å of a place of their element.
    for atom in (each for each in before.GetAtoms() if each.GetAtomicNum() > 1):
        place = before.GetConformer().GetAtomPosition(atom.GetIdx())
        others = [
            (after.GetConformer().GetAtomPosition(other.GetIdx()) - place).Length()
            for other in after.GetAtoms()
            if other.GetAtomicNum() == atom.GetAtomicNum()
        ]
        assert min(others) < 0.002, name


def same_molecules(file: File, folder: Path) -> None:
    there = run(file.convert, file.text, folder)
    if file.convert is sdf_to_pdbqt:
        (before,), back = from_sdf(file.text.decode()), run(pdbqt_to_sdf, there.text.encode(), folder)
        (after,) = from_sdf(back.text)
        same_molecule(before, after, codes(there) | codes(back), file.name)
    elif file.convert is mol2_to_sdf:
        blocks = file.text.decode().split("@<TRIPOS>MOLECULE")[1:]
        before = [Chem.MolFromMol2Block(f"@<TRIPOS>MOLECULE{block}", removeHs=False) for block in blocks]
        for given, found in zip(before, from_sdf(there.text), strict=True):
            same_molecule(given, found, codes(there), file.name)
    else:
        lines = [line.split() for line in file.text.decode().splitlines() if line[:1] not in {"", "#"}]
        for (smiles, *_), found in zip(lines, from_sdf(there.text), strict=True):
            plain = Chem.RemoveHs(found)
            Chem.AssignStereochemistryFrom3D(plain, replaceExistingTags=True)
            assert plain.HasSubstructMatch(Chem.MolFromSmiles(smiles), useChirality=True), smiles


def check(file: File, folder: Path) -> str:
    """How it went: kept, or refused in words."""
    try:
        if file.convert is pdb_to_mmcif:
            same_structure(file, folder)
        else:
            same_molecules(file, folder)
    except ScienceError as error:
        return f"{error.code}: {error.message}"
    return "kept"


def test_ten_files_lose_nothing_in_silence(tmp_path: Path) -> None:
    first = [next(files()) for files in (structures, libraries)]
    chosen = [*first, *(file for number, file in enumerate(records()) if number % 40 == 0)]
    assert {check(file, tmp_path) for file in chosen[:10]} == {"kept"}


@pytest.mark.long
def test_two_hundred_files_lose_nothing_in_silence(tmp_path: Path) -> None:
    files = [*structures(), *records(), *libraries()]
    ends = {file.name: check(file, tmp_path) for file in files}
    refused = {name: end for name, end in ends.items() if end != "kept"}
    print(f"{len(ends)} files, {len(ends) - len(refused)} kept; refused: {refused}")  # noqa: T201
    assert len(ends) >= 200
    assert all(end.startswith("CONVERSION_") for end in refused.values()), refused
    assert len(refused) < len(ends) / 10, refused
