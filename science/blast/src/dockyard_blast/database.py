"""Makes the database of a search: from FASTA by makeblastdb, or from ready volumes, which are checked first."""

import hashlib
import json
import re
import shutil
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dockyard_blast.fasta import Molecule
from dockyard_blast.look import look_through
from dockyard_blast.programs import Deadline, Pack, last_words, run_program
from dockyard_blast.titles import TITLES, Letters, read_titles, write_titles
from dockyard_session.canonical import sha256_file, write_json
from dockyard_session.errors import ScienceError

#: Warnings by code and message.
Warnings = tuple[tuple[str, str], ...]

#: The prepared volumes travel as one file.
VOLUMES = "database.tar"

_INDEX: dict[str, Molecule] = {".pin": "prot", ".nin": "nucl"}
_VOLUME = re.compile(
    r"\.(?:p(?:hr|in|sq|og|sd|si|nd|ni|al|db|ot|tf|to|js|xm|hd|hi)|n(?:hr|in|sq|og|sd|si|nd|ni|al|db|ot|tf|to|js|xm|hd|hi))$"
)
_SIZES = re.compile(r"([\d,]+) sequences?; ([\d,]+) total (?:residues|bases|letters)")
_OTHER: dict[Molecule, str] = {"prot": "nucl", "nucl": "prot"}
_BASES = frozenset(b"ACGTUNacgtun")
_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*-. \t\r\n0123456789")
_SAMPLE_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Database:
    """A database that can be searched: its volumes are files of `folder` that begin with `name`."""

    folder: Path
    name: str
    molecule: Molecule
    sequences: int
    letters: int
    checksum: str
    #: What a customer should know of the file that the database was made of.
    warnings: Warnings = ()

    def titles(self) -> Mapping[int, Letters]:
        """What the titles of the sequences have beyond ASCII."""
        return read_titles(Path(self.folder, TITLES))

    def facts(self) -> dict[str, Any]:
        """What a reader of results should know of the database."""
        return {
            "name": self.name,
            "type": self.molecule,
            "sequences": self.sequences,
            "letters": self.letters,
            "checksum": self.checksum,
        }


def read_database(facts: Path, folder: Path) -> Database:
    """The database of which a preparation wrote down the facts, with its volumes in `folder`."""
    said: dict[str, Any] = json.loads(facts.read_text(encoding="utf-8"))
    warnings = tuple((code, message) for code, message in said.get("warnings", []))
    return Database(
        folder, said["name"], said["type"], said["sequences"], said["letters"], said["checksum"], warnings
    )


def write_database(path: Path, database: Database) -> None:
    """Write the facts of a database, and what is to be told whenever it is searched."""
    write_json(path, {**database.facts(), **({"warnings": database.warnings} if database.warnings else {})})


def checksum_of(files: dict[str, Path]) -> str:
    """SHA-256 of the one file, or of the lines `{sha256}  {name}` of several, sorted by name."""
    if len(files) == 1:
        return sha256_file(next(iter(files.values())))
    lines = [f"{sha256_file(files[name])}  {name}\n" for name in sorted(files)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def make_database(
    files: dict[str, Path], wanted: dict[str, Any], *, pack: Pack, folder: Path, deadline: Deadline
) -> Database:
    """Make the database of a request in `folder` from its files, by their names.

    Raises DATABASE_CHECKSUM_MISMATCH, DATABASE_UNREADABLE or DATABASE_TYPE_MISMATCH.
    """
    name: str = wanted["name"]
    molecule: Molecule = wanted["type"]
    checksum = checksum_of(files)
    if wanted["checksum"] is not None and wanted["checksum"] != checksum:
        message = f"The database has the SHA-256 {checksum}, not {wanted['checksum']} as the request says."
        raise ScienceError("DATABASE_CHECKSUM_MISMATCH", message)
    folder.mkdir(parents=True, exist_ok=True)
    volumes = {path_name: path for path_name, path in files.items() if _VOLUME.search(path_name)}
    warnings: Warnings = ()
    if volumes:
        _take_volumes(volumes, name, molecule, folder)
        if TITLES in files:
            shutil.copyfile(files[TITLES], Path(folder, TITLES))
    else:
        warnings = _build(
            next(iter(files.values())), name, molecule, pack=pack, folder=folder, deadline=deadline
        )
    sequences, letters = _sizes(name, molecule, pack=pack, folder=folder, deadline=deadline)
    return Database(folder, name, molecule, sequences, letters, checksum, warnings)


def pack_volumes(database: Database, path: Path) -> None:
    """Put the volumes into one file, with the same bytes for the same volumes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for volume in sorted(database.folder.iterdir()):
            entry = tarfile.TarInfo(volume.name)
            entry.size = volume.stat().st_size
            with volume.open("rb") as content:
                archive.addfile(entry, content)


def unpack_volumes(path: Path, folder: Path) -> None:
    """Take the volumes out again; only plain files, by their plain names."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with tarfile.open(path, "r:") as archive:
            for entry in archive:
                content = archive.extractfile(entry) if entry.isfile() else None
                is_known = entry.name == TITLES or _VOLUME.search(entry.name)
                if content is None or "/" in entry.name or not is_known:
                    raise ScienceError(
                        "DATABASE_UNREADABLE", f"{entry.name[:80]!r} is no volume of a database."
                    )
                with content, Path(folder, entry.name).open("wb") as file:
                    shutil.copyfileobj(content, file, _SAMPLE_BYTES)
    except tarfile.TarError as error:
        raise ScienceError("DATABASE_UNREADABLE", f"The volumes cannot be unpacked: {error}.") from error


def _take_volumes(volumes: dict[str, Path], name: str, molecule: Molecule, folder: Path) -> None:
    """Ready volumes are searched as they are, under the name that they have."""
    found = {_INDEX[suffix] for suffix in (Path(volume).suffix for volume in volumes) if suffix in _INDEX}
    if not found:
        raise ScienceError("DATABASE_UNREADABLE", "The volumes lack their index (.pin or .nin).")
    if found != {molecule}:
        raise type_mismatch(molecule)
    for volume, path in volumes.items():
        if not Path(volume).name.startswith(f"{name}."):
            raise ScienceError(
                "DATABASE_UNREADABLE", f"{volume[:80]!r} is no volume of the database {name!r}."
            )
        shutil.copyfile(path, Path(folder, Path(volume).name))


def _build(
    source: Path, name: str, molecule: Molecule, *, pack: Pack, folder: Path, deadline: Deadline
) -> Warnings:
    _check_source(source, molecule)
    looked = look_through(source)
    # Given by name, a path with a blank in it would be taken for two files.
    arguments = ["-in", "-", "-dbtype", molecule, "-out", name, "-title", name, "-blastdb_version", "5"]
    done = run_program(
        pack, "makeblastdb", arguments, folder=folder, deadline=deadline, standard_input=source
    )
    if done.returncode != 0:
        raise ScienceError("DATABASE_UNREADABLE", f"makeblastdb cannot read the database: {last_words(done)}")
    write_titles(Path(folder, TITLES), looked.titles)
    return looked.warnings()


def _check_source(source: Path, molecule: Molecule) -> None:
    """Refuse what makeblastdb would take without a word: another alphabet, and a file that is no FASTA."""
    with source.open("rb") as file:
        sample = file.read(_SAMPLE_BYTES)
    if sample.startswith(b"\xef\xbb\xbf"):
        sample = sample[3:]
    if not sample.strip():
        raise ScienceError("DATABASE_UNREADABLE", "The database file is empty.")
    if sample.startswith(b"\x1f\x8b"):
        raise ScienceError("DATABASE_UNREADABLE", "The database file is compressed; unpack it first.")
    lines = [line for line in sample.splitlines() if line.strip() and not line.startswith(b";")]
    if b"\0" in sample or not lines or not lines[0].startswith(b">"):
        raise ScienceError(
            "DATABASE_UNREADABLE", "The database file is no FASTA: it begins with no line of >."
        )
    letters = b"".join(line for line in lines if not line.startswith(b">"))
    if not letters:
        raise ScienceError("DATABASE_UNREADABLE", "The database file has no sequence.")
    if any(letter not in _LETTERS for letter in set(letters)):
        raise ScienceError("DATABASE_UNREADABLE", "The database file has signs that stand in no sequence.")
    bases = sum(letters.count(base) for base in _BASES)
    is_nucleotide = bases >= 0.9 * len(letters)
    if is_nucleotide != (molecule == "nucl"):
        raise type_mismatch(molecule)


def type_mismatch(molecule: Molecule) -> ScienceError:
    """The failure of a search in a database of the other type."""
    program = {"prot": "blastp", "nucl": "blastn"}[molecule]
    message = f"The database is of type {_OTHER[molecule]}; {program} searches a database of type {molecule}."
    return ScienceError("DATABASE_TYPE_MISMATCH", message)


def _sizes(name: str, molecule: Molecule, *, pack: Pack, folder: Path, deadline: Deadline) -> tuple[int, int]:
    arguments = ["-db", name, "-dbtype", molecule, "-info"]
    done = run_program(pack, "blastdbcmd", arguments, folder=folder, deadline=deadline)
    match = _SIZES.search(done.stdout)
    if done.returncode != 0 or match is None:
        raise ScienceError("DATABASE_UNREADABLE", f"The volumes cannot be read: {last_words(done)}")
    sequences, letters = (int(number.replace(",", "")) for number in match.groups())
    if sequences == 0 or letters == 0:
        raise ScienceError("DATABASE_UNREADABLE", "The database has no sequence.")
    return sequences, letters
