"""PDB to mmCIF and back, by gemmi. What was written is read again and compared atom by atom with what was read."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import gemmi

from dockyard_science.conversion import Converted, impossible, some, unreadable
from dockyard_session.errors import ScienceError
from dockyard_structures.structure import read_as_written

#: Atoms of a model that a PDB file numbers.
_MOST_SERIALS = 99_999

#: The columns of a PDB file hold so much.
_LEAST_COORDINATE, _MOST_COORDINATE = -999.999, 9999.999
_LEAST_NUMBER, _MOST_NUMBER = -999, 9999
_MOST_B = 999.99

#: Both formats keep three decimals of an angstrom at least.
_TOLERANCE = 0.001

#: Records of a PDB file that the mmCIF file says as well, or whose loss has a code of its own.
# fmt: off
_KEPT_RECORDS = frozenset({
    "HEADER", "TITLE", "KEYWDS", "EXPDTA", "AUTHOR", "NUMMDL", "DBREF", "DBREF1", "DBREF2",
    "SEQRES", "MODRES", "HET", "HELIX", "SHEET", "SSBOND", "LINK", "CISPEP", "CRYST1", "ORIGX1",
    "ORIGX2", "ORIGX3", "SCALE1", "SCALE2", "SCALE3", "MTRIX1", "MTRIX2", "MTRIX3", "MODEL", "ATOM",
    "ANISOU", "TER", "HETATM", "ENDMDL", "CONECT", "MASTER", "END",
})
# fmt: on

#: Remarks of assemblies and of symmetry, which are tables of mmCIF.
_KEPT_REMARKS = frozenset({"350", "290"})

_Tables = tuple[str, ...]

#: Names that are columns of tables which are kept otherwise.
_LOST_COLUMNS: _Tables = ("_entity.pdbx_description", "_chem_comp.name")

#: Kinds of bonds that LINK and SSBOND say.
_KEPT_BONDS = frozenset(
    {gemmi.ConnectionType.Covale, gemmi.ConnectionType.Disulf, gemmi.ConnectionType.MetalC}
)

#: What a PDB file says as well, or says by the atoms themselves.
_KEPT: _Tables = (
    *("_atom_site.", "_atom_site_anisotrop.", "_entry.", "_cell.", "_symmetry.", "_entity.", "_entity_poly."),
    *("_entity_poly_seq.", "_struct_asym.", "_struct_conf.", "_struct_conf_type.", "_struct_sheet"),
    *("_struct_conn.", "_struct_conn_type.", "_struct_mon_prot_cis.", "_pdbx_struct_assembly", "_atom_type."),
    *(
        "_pdbx_struct_oper_list.",
        "_struct.",
        "_struct_keywords.",
        "_exptl.",
        "_audit_conform.",
        "_chem_comp.",
    ),
    *("_struct_ref", "_atom_sites.", "_database_PDB_matrix.", "_struct_ncs_oper.", "_pdbx_database_status."),
)


@dataclass(frozen=True)
class _Site:
    """An atom as both formats say it."""

    model: int
    chain: str
    number: str
    residue: str
    name: str
    altloc: str
    element: str
    charge: int
    position: tuple[float, float, float]


def pdb_to_mmcif(path: Path) -> Converted:
    """A PDB file as mmCIF."""
    text, structure = _read(path, "pdb")
    converted = Converted("")
    blank = [chain.name for model in structure for chain in model if not chain.name.strip()]
    if blank:
        names = {chain.name for model in structure for chain in model}
        free = next(name for name in "_ABCDEFGHIJKLMNOPQRSTUVWXYZ" if name not in names)
        for model in structure:
            for chain in model:
                chain.name = chain.name.strip() or free
        converted.warn("CHAIN_NAMED", f"A chain without an id is called {free}, because mmCIF needs an id.")
    converted.text = structure.make_mmcif_document().as_string()
    lines = text.splitlines()
    _warn_of_lines(converted, lines)
    if any(line[72:76].strip() for line in lines if line.startswith(("ATOM  ", "HETATM"))) and any(
        site.residue.segment.strip() for model in structure for site in model.all()
    ):
        converted.warn("SEGMENTS_DROPPED", "Segment ids are not in the mmCIF file.")
    again = gemmi.make_structure_from_block(gemmi.cif.read_string(converted.text)[0])
    return _compared(converted, structure, again)


def mmcif_to_pdb(path: Path) -> Converted:
    """An mmCIF file as PDB. Raises CONVERSION_IMPOSSIBLE for what its columns do not hold."""
    text, structure = _read(path, "mmcif")
    block = next(each for each in gemmi.cif.read_string(text) if each.find_loop("_atom_site.id"))
    _refuse_too_large(structure)
    converted = Converted("")
    _clip(converted, structure)
    converted.text = structure.make_pdb_string()
    dropped = [name for name in block.get_mmcif_category_names() if not name.startswith(_KEPT)]
    dropped += [
        tag for tag in _LOST_COLUMNS if any(value not in {"?", "."} for value in block.find_values(tag))
    ]
    if any(bond.type not in _KEPT_BONDS for bond in structure.connections):
        dropped.append("hydrogen bonds of _struct_conn.")
    if dropped:
        told = some(sorted(dropped))
        converted.warn("METADATA_DROPPED", f"{len(dropped)} tables of mmCIF have no place in PDB: {told}")
    return _compared(converted, structure, gemmi.read_pdb_string(converted.text))


def _read(path: Path, wanted: str) -> tuple[str, gemmi.Structure]:
    try:
        source = read_as_written(path)
    except ScienceError as error:
        raise unreadable(error.message) from error
    if source.format != wanted:
        found, asked = ("PDB", "mmCIF") if source.format == "pdb" else ("mmCIF", "PDB")
        raise unreadable(f"The file is {found}, and not {asked} as it was called.")
    return path.read_bytes().decode("utf-8", errors="replace"), source.structure


def _record(line: str) -> str:
    """The record of a line; nothing for a remark that is kept."""
    name = line[:6].strip().upper()
    return "" if name == "REMARK" and line[7:10] in _KEPT_REMARKS else name


def _warn_of_lines(converted: Converted, lines: list[str]) -> None:
    records = Counter(_record(line) for line in lines)
    dropped = {name: count for name, count in records.items() if name and name not in _KEPT_RECORDS}
    if dropped:
        told = some([f"{name} ({count})" for name, count in dropped.items()])
        converted.warn("METADATA_DROPPED", f"Lines of these records are not in the mmCIF file: {told}.")
    bonds = sum(line.startswith("CONECT") for line in lines)
    if bonds:
        message = f"Bonds of {bonds} lines of CONECT are not in the mmCIF file; those of LINK and SSBOND are."
        converted.warn("BONDS_DROPPED", message)


def _refuse_too_large(structure: gemmi.Structure) -> None:
    """Refuse names, numbers and places that are too long for the columns of a PDB file."""
    atoms = max(model.count_atom_sites() for model in structure)
    if atoms > _MOST_SERIALS:
        raise impossible(f"The file has {atoms} atoms in a model; PDB numbers {_MOST_SERIALS} atoms at most.")
    rules: tuple[tuple[str, Callable[[gemmi.CRA], bool]], ...] = (
        ("chain ids of more than 1 character", lambda site: len(site.chain.name) > 1),
        ("residue names of more than 3 characters", lambda site: len(site.residue.name) > 3),
        ("atom names of more than 4 characters", lambda site: len(site.atom.name) > 4),
        (
            f"residue numbers outside {_LEAST_NUMBER} to {_MOST_NUMBER}",
            lambda site: not _LEAST_NUMBER <= (site.residue.seqid.num or 0) <= _MOST_NUMBER,
        ),
        (
            f"coordinates outside {_LEAST_COORDINATE} to {_MOST_COORDINATE} Å",
            lambda site: (
                not all(_LEAST_COORDINATE <= value <= _MOST_COORDINATE for value in site.atom.pos.tolist())
            ),
        ),
    )
    for what, is_too_long in rules:
        found = dict.fromkeys(
            f"{site.chain.name}:{site.residue.name} {site.residue.seqid}"
            for model in structure
            for site in model.all()
            if is_too_long(site)
        )
        if found:
            raise impossible(f"PDB has no room for {what}: {some(list(found))}. Keep the mmCIF file.")


def _clip(converted: Converted, structure: gemmi.Structure) -> None:
    clipped = 0
    for model in structure:
        for site in model.all():
            if site.atom.b_iso > _MOST_B:
                site.atom.b_iso = _MOST_B
                clipped += 1
    if clipped:
        converted.warn(
            "B_FACTORS_CUT", f"B factors of {clipped} atoms are cut to {_MOST_B}, the most in PDB."
        )


def _compared(converted: Converted, before: gemmi.Structure, after: gemmi.Structure) -> Converted:
    """Compare what was read with what was written; whatever differs is told, or is no conversion."""
    read, written = (sorted(_sites(each), key=_place) for each in (before, after))
    if [_place(site) for site in read] != [_place(site) for site in written]:
        at = next(
            (pair for pair in zip(read, written, strict=False) if _place(pair[0]) != _place(pair[1])), None
        )
        told = "" if at is None else f", first {at[0].name} of {at[0].chain}:{at[0].residue} {at[0].number}"
        raise impossible(f"{len(read)} atoms were read and {len(written)} would be written{told}.")
    pairs = list(zip(read, written, strict=True))
    if any(math.dist(old.position, new.position) > _TOLERANCE * 2 for old, new in pairs):
        raise impossible("The places of atoms would change by more than 0.001 Å.")
    for code, what, is_other in (
        ("CHARGES_DROPPED", "Formal charges", lambda old, new: old.charge != new.charge),
        ("ELEMENTS_CHANGED", "Elements", lambda old, new: old.element != new.element),
    ):
        others = [old for old, new in pairs if is_other(old, new)]
        if others:
            named = [f"{site.name} of {site.chain}:{site.residue} {site.number}" for site in others]
            converted.warn(code, f"{what} of {len(others)} atoms are not the same: {some(named)}.")
    return converted


def _sites(structure: gemmi.Structure) -> Iterator[_Site]:
    for number, model in enumerate(structure):
        for site in model.all():
            x, y, z = site.atom.pos.tolist()
            yield _Site(
                number,
                site.chain.name,
                str(site.residue.seqid),
                site.residue.name,
                site.atom.name,
                site.atom.altloc.replace("\0", ""),
                site.atom.element.name,
                site.atom.charge,
                (x, y, z),
            )


def _place(site: _Site) -> tuple[int, str, str, str, str, str]:
    return (site.model, site.chain, site.number, site.residue, site.name, site.altloc)
