"""PDB to mmCIF and back, by gemmi.

What was written is read again and compared atom by atom with what was read. Of an mmCIF file whose atoms have names
that every reader takes as they are, only the other tables are read again: gemmi writes numbers and plain names right.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import gemmi
import numpy as np

from dockyard_science.conversion import Converted, impossible, some, unreadable
from dockyard_science.pdb_table import PdbTable
from dockyard_session.errors import ScienceError
from dockyard_structures.structure import is_mmcif, neither_format, parse_pdb, read_mmcif, read_text

#: Atoms of a model that a PDB file numbers.
_MOST_SERIALS = 99_999

#: The columns of a PDB file hold so much.
_LEAST_COORDINATE, _MOST_COORDINATE = -999.999, 9999.999
_LEAST_NUMBER, _MOST_NUMBER = -999, 9999
_MOST_B = 999.99

#: All tables of an mmCIF file but that of the atoms, and that one.
_HEAD = gemmi.MmcifOutputGroups(True)
_HEAD.atoms = False
_ATOMS = gemmi.MmcifOutputGroups(False)
_ATOMS.atoms = _ATOMS.group_pdb = True

#: What a value of mmCIF without quotes does not begin with.
_MARKS = "_#$'\";[]"

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
class _Sites:
    """The atoms of a structure as columns: as what both formats say, so that all atoms are compared at once."""

    #: Model, chain, number, residue, name and alternative place of each atom, as a row of bytes.
    places: np.ndarray
    elements: np.ndarray
    charges: np.ndarray
    positions: np.ndarray
    #: Words for each atom.
    labels: Callable[[int], str]

    def sorted(self) -> "_Sites":
        """The same atoms in the order of their places."""
        rows = self.places.view(f"V{self.places.shape[1]}").ravel()
        order = np.argsort(rows, kind="stable")
        labels = self.labels
        return _Sites(
            self.places[order],
            self.elements[order],
            self.charges[order],
            self.positions[order],
            lambda at: labels(int(order[at])),
        )


def pdb_to_mmcif(path: Path) -> Converted:
    """A PDB file as mmCIF."""
    _, structure, table = _read(path)
    if table is None:
        raise unreadable("The file is mmCIF, and not PDB as it was called.")
    converted = Converted("")
    is_plain = table.has_plain_names() and all(model.count_atom_sites() for model in structure)
    if any(not chain.name.strip() for model in structure for chain in model):
        is_plain = False
        names = {chain.name for model in structure for chain in model}
        free = next(name for name in "_ABCDEFGHIJKLMNOPQRSTUVWXYZ" if name not in names)
        for model in structure:
            for chain in model:
                chain.name = chain.name.strip() or free
        converted.warn("CHAIN_NAMED", f"A chain without an id is called {free}, because mmCIF needs an id.")
    _warn_of_lines(converted, table.others)
    if table.has_segments() and any(residue.segment.strip() for _, residue in _residues(structure)):
        converted.warn("SEGMENTS_DROPPED", "Segment ids are not in the mmCIF file.")
    document = structure.make_mmcif_document(_HEAD)
    is_plain = is_plain and _is_read(document.as_string())
    structure.update_mmcif_block(document[0], _ATOMS)
    if is_plain:
        converted.text = document.as_string()
        return converted
    converted.text, again = _written(document)
    return _compared(converted, structure, again)


def mmcif_to_pdb(path: Path) -> Converted:
    """An mmCIF file as PDB. Raises CONVERSION_IMPOSSIBLE for what its columns do not hold."""
    text, structure, table = _read(path)
    if table is not None:
        raise unreadable("The file is PDB, and not mmCIF as it was called.")
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


def _read(path: Path) -> tuple[str, gemmi.Structure, PdbTable | None]:
    """The text and the structure of a file as it is written, and the table of a PDB file."""
    try:
        text = read_text(path)
        if is_mmcif(text):
            return text, read_mmcif(text), None
        table = PdbTable(text)
        if not table.has_atoms:
            raise neither_format()
        structure = parse_pdb(text, has_usual_places=table.has_usual_places)
    except ScienceError as error:
        raise unreadable(error.message) from error
    structure.setup_entities()
    return text, structure, table


def _written(document: gemmi.cif.Document) -> tuple[str, gemmi.Structure]:
    """The text of a document, and what is read from it again."""
    try:
        return _read_again(document.as_string())
    except (RuntimeError, ValueError):
        _quote(document)
    try:
        return _read_again(document.as_string())
    except (RuntimeError, ValueError) as error:
        raise impossible(f"Written as mmCIF the file could not be read again: {error}.") from error


def _is_read(text: str) -> bool:
    try:
        gemmi.cif.read_string(text)
    except (RuntimeError, ValueError):
        return False
    return True


def _read_again(text: str) -> tuple[str, gemmi.Structure]:
    return text, gemmi.make_structure_from_block(gemmi.cif.read_string(text)[0])


def _quote(document: gemmi.cif.Document) -> None:
    """Quote the names that begin like something else, as those of chain _ do: gemmi writes some of them as they are."""
    for item in document[0]:
        if item.loop is not None:
            width, values = item.loop.width(), [_quoted(value) for value in item.loop.values]
            item.loop.set_all_values([values[column::width] for column in range(width)])
        elif item.pair is not None:
            tag, value = item.pair
            document[0].set_pair(tag, _quoted(value))


def _quoted(value: str) -> str:
    is_text = "\n" in value or (len(value) > 1 and value[0] in "'\"" and value[-1] == value[0])
    return gemmi.cif.quote(value) if value[0] in _MARKS and not is_text else value


def _warn_of_lines(converted: Converted, lines: Mapping[str, int]) -> None:
    records: Counter[str] = Counter()
    for begin, count in lines.items():
        name = begin[:6].strip().upper()
        if name != "REMARK" or begin[7:10] not in _KEPT_REMARKS:
            records[name] += count
    dropped = {name: count for name, count in records.items() if name and count and name not in _KEPT_RECORDS}
    if dropped:
        told = some([f"{name} ({count})" for name, count in dropped.items()])
        converted.warn("METADATA_DROPPED", f"Lines of these records are not in the mmCIF file: {told}.")
    bonds = records["CONECT"]
    if bonds:
        message = f"Bonds of {bonds} lines of CONECT are not in the mmCIF file; those of LINK and SSBOND are."
        converted.warn("BONDS_DROPPED", message)


def _refuse_too_large(structure: gemmi.Structure) -> None:
    """Refuse names, numbers and places that are too long for the columns of a PDB file."""
    atoms = max(model.count_atom_sites() for model in structure)
    if atoms > _MOST_SERIALS:
        raise impossible(f"The file has {atoms} atoms in a model; PDB numbers {_MOST_SERIALS} atoms at most.")
    residues = list(_residues(structure))
    outside = f"coordinates outside {_LEAST_COORDINATE} to {_MOST_COORDINATE} Å"
    rules: tuple[tuple[str, Callable[[gemmi.Chain, gemmi.Residue], bool]], ...] = (
        ("chain ids of more than 1 character", lambda chain, _: len(chain.name) > 1),
        ("residue names of more than 3 characters", lambda _, residue: len(residue.name) > 3),
        (
            "atom names of more than 4 characters",
            lambda _, residue: any(len(atom.name) > 4 for atom in residue),
        ),
        (
            f"residue numbers outside {_LEAST_NUMBER} to {_MOST_NUMBER}",
            lambda _, residue: not _LEAST_NUMBER <= (residue.seqid.num or 0) <= _MOST_NUMBER,
        ),
        (outside, lambda _, residue: not all(_has_room(atom) for atom in residue)),
    )
    for what, is_too_long in rules:
        found = dict.fromkeys(
            f"{chain.name}:{residue.name} {residue.seqid}"
            for chain, residue in residues
            if is_too_long(chain, residue)
        )
        if found:
            raise impossible(f"PDB has no room for {what}: {some(list(found))}. Keep the mmCIF file.")


def _has_room(atom: gemmi.Atom) -> bool:
    return all(_LEAST_COORDINATE <= value <= _MOST_COORDINATE for value in atom.pos.tolist())


def _clip(converted: Converted, structure: gemmi.Structure) -> None:
    clipped = 0
    for _, residue in _residues(structure):
        for atom in residue:
            if atom.b_iso > _MOST_B:
                atom.b_iso = _MOST_B
                clipped += 1
    if clipped:
        converted.warn(
            "B_FACTORS_CUT", f"B factors of {clipped} atoms are cut to {_MOST_B}, the most in PDB."
        )


def _compared(converted: Converted, before: gemmi.Structure, after: gemmi.Structure) -> Converted:
    """Compare what was read with what was written; whatever differs is told, or is no conversion."""
    read, written = _sites(before), _sites(after)
    if not np.array_equal(read.places, written.places):
        read, written = read.sorted(), written.sorted()
    if not np.array_equal(read.places, written.places):
        counts = len(read.places), len(written.places)
        others = np.flatnonzero((read.places[: min(counts)] != written.places[: min(counts)]).any(axis=1))
        told = f", first {read.labels(int(others[0]))}" if len(others) else ""
        raise impossible(f"{counts[0]} atoms were read and {counts[1]} would be written{told}.")
    if (np.linalg.norm(read.positions - written.positions, axis=1) > _TOLERANCE * 2).any():
        raise impossible("The places of atoms would change by more than 0.001 Å.")
    for code, what, is_other in (
        ("CHARGES_DROPPED", "Formal charges", read.charges != written.charges),
        ("ELEMENTS_CHANGED", "Elements", read.elements != written.elements),
    ):
        named = [read.labels(int(at)) for at in np.flatnonzero(is_other)]
        if named:
            converted.warn(code, f"{what} of {len(named)} atoms are not the same: {some(named)}.")
    return converted


def _residues(structure: gemmi.Structure) -> Iterator[tuple[gemmi.Chain, gemmi.Residue]]:
    return ((chain, residue) for model in structure for chain in model for residue in chain)


def _sites(structure: gemmi.Structure) -> _Sites:
    flat = _flat(structure)
    models = np.repeat(np.arange(len(structure)), [model.count_atom_sites() for model in structure])
    columns = (
        models,
        flat.chain_ids,
        flat.resnums,
        flat.icodes,
        flat.residue_names,
        flat.atom_names,
        flat.altlocs,
    )
    count = len(models)
    joined = np.hstack([np.ascontiguousarray(each).view(np.uint8).reshape(count, -1) for each in columns])

    def labels(at: int) -> str:
        names = (flat.chain_ids, flat.residue_names, flat.atom_names)
        texts = [
            np.asarray(each)[at].tobytes().rstrip(b"\0").decode("utf-8", errors="replace") for each in names
        ]
        number = f"{flat.resnums[at]}{chr(flat.icodes[at])}".strip()
        return f"{texts[2]} of {texts[0]}:{texts[1]} {number}"

    return _Sites(joined, flat.elements, flat.charge, flat.pos, labels)


def _flat(structure: gemmi.Structure) -> gemmi.FlatStructure:
    """The columns of a structure; those of subchains hold seven characters, and are not compared."""
    try:
        return gemmi.FlatStructure(structure)
    except RuntimeError:
        plain = structure.clone()
        for _, residue in _residues(plain):
            residue.subchain = ""
        return gemmi.FlatStructure(plain)
