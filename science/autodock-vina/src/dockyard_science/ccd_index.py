"""Makes the file that `ccd` reads: `python -m dockyard_science.ccd_index OUT.sqlite`.

The source is the dictionary that comes with biotite. Decoding it takes a gigabyte and seconds, so it is done once and
not by every session. The file appears by a rename when it is whole. Beside the components it holds their names and
synonyms in folded form and their InChIKeys, by which the API finds a component (src/adapters/chemistry/dictionary.ts
folds what is looked for in the same way).
"""

import argparse
import json
import multiprocessing
import os
import re
import sqlite3
import sys
import unicodedata
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import biotite.structure.info
import numpy as np
from biotite.structure.io.pdbx import BinaryCIFCategory, BinaryCIFFile
from rdkit.Chem import rdinchi

from dockyard_science.ccd import UNITS_PER_ANGSTROM, mol_block

_FEWEST_COMPONENTS = 40_000


def build_index(target: Path) -> int:
    """Write the index to `target` (replaced when it is there) and return the number of components."""
    source = Path(biotite.structure.info.__file__).parent / "components.bcif"
    partial = target.with_name(f"{target.name}.partial-{os.getpid()}")
    database = sqlite3.connect(partial)
    try:
        database.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            "CREATE TABLE component (id TEXT PRIMARY KEY, data BLOB NOT NULL);"
            # `synonym` is null where the name is that of the component itself.
            "CREATE TABLE name (folded TEXT NOT NULL, id TEXT NOT NULL, synonym TEXT, PRIMARY KEY (folded, id))"
            " WITHOUT ROWID;"
            "CREATE TABLE inchikey (key TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;"
        )
        block = BinaryCIFFile.read(source).block
        rows = sorted(_rows(block))
        database.executemany("INSERT INTO component VALUES (?, ?)", rows)
        # A key takes most of a millisecond, all of them half a minute of one processor.
        with multiprocessing.Pool() as pool:
            keys = pool.map(_key_of, (data for _, data in rows), chunksize=500)
        withdrawn = _withdrawn(block["chem_comp"])
        named = [
            (key, row[0]) for key, row in zip(keys, rows, strict=True) if key and row[0] not in withdrawn
        ]
        database.executemany("INSERT INTO inchikey VALUES (?, ?)", named)
        # The component's own name comes first, so that a synonym of the same letters is left out.
        database.executemany("INSERT OR IGNORE INTO name VALUES (?, ?, ?)", _names(block["chem_comp"]))
        database.commit()
        count = int(database.execute("SELECT count(*) FROM component").fetchone()[0])
    finally:
        database.close()
    if count < _FEWEST_COMPONENTS:
        raise RuntimeError(f"The dictionary has {count} components only.")
    partial.replace(target)
    return count


def fold(name: str) -> str:
    """A name as it is compared: small letters and digits in words, without accents and punctuation."""
    letters = unicodedata.normalize("NFKD", name).lower()
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", " ", plain).strip()


def _key_of(data: bytes) -> str:
    """The InChIKey of a component; empty where it has no places, from which InChI tells stereo, or too many atoms."""
    block = mol_block(json.loads(zlib.decompress(data)))
    inchi = "" if block is None else str(rdinchi.MolBlockToInchi(block)[0])
    return str(rdinchi.InchiToInchiKey(inchi)) if inchi else ""


def _withdrawn(components: BinaryCIFCategory) -> set[str]:
    ids, statuses = (components[name].as_array(str).tolist() for name in ("id", "pdbx_release_status"))
    return {component_id for component_id, status in zip(ids, statuses, strict=True) if status == "OBS"}


def _names(components: BinaryCIFCategory) -> Iterator[tuple[str, str, str | None]]:
    """Folded names and synonyms, each with its component; what the dictionary has withdrawn is not found by name."""
    wanted = ("id", "name", "pdbx_synonyms", "pdbx_release_status")
    columns = (components[name].as_array(str).tolist() for name in wanted)
    for component_id, name, synonyms, status in zip(*columns, strict=True):
        if status == "OBS":
            continue
        others = [] if synonyms in {"?", "."} else [" ".join(each.split()) for each in synonyms.split(";")]
        for text, synonym in [(name, None), *((each, each) for each in others)]:
            folded = fold(text)
            if folded:
                yield folded, component_id, synonym


def _rows(block: Any) -> Iterator[tuple[str, bytes]]:
    atoms = _atom_columns(block["chem_comp_atom"])
    bonds = _bond_columns(block["chem_comp_bond"])
    components = block["chem_comp"]
    columns = [components[name].as_array(str) for name in ("id", "name", "type", "mon_nstd_parent_comp_id")]
    for component_id, name, kind, parent in zip(*(column.tolist() for column in columns), strict=True):
        record = {"name": name, "type": kind, "parent": None if parent in {"?", "."} else parent}
        record |= _atoms_of(component_id, atoms)
        record |= _bonds_of(component_id, bonds, record["names"])
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        yield component_id, zlib.compress(text.encode(), 9)


def _atom_columns(category: BinaryCIFCategory) -> dict[str, Any]:
    xyz = ("Cartn_x", "Cartn_y", "Cartn_z")
    return {
        "slices": _slices(category["comp_id"].as_array(str)),
        "names": category["atom_id"].as_array(str),
        "elements": category["type_symbol"].as_array(str),
        "charges": category["charge"].as_array(int),
        "leaving": category["pdbx_leaving_atom_flag"].as_array(str),
        "ideal": _coordinates(category, [f"pdbx_model_{axis}_ideal" for axis in xyz]),
        "model": _coordinates(category, [f"model_{axis}" for axis in xyz]),
    }


def _bond_columns(category: BinaryCIFCategory) -> dict[str, Any]:
    return {
        "slices": _slices(category["comp_id"].as_array(str)),
        "first": category["atom_id_1"].as_array(str),
        "second": category["atom_id_2"].as_array(str),
        "orders": category["value_order"].as_array(str),
        "aromatic": category["pdbx_aromatic_flag"].as_array(str),
    }


def _slices(ids: Any) -> dict[str, slice]:
    """Where the rows of each id are; they stand together in the dictionary."""
    edges = [0, *(np.flatnonzero(ids[1:] != ids[:-1]) + 1).tolist(), len(ids)]
    slices = {str(ids[start]): slice(start, end) for start, end in pairwise(edges)}
    if len(slices) != len(edges) - 1:
        raise RuntimeError("The rows of a component do not stand together.")
    return slices


def _coordinates(category: BinaryCIFCategory, names: list[str]) -> Any:
    """The columns as an N x 3 array in angstrom; NaN where a value is missing."""
    return np.column_stack([category[name].as_array(float, masked_value=np.nan) for name in names])


def _atoms_of(component_id: str, atoms: dict[str, Any]) -> dict[str, Any]:
    rows = atoms["slices"].get(component_id, slice(0, 0))
    record = {name: atoms[name][rows].tolist() for name in ("names", "charges")}
    record["elements"] = [element.capitalize() for element in atoms["elements"][rows].tolist()]
    record["leaving"] = "".join(atoms["leaving"][rows].tolist())
    # The deposited coordinates only stand in where there are no ideal ones.
    record["ideal"] = _whole(atoms["ideal"][rows])
    record["model"] = _whole(atoms["model"][rows]) if record["ideal"] is None else None
    return record


def _whole(coordinates: Any) -> list[int] | None:
    """N x 3 coordinates as a flat list of whole thousandths; None when one is missing or all are the same."""
    if len(coordinates) == 0 or not np.isfinite(coordinates).all():
        return None
    if len(coordinates) > 1 and not np.ptp(coordinates, axis=0).any():
        return None
    whole: list[int] = np.rint(coordinates * UNITS_PER_ANGSTROM).astype(int).ravel().tolist()
    return whole


def _bonds_of(component_id: str, bonds: dict[str, Any], names: list[str]) -> dict[str, Any]:
    rows = bonds["slices"].get(component_id, slice(0, 0))
    index = {name: position for position, name in enumerate(names)}
    columns = (bonds[name][rows].tolist() for name in ("first", "second", "orders"))
    triples = [[index[first], index[second], order] for first, second, order in zip(*columns, strict=True)]
    return {"bonds": triples, "aromatic": "".join(bonds["aromatic"][rows].tolist())}


def main(argv: list[str]) -> int:
    """Build the index named on the command line."""
    parser = argparse.ArgumentParser(prog="dockyard_science.ccd_index", description=build_index.__doc__)
    parser.add_argument("target", type=Path)
    target = parser.parse_args(argv).target
    count = build_index(target)
    sys.stdout.write(f"{count} components, {target.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
