"""What a run of pdb2pqr gets in place of its own files: the same, once read, and never what another run made of it."""

import pytest
from pdb2pqr import forcefield, hydrogens, io

from dockyard_science.pdb2pqr_data import files_read_once


def _plain(value):
    """Objects as their fields, all the way down."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return _plain(vars(value)) if hasattr(value, "__dict__") else value


def test_topologies_and_hydrogens_are_those_that_pdb2pqr_reads():
    read = _plain(io.get_definitions()), _plain(hydrogens.create_handler().map)
    with files_read_once():
        copied = _plain(io.get_definitions()), _plain(hydrogens.create_handler().map)
    assert copied == read


@pytest.mark.parametrize("name", ["AMBER", "PARSE", "CHARMM"])
def test_a_force_field_is_the_one_that_pdb2pqr_reads(name):
    definition = io.get_definitions()
    read = forcefield.Forcefield(name, definition, None)
    with files_read_once():
        copied = forcefield.Forcefield(name, definition, None, None)
    assert _plain(copied) == _plain(read)
    assert type(copied) is type(read)


def test_what_one_run_changes_no_other_run_sees():
    with files_read_once():
        changed = io.get_definitions()
        changed.map["ALA"].map.clear()
        forcefield.Forcefield("AMBER", changed, None).map.clear()
        hydrogens.create_handler().map.clear()
        assert io.get_definitions().map["ALA"].map
        assert forcefield.Forcefield("AMBER", changed, None).map
        assert hydrogens.create_handler().map


def test_the_files_are_read_once(monkeypatch):
    with files_read_once():
        io.get_definitions()
        monkeypatch.setattr(io, "test_xml_file", None)
        assert io.get_definitions().map
    with pytest.raises(TypeError):
        io.get_definitions()
