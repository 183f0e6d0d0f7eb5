"""The Chemical Component Dictionary as an indexed file: a component in a millisecond, nothing kept in memory.

`ccd_index` makes the file once per installation. A component is stored as compressed JSON of plain columns
and becomes a molecule here, so the file does not depend on the version of RDKit.
"""

import functools
import json
import os
import sqlite3
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rdkit import Chem, rdBase
from rdkit.Geometry import Point3D

#: Coordinates are stored in thousandths of an angstrom, which is what the dictionary gives.
UNITS_PER_ANGSTROM = 1000

_BOND_TYPES = {
    "SING": Chem.BondType.SINGLE,
    "DOUB": Chem.BondType.DOUBLE,
    "TRIP": Chem.BondType.TRIPLE,
    "QUAD": Chem.BondType.QUADRUPLE,
    "AROM": Chem.BondType.AROMATIC,
    "DELO": Chem.BondType.ONEANDAHALF,
}
_BLOCK_ORDERS = {"SING": 1, "DOUB": 2, "TRIP": 3, "AROM": 4}
_MOST_BLOCK_ATOMS = 999
# Elements with an organic valence; every other element counts as a metal here.
_NON_METALS = frozenset({1, 2, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 33, 34, 35, 36, 52, 53, 54, 85, 86})


class Ccd:
    """Components by their id (upper case, as in structure files)."""

    def __init__(self, path: Path) -> None:
        """Open the index at `path`; raises sqlite3.OperationalError when there is none."""
        address = path.resolve().as_uri() + "?mode=ro&immutable=1"
        self._database = sqlite3.connect(address, uri=True, check_same_thread=False)
        self._database.execute("SELECT 1 FROM component LIMIT 1")

    def __len__(self) -> int:
        """How many components there are."""
        return int(self._database.execute("SELECT count(*) FROM component").fetchone()[0])

    def __contains__(self, component_id: object) -> bool:
        """Whether a component of this id is in the dictionary."""
        return isinstance(component_id, str) and self._row(component_id) is not None

    def close(self) -> None:
        """Close the file of the index."""
        self._database.close()

    def name(self, component_id: str) -> str | None:
        """The component's chemical name."""
        record = self._record(component_id)
        return None if record is None else str(record["name"])

    def parent(self, component_id: str) -> str | None:
        """The standard residue that this component modifies (MSE: MET); None when there is no single one."""
        record = self._record(component_id)
        parent = None if record is None else record["parent"]
        return parent if isinstance(parent, str) and "," not in parent else None

    def molecule(self, component_id: str) -> Chem.Mol | None:
        """The component as deposited: explicit hydrogens, ideal coordinates, bond orders, charges, stereo.

        The molecule has one conformer (N x 3, angstrom), none where the dictionary lacks coordinates. Atoms
        carry the string property `name`, the molecule `_Name`. None when the id is unknown, the component has
        no atoms, or its valences are beyond RDKit.
        """
        record = self._record(component_id)
        if record is None or not record["names"]:
            return None
        # RDKit's messages about a component that it refuses are not shown, because the answer is None.
        with rdBase.BlockLogs():
            return _build(component_id, record)

    def cif_path(self, component_id: str, folder: Path) -> Path | None:
        """Write the component's definition as `{id}.cif` below `folder`; None when the id is unknown."""
        record = self._record(component_id)
        if record is None:
            return None
        path = folder / f"{component_id}.cif"
        path.write_text(cif_text(component_id, record), encoding="utf-8")
        return path

    def _row(self, component_id: str) -> bytes | None:
        query = "SELECT data FROM component WHERE id = ?"
        row = self._database.execute(query, (component_id,)).fetchone()
        return None if row is None else bytes(row[0])

    def _record(self, component_id: str) -> dict[str, Any] | None:
        data = self._row(component_id)
        return None if data is None else json.loads(zlib.decompress(data))


@functools.cache
def default_ccd() -> Ccd:
    """The dictionary that the set-up made, whose path is in DOCKYARD_CCD."""
    path = os.environ.get("DOCKYARD_CCD", "")
    if path == "":
        raise RuntimeError("DOCKYARD_CCD does not name the component dictionary; the set-up makes it.")
    return Ccd(Path(path))


def _build(component_id: str, record: dict[str, Any]) -> Chem.Mol | None:
    for is_dative in (False, True):
        molecule = _graph(record, is_dative=is_dative)
        molecule.SetProp("_Name", component_id)
        try:
            Chem.SanitizeMol(molecule)
        except (Chem.MolSanitizeException, ValueError):
            continue
        if molecule.GetNumConformers() > 0:
            Chem.AssignStereochemistryFrom3D(molecule, replaceExistingTags=True)
        return molecule.GetMol()
    return None


def _graph(record: dict[str, Any], *, is_dative: bool) -> Chem.RWMol:
    """Atoms and bonds as they stand; `is_dative` turns a metal's bonds into coordination by its neighbour."""
    molecule = Chem.RWMol()
    has_hydrogens = "H" in record["elements"]
    for name, element, charge in zip(record["names"], record["elements"], record["charges"], strict=True):
        # In the dictionary D is deuterium, and X stands for any element.
        atom = Chem.Atom({"D": "H", "X": "*"}.get(element, element))
        if element == "D":
            atom.SetIsotope(2)
        atom.SetFormalCharge(charge)
        atom.SetNoImplicit(has_hydrogens or element != "C")
        atom.SetProp("name", name)
        molecule.AddAtom(atom)
    for first, second, order in record["bonds"]:
        begin, end, kind = first, second, _BOND_TYPES.get(order, Chem.BondType.SINGLE)
        if is_dative and _is_metal(molecule, first) != _is_metal(molecule, second):
            # A dative bond goes from the donor to the metal; then RDKit leaves the donor's valence alone.
            begin, end = (second, first) if _is_metal(molecule, first) else (first, second)
            kind = Chem.BondType.DATIVE
        molecule.AddBond(begin, end, kind)
    _place(molecule, record["ideal"] or record["model"])
    return molecule


def _is_metal(molecule: Chem.RWMol, index: int) -> bool:
    return molecule.GetAtomWithIdx(index).GetAtomicNum() not in _NON_METALS


def _place(molecule: Chem.RWMol, coordinates: list[int] | None) -> None:
    if coordinates is None:
        return
    conformer = Chem.Conformer(molecule.GetNumAtoms())
    conformer.Set3D(True)
    for index in range(molecule.GetNumAtoms()):
        x, y, z = (value / UNITS_PER_ANGSTROM for value in coordinates[3 * index : 3 * index + 3])
        conformer.SetAtomPosition(index, Point3D(x, y, z))
    molecule.AddConformer(conformer, assignId=True)


def mol_block(record: Mapping[str, Any]) -> str | None:
    """The component as a V2000 mol block; None without coordinates or with more atoms than such a block can have."""
    atoms, places = len(record["names"]), record["ideal"] or record["model"]
    if places is None or not 0 < atoms <= _MOST_BLOCK_ATOMS:
        return None
    lines = ["", "", "", f"{atoms:3d}{len(record['bonds']):3d}  0  0  1  0            999 V2000"]
    for index, element in enumerate(record["elements"]):
        x, y, z = (value / UNITS_PER_ANGSTROM for value in places[3 * index : 3 * index + 3])
        lines.append(f"{x:10.4f}{y:10.4f}{z:10.4f} {element:<3} 0  0  0  0  0  0  0  0  0  0  0  0")
    for first, second, order in record["bonds"]:
        lines.append(f"{first + 1:3d}{second + 1:3d}{_BLOCK_ORDERS.get(order, 1):3d}  0")
    charged = [(index, charge) for index, charge in enumerate(record["charges"], 1) if charge]
    lines += [f"M  CHG  1 {index:3d} {charge:3d}" for index, charge in charged]
    return "\n".join([*lines, "M  END", ""])


def cif_text(component_id: str, record: Mapping[str, Any]) -> str:
    """The component in the dictionary's own format, with the columns that makers of residue templates read."""
    lines = [f"data_{component_id}", "#", f"_chem_comp.id {_quoted(component_id)}"]
    lines += [f"_chem_comp.name {_quoted(record['name'])}", f"_chem_comp.type {_quoted(record['type'])}"]
    lines += ["#", "loop_"]
    columns = ("comp_id", "atom_id", "type_symbol", "charge", "pdbx_leaving_atom_flag")
    lines += [f"_chem_comp_atom.{column}" for column in columns]
    axes = ("x", "y", "z")
    lines += [f"_chem_comp_atom.pdbx_model_Cartn_{axis}_ideal" for axis in axes]
    positions = record["ideal"] or record["model"]
    for index, name in enumerate(record["names"]):
        row = [component_id, _quoted(name), record["elements"][index].upper(), str(record["charges"][index])]
        xyz = positions[3 * index : 3 * index + 3] if positions else None
        place = ["?"] * 3 if xyz is None else [f"{value / UNITS_PER_ANGSTROM:.3f}" for value in xyz]
        lines.append(" ".join([*row, record["leaving"][index], *place]))
    lines += ["#", "loop_"]
    columns = ("comp_id", "atom_id_1", "atom_id_2", "value_order", "pdbx_aromatic_flag")
    lines += [f"_chem_comp_bond.{column}" for column in columns]
    names = [_quoted(name) for name in record["names"]]
    for (first, second, order), flag in zip(record["bonds"], record["aromatic"], strict=True):
        lines.append(f"{component_id} {names[first]} {names[second]} {order} {flag}")
    return "\n".join([*lines, "#", ""])


def _quoted(text: str) -> str:
    """A CIF value: in the quotes that it does not hold, in a text field where it holds both or a line end."""
    if "\n" in text or ("'" in text and '"' in text):
        return f"\n;{text}\n;"
    quote = '"' if "'" in text else "'"
    is_plain = text != "" and all(c.isalnum() or c in "-+.*" for c in text)
    return text if is_plain else f"{quote}{text}{quote}"
