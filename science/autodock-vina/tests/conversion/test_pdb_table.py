"""The lines of a PDB file as a table, whatever their lengths."""

import tracemalloc

import pytest

from dockyard_science.convert_structures import pdb_to_mmcif
from dockyard_science.pdb_table import PdbTable
from dockyard_session.errors import ScienceError

USUAL = {"name": " N  ", "alt": " ", "residue": "GLY", "chain": "A", "x": "11.000", "segment": ""}


def atom(**changes):
    line = "ATOM      1 {name}{alt}{residue} {chain}   1    {x:>8}  12.000  13.000  1.00 20.00      {segment:<4} N  "
    return line.format(**{**USUAL, **changes})


def even(*lines):
    return "".join(f"{line:<80}\n" for line in lines)


def ragged(*lines):
    return "\n".join(line.rstrip() for line in lines)


@pytest.mark.parametrize("written", [even, ragged])
def test_lines_are_told_apart_and_counted_in_their_order(written):
    table = PdbTable(
        written("TITLE     X", "REMARK 350 A", "REMARK 350 B", "REMARK   2", atom(), "HETATMX", "END")
    )
    assert {begin.strip(): count for begin, count in table.others.items()} == {
        "TITLE": 1,
        "REMARK 350": 2,
        "REMARK   2": 1,
        "END": 1,
    }
    assert next(iter(table.others)).startswith("TITLE")
    assert table.has_atoms
    assert not PdbTable(written("TITLE     X", "END")).has_atoms


@pytest.mark.parametrize("written", [even, ragged])
@pytest.mark.parametrize(
    ("x", "is_usual"),
    [
        *[(x, True) for x in ("1.000", "-1.000", "-11.000", "111.111", "-111.111", "9999.999", "-999.999")],
        *[(x, False) for x in ("1.00", "1-1.000", "--1.000", "1.0000", "x1.000", "1 1.000", "nan", "")],
    ],
)
def test_places_are_usual_as_three_numbers_of_three_decimals(x, is_usual, written):
    assert PdbTable(written(atom(), atom(x=x), "END")).has_usual_places is is_usual


@pytest.mark.parametrize("written", [even, ragged])
@pytest.mark.parametrize(
    ("names", "is_plain"),
    [
        *[({"name": name}, True) for name in (" O5'", "HO5'", " C1*", "H5''", "1HB ")],
        *[({"name": name}, False) for name in (" 'O5", "'O5 ", " O_ ", ' O" ', " N #", " N? ")],
        *[({column: "'"}, False) for column in ("alt", "chain")],
        *[({column: "."}, False) for column in ("alt", "chain")],
        ({"residue": "G'A"}, False),
        ({"residue": "GÄA"}, False),
    ],
)
def test_names_are_plain_as_letters_digits_and_primes_behind_them(names, is_plain, written):
    assert PdbTable(written(atom(), atom(**names), "END")).has_plain_names() is is_plain


@pytest.mark.parametrize("written", [even, ragged])
def test_segments_are_seen(written):
    assert not PdbTable(written(atom(), "END")).has_segments()
    assert PdbTable(written(atom(), atom(segment="PROA"), "END")).has_segments()


def test_a_line_that_only_says_atom_is_none():
    assert not PdbTable("hello\nATOM").has_atoms


def test_atoms_behind_the_end_are_none_of_the_file(tmp_path):
    path = tmp_path / "ended.pdb"
    path.write_text(even("END", atom(), "END"))
    with pytest.raises(ScienceError, match="holds no atoms"):
        pdb_to_mmcif(path)


@pytest.mark.parametrize("line", ["\n", "#\n", "REMARK\n"])
def test_a_file_of_short_lines_takes_no_more_memory_than_some_times_its_size(line, tmp_path):
    path = tmp_path / "lines.pdb"
    path.write_text(line * 250_000 + atom() + "\nEND\n")
    tracemalloc.start()
    try:
        pdb_to_mmcif(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 60e6
