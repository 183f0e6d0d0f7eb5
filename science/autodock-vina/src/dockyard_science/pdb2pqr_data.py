"""What pdb2pqr reads from its own files, read once in a process.

pdb2pqr parses its topologies, force fields and hydrogens anew for each run, which takes longer than much of the run
itself. A run changes what it is given; so each run gets a copy of its own, made from bytes that nothing changes.
"""

import contextlib
import functools
import pickle
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from pdb2pqr import forcefield, hydrogens, io

_read_definitions = io.get_definitions
_ForceField = forcefield.Forcefield
_read_hydrogens = hydrogens.create_handler


@contextlib.contextmanager
def files_read_once() -> Iterator[None]:
    """Let pdb2pqr take copies of what was read before, where pdb2pqr would read its own files."""
    io.get_definitions = _definitions
    forcefield.Forcefield = _force_field
    hydrogens.create_handler = _hydrogens
    try:
        yield
    finally:
        io.get_definitions = _read_definitions
        forcefield.Forcefield = _ForceField
        hydrogens.create_handler = _read_hydrogens


def _definitions() -> Any:
    return _copy(_pickled_definitions())


def _force_field(name: str, _definitions: Any, _own_file: None, _own_names: None = None) -> Any:
    made = _ForceField.__new__(_ForceField)
    vars(made).update(_copy(_pickled_force_field(name)))
    return made


def _hydrogens() -> Any:
    return SimpleNamespace(map=_copy(_pickled_hydrogens()))


def _copy(pickled: bytes) -> Any:
    return pickle.loads(pickled)  # noqa: S301 - this module wrote the bytes


@functools.cache
def _pickled_definitions() -> bytes:
    return pickle.dumps(_read_definitions())


@functools.cache
def _pickled_force_field(name: str) -> bytes:
    # A force field takes nothing but names from the definitions, and no run adds a name to the files.
    return pickle.dumps(vars(_ForceField(name, _read_definitions(), None)))


@functools.cache
def _pickled_hydrogens() -> bytes:
    # The reader of the file holds its parser as well, and pdb2pqr uses only what was read.
    return pickle.dumps(_read_hydrogens().map)
