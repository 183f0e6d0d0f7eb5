"""`selected.pdb`: the selected atoms in the one format that fpocket reads, and the owner of each of its atoms.

fpocket tells atoms by their serial numbers, so these are counted from 1 without a gap, and the residues of a pocket are
found again by them: whatever had to be renamed for the columns of PDB, a report has the names of the file. fpocket
reads every ATOM record, and of HETATM records those of its own list (cofactors, metals, modified residues). Which kind
of record an atom has stands in the file; waters always go as HETATM, also where a program wrote them as ATOM.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gemmi

from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import chain_letters
from dockyard_structures.residues import insertion_code, is_polymer_name, is_water, label
from dockyard_structures.selection import Selection

#: A component id of more characters than PDB has columns; no entry of fpocket's list of components is called so.
LONG_NAME = "UNX"

# What the columns of PDB hold.
_LAST_SERIAL = 99_999
_NUMBERS = range(-999, 10_000)
_NAME_COLUMNS = 3
_COORDINATES = (-999.999, 9_989.999)
_OCCUPANCIES = (0.0, 999.99)
_TEMPERATURE_FACTORS = (-99.99, 999.99)

# fpocket lays a grid of cells of 5 angstrom around the atoms, with 75 angstrom of room on each side, and 50 bytes and
# more for each cell: a stray atom far away would take all memory.
_CELL_ANGSTROM = 5.0
_CELLS_OF_ROOM = 31
_MOST_CELLS = 20_000_000


@dataclass(frozen=True)
class Owner:
    """The residue that an atom belongs to, by its author numbering in the file of the customer."""

    chain: str
    number: int
    insertion_code: str
    name: str

    def reference(self) -> dict[str, Any]:
        """The residue as reports name residues."""
        return {
            "chain": self.chain,
            "residue": self.number,
            "insertionCode": self.insertion_code,
            "residueName": self.name,
        }


@dataclass(frozen=True)
class SelectedFile:
    """The text of `selected.pdb`; `owners` by serial number less one, `atom_records` those that are no HETATM."""

    text: str
    owners: list[Owner]
    atom_records: int
    chains: list[dict[str, str]]
    components: list[dict[str, str]]


def write_selected(selection: Selection) -> SelectedFile:
    """Write the selected atoms as PDB.

    Raises RECEPTOR_UNREADABLE for what the columns of PDB, or fpocket's memory, cannot hold.
    """
    letters = chain_letters(chain.name for chain in selection.model)
    _check_extent(selection.model)
    lines: list[str] = []
    owners: list[Owner] = []
    atom_records = 0
    long_names: set[str] = set()
    for chain in selection.model:
        for residue in chain:
            _check_number(chain.name, residue)
            record = _record_of(residue)
            owner = Owner(chain.name, residue.seqid.num or 0, insertion_code(residue), residue.name)
            if len(residue.name) > _NAME_COLUMNS:
                long_names.add(residue.name)
            for atom in residue:
                owners.append(owner)
                lines.append(_line(record, len(owners), atom, owner, letters))
                atom_records += record == "ATOM"
    if len(owners) > _LAST_SERIAL:
        raise _too_large(f"The selection has {len(owners)} atoms, and a PDB file counts {_LAST_SERIAL}")
    return SelectedFile(
        text="".join(lines) + "END\n",
        owners=owners,
        atom_records=atom_records,
        chains=[{"chain": name, "written": letter} for name, letter in letters.items() if name != letter],
        components=[{"residueName": name, "written": LONG_NAME} for name in sorted(long_names)],
    )


def _record_of(residue: gemmi.Residue) -> str:
    """The kind of record; a residue that reading has made, such as a cap, has no kind of its own."""
    if is_water(residue.name):
        return "HETATM"
    if residue.het_flag in {"A", "H"}:
        return "HETATM" if residue.het_flag == "H" else "ATOM"
    return "ATOM" if is_polymer_name(residue.name) else "HETATM"


def _line(record: str, serial: int, atom: gemmi.Atom, owner: Owner, letters: Mapping[str, str]) -> str:
    x, y, z = (f"{value:8.3f}" for value in atom.pos.tolist())
    name = owner.name if len(owner.name) <= _NAME_COLUMNS else LONG_NAME
    occupancy, temperature = _within(atom.occ, _OCCUPANCIES), _within(atom.b_iso, _TEMPERATURE_FACTORS)
    charge = f"{abs(atom.charge)}{'+' if atom.charge > 0 else '-'}" if 0 < abs(atom.charge) <= 9 else "  "
    return (
        f"{record:<6}{serial % 100_000:5d} {atom.padded_name():<4.4} {name:>3} {letters[owner.chain]}"
        f"{owner.number:4d}{owner.insertion_code or ' ':1.1}   {x}{y}{z}{occupancy:6.2f}{temperature:6.2f}"
        f"          {atom.element.name.upper():>2}{charge}\n"
    )


def _within(value: float, bounds: tuple[float, float]) -> float:
    """A number within bounds; what is no number counts as the lower bound that is not negative."""
    low, high = bounds
    return min(high, max(low, value)) if value == value else 0.0  # noqa: PLR0124 - a NaN differs from itself


def _check_number(chain: str, residue: gemmi.Residue) -> None:
    if residue.seqid.num is not None and residue.seqid.num in _NUMBERS:
        return
    raise _too_large(f"{label(chain, residue)} has a number that a PDB file cannot hold")


def _check_extent(model: gemmi.Model) -> None:
    places = [site.atom.pos.tolist() for site in model.all()]
    low, high = ([choose(axis) for axis in zip(*places, strict=True)] for choose in (min, max))
    if min(low) < _COORDINATES[0] or max(high) > _COORDINATES[1]:
        raise _too_large("An atom has coordinates that a PDB file cannot hold")
    cells = 1.0
    for start, end in zip(low, high, strict=True):
        cells *= (end - start) / _CELL_ANGSTROM + _CELLS_OF_ROOM
    if cells > _MOST_CELLS:
        sides = " × ".join(f"{end - start:.0f}" for start, end in zip(low, high, strict=True))
        raise _too_large(f"The atoms span {sides} Å, and fpocket keeps a grid of all of that in memory")


def _too_large(reason: str) -> ScienceError:
    return ScienceError("RECEPTOR_UNREADABLE", f"{reason}; choose fewer chains or another assembly.")
