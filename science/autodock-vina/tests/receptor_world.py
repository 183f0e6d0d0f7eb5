"""What the tests of receptors start from: real files, the spec of a session, and edits of a PDB text."""

import functools
import json

import gemmi
import numpy as np

from dockyard_science.ccd import default_ccd
from dockyard_science.receptor import prepare
from dockyard_session.canonical import sha256_file
from dockyard_session.toolchain import Toolchain
from json_schema import schema_of, violations
from structures_world import FOLATE, atom_line, atom_of, position, records
from structures_world import receptor as whole_receptor

TOOLCHAIN = Toolchain("c" * 64, {"vina": "1.2.7"}, "x86-64-v3")
PROGESTERONE = {"componentId": "STR", "chain": "A", "residue": 1}
STEROID_BOX = {"ligand": PROGESTERONE}
# In the middle of dihydrofolate reductase, for receptors whose pocket is not what is tested.
FOLATE_BOX = {"centerAngstrom": [10.0, 45.0, 15.0], "sizeAngstrom": [30.0, 30.0, 30.0]}


def session(box, native=None, receptor=None, **preparation):
    """A session's spec: `box` with the fields that are set, `receptor` and `preparation` over the defaults."""
    empty = {"centerAngstrom": None, "sizeAngstrom": None, "ligand": None, "residues": None}
    defaults = {
        "protonationPh": 7.4,
        "protonationMethod": "pdb2pqr-propka",
        "forceField": "AMBER",
        "fixedProtonationStates": [],
        "removeComponents": [],
        "retainComponents": [],
    }
    return {
        "seed": 42,
        "exhaustiveness": 1,
        "numModes": 9,
        "energyRangeKcalMol": 3.0,
        "receptor": whole_receptor(**(receptor or {})),
        "preparation": defaults | preparation,
        "preparationSha256": "b" * 64,
        "box": empty | box,
        "nativeReference": native,
    }


def prepare_in(out, source, spec, cached=None):
    """Prepare a file below `out`; the summary. Box and report fit the schemas by which the control side judges them."""
    _, summary = prepare(
        source, spec, out, cached=cached, ccd=default_ccd(), toolchain=TOOLCHAIN, progress=lambda _: None
    )
    for name, path in (("box", "box.json"), ("preparation", "receptor/preparation.json")):
        assert violations(json.loads((out / path).read_text()), schema_of(name)) == []
    return summary


def digests(out):
    """Digest of every file below a folder by its path."""
    return {
        str(path.relative_to(out)): sha256_file(path) for path in sorted(out.rglob("*")) if path.is_file()
    }


def beside(lines, component, number=900):
    """A component with the dictionary's own geometry, put where it is 3.5 Å and more from these atoms."""
    places = np.array([position(line) for line in lines])
    molecule = default_ccd().molecule(component)
    heavy = [atom for atom in molecule.GetAtoms() if atom.GetAtomicNum() > 1]
    own = molecule.GetConformer().GetPositions()[[atom.GetIdx() for atom in heavy]]
    own = own - own.mean(axis=0) + places.mean(axis=0)
    while np.linalg.norm(own[:, None] - places[None], axis=2).min() < 3.5:
        own = own + np.array([0.5, 0, 0])
    return [
        atom_line(atom.GetProp("name"), component, number, place, atom.GetSymbol())
        for atom, place in zip(heavy, own, strict=True)
    ]


def heavy_places(path):
    """Places of the heavy atoms of a PDB file by chain, residue and name, waters left out, read by gemmi."""
    structure = gemmi.read_pdb(str(path), max_line_length=72)
    return {
        (site.chain.name.strip(), str(site.residue.seqid), site.atom.name): np.array(site.atom.pos.tolist())
        for site in structure[0].all()
        if not site.atom.is_hydrogen() and not site.residue.is_water()
    }


@functools.cache
def small_site():
    """Two stretches of dihydrofolate reductase: residues of each kind that can be fixed, prepared in a second."""
    return tuple(line for line in records(FOLATE) if int(line[22:26]) <= 10 or 118 <= int(line[22:26]) <= 146)


@functools.cache
def open_site():
    """The small site without what stands before the ring of its histidine 130."""
    return tuple(line for line in small_site() if int(line[22:26]) <= 131)


def beyond(lines, number, name, distance):
    """A place in front of an atom of a histidine's ring, away from its two neighbours there."""
    neighbours = {
        "ND1": ("CG", "CE1"),
        "NE2": ("CE1", "CD2"),
        "CE1": ("ND1", "NE2"),
        "CD2": ("CG", "NE2"),
    }[name]
    centre = position(atom_of(lines, number, name))
    ends = [position(atom_of(lines, number, each)) for each in neighbours]
    away = sum((centre - end) / np.linalg.norm(centre - end) for end in ends)
    return centre + distance * away / np.linalg.norm(away)
