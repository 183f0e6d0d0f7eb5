"""Atoms and residues between the steps of a preparation, and how they are written as PDB."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import gemmi

from dockyard_session.errors import ScienceError
from dockyard_structures.residues import insertion_code, label
from dockyard_structures.structure import BLANK_CHAIN, MOLECULE_END

#: The name of a residue within a receptor: chain, number, insertion code.
ResidueKey = tuple[str, int, str]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_LAST_NUMBER = 9999
_LAST_SERIAL = 99_999


@dataclass(frozen=True)
class Atom:
    """An atom by its name in the residue; `position` in angstrom."""

    name: str
    element: str
    position: tuple[float, float, float]

    @property
    def is_hydrogen(self) -> bool:
        """Whether the atom is hydrogen or deuterium."""
        return self.element in {"H", "D"}


@dataclass
class Residue:
    """A residue by its author numbering; `deposited_name` differs from `name` where it was renamed.

    `ends_molecule` says that the file closes the molecule behind it, by a TER record; `linked` that it is a part of
    a chain that no force field here knows, a cap or a modified residue. `component` is the dictionary's id where the
    name has to be another one.
    """

    chain: str
    number: int
    insertion_code: str
    name: str
    deposited_name: str
    hetero: bool
    atoms: list[Atom] = field(default_factory=list)
    ends_molecule: bool = False
    linked: bool = False
    component: str = ""

    @property
    def component_id(self) -> str:
        """The id of the residue in the Chemical Component Dictionary."""
        return self.component or self.name

    @property
    def key(self) -> ResidueKey:
        """Chain, number and insertion code."""
        return (self.chain, self.number, self.insertion_code)

    @property
    def label(self) -> str:
        """The name of the residue for people: `A:CSO 67`."""
        return f"{self.chain}:{self.deposited_name} {self.number}{self.insertion_code}"

    @property
    def heavy_atoms(self) -> list[Atom]:
        """The atoms of the residue without hydrogens."""
        return [atom for atom in self.atoms if not atom.is_hydrogen]

    def atom(self, name: str) -> Atom | None:
        """The atom of this name, or None."""
        return next((atom for atom in self.atoms if atom.name == name), None)

    def with_atoms(self, atoms: Iterable[Atom]) -> "Residue":
        """The same residue made of other atoms."""
        return replace(self, atoms=list(atoms))

    def reference(self) -> dict[str, str | int]:
        """Chain, number, insertion code and name, as reports have them."""
        return {
            "chain": self.chain,
            "residue": self.number,
            "insertionCode": self.insertion_code,
            "residueName": self.deposited_name,
        }


def residue_of(chain: str, residue: gemmi.Residue, name: str | None = None) -> Residue:
    """A residue of a file, under another name where one is given."""
    number, code = residue.seqid.num, insertion_code(residue)
    if number is None:
        message = f"A residue {label(chain, residue)} has no number; give it one (auth_seq_id in mmCIF)."
        raise ScienceError("RECEPTOR_UNREADABLE", message)
    atoms = [Atom(atom.name, atom.element.name, (atom.pos.x, atom.pos.y, atom.pos.z)) for atom in residue]
    hetero = residue.het_flag == "H"
    ends = residue.flag == MOLECULE_END
    return Residue(chain, number, code, name or residue.name, residue.name, hetero, atoms, ends)


def chain_letters(chains: Iterable[str]) -> dict[str, str]:
    """A PDB chain letter for each chain: its own name where that is one character, else a free letter.

    Raises RECEPTOR_UNREADABLE where there are more chains than letters.
    """
    names = list(dict.fromkeys(chains))
    letters = {name: name for name in names if len(name) == 1}
    free = (letter for letter in _LETTERS if letter not in letters)
    for name in names:
        if name not in letters:
            letter = next(free, None)
            if letter is None:
                message = f"{len(names)} chains are more than a PDB file can name; choose some of them."
                raise ScienceError("RECEPTOR_UNREADABLE", message)
            letters[name] = letter
    return letters


def write_pdb(residues: Iterable[Residue], letters: Mapping[str, str], *, blank: bool) -> str:
    """Residues as PDB text with TER between chains and END; `blank` leaves the id of a nameless chain empty.

    Raises RECEPTOR_UNREADABLE for what the fixed columns of PDB cannot hold.
    """
    lines: list[str] = []
    previous: Residue | None = None
    serial = 0
    for residue in residues:
        if previous and not previous.hetero and (residue.chain != previous.chain or residue.hetero):
            lines.append("TER\n")
        for atom in residue.atoms:
            serial += 1
            lines.append(_atom_line(serial, atom, residue, letters, blank=blank))
        previous = residue
    if previous and not previous.hetero:
        lines.append("TER\n")
    return "".join(lines) + "END\n"


def _atom_line(serial: int, atom: Atom, residue: Residue, letters: Mapping[str, str], *, blank: bool) -> str:
    if serial > _LAST_SERIAL or not -999 <= residue.number <= _LAST_NUMBER:
        message = f"{residue.label} or the number of its atoms does not fit a PDB file; choose fewer chains."
        raise ScienceError("RECEPTOR_UNREADABLE", message)
    record = "HETATM" if residue.hetero else "ATOM"
    short = len(atom.name) < 4 and len(atom.element) == 1
    name = f" {atom.name:<3}" if short else f"{atom.name:<4}"
    chain = " " if blank and residue.chain == BLANK_CHAIN else letters[residue.chain]
    x, y, z = (f"{value:8.3f}" for value in atom.position)
    return (
        f"{record:<6}{serial:5d} {name} {residue.name[:3]:>3} {chain}{residue.number:4d}"
        f"{residue.insertion_code or ' ':1}   {x}{y}{z}  1.00  0.00          {atom.element.upper():>2}\n"
    )
