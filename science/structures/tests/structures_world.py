"""What the tests of structures start from: real files, and edits of a PDB text."""

import functools
from pathlib import Path

import gemmi
import numpy as np

_ROOT = Path(__file__).resolve().parents[3]
_STRUCTURES = _ROOT / "test" / "fixtures" / "structures"
PR = _ROOT / "examples" / "1a28" / "1a28.pdb"
PROTEASE = _STRUCTURES / "1hpv.pdb"
MODIFIED = _STRUCTURES / "1hvr.pdb"
TRYPSIN = _STRUCTURES / "1k1i.pdb"
REDUCTASE = _STRUCTURES / "1us0.pdb"
CALCIUM = _STRUCTURES / "1ajj.pdb"
FOLATE = _STRUCTURES / "1s3v_protein.pdb"
LIGASE_SITE = _STRUCTURES / "7nu0-site.pdb"
REDUCTASE_SITE = _STRUCTURES / "7th4-site.pdb"
HEME_SITE = _STRUCTURES / "8d39-site.pdb"


@functools.cache
def records(path):
    """The ATOM and HETATM lines of a PDB file."""
    return tuple(line for line in path.read_text().splitlines() if line.startswith(("ATOM", "HETATM")))


def atom_line(name, residue, number, position, element):
    """A HETATM line of chain A."""
    x, y, z = position
    padded = f" {name:<3}" if len(name) < 4 and len(element) == 1 else f"{name:<4}"
    place = f"{x:8.3f}{y:8.3f}{z:8.3f}"
    return (
        f"HETATM 9999 {padded} {residue:>3} A{number:4d}    {place}  1.00 20.00          {element.upper():>2}"
    )


def write_with(path, lines, extra=()):
    """Write a PDB file of these lines, the chain closed, and `extra` behind it."""
    path.write_text("\n".join([*lines, "TER", *extra, "END", ""]))
    return path


def position(line):
    """Coordinates in a PDB line."""
    return np.array([float(line[30:38]), float(line[38:46]), float(line[46:54])])


def moved(line, place):
    """A PDB line with its atom elsewhere."""
    return line[:30] + "".join(f"{value:8.3f}" for value in place) + line[54:]


def atom_of(lines, number, name, chain="A"):
    """The line of an atom."""
    return next(
        line
        for line in lines
        if line[21] == chain and int(line[22:26]) == number and line[12:16].strip() == name
    )


def receptor(**changes):
    """Which part of a file is the receptor: all chains of the first assembly, but for what is changed."""
    whole = {"source": {"kind": "scene"}, "sha256": "d" * 64, "assemblyId": "1", "model": 1, "chains": None}
    return whole | {"identitySha256": "a" * 64} | changes


def dimer(tmp_path):
    """Half the folate reductase with an assembly of two copies, the second one turned about z and shifted."""
    half = write_with(tmp_path / "half.pdb", [line for line in records(FOLATE) if int(line[22:26]) <= 90])
    structure = gemmi.read_pdb(str(half))
    structure.setup_entities()
    assembly = gemmi.Assembly("1")
    generator = gemmi.Assembly.Gen()
    generator.subchains = [residue.subchain for residue in structure[0]["A"]][:1]
    turn = gemmi.Transform(gemmi.Mat33([[-1, 0, 0], [0, -1, 0], [0, 0, 1]]), gemmi.Vec3(200, 0, 0))
    for name, transform in (("1", gemmi.Transform()), ("2", turn)):
        operator = gemmi.Assembly.Operator()
        operator.name, operator.transform = name, transform
        generator.operators.append(operator)
    assembly.generators.append(generator)
    structure.assemblies.append(assembly)
    path = tmp_path / "dimer.cif"
    structure.make_mmcif_document().write_file(str(path))
    return path
