import json
from pathlib import Path

import pytest

from dockyard_blast.fasta import MAX_LETTERS, MAX_TITLE, parse_queries, write_fasta
from dockyard_session.errors import ScienceError

#: The reader of the control side is tested with the same table.
CASES = json.loads(Path(__file__).with_name("query_cases.json").read_text(encoding="utf-8"))


def refused(data, molecule="prot"):
    with pytest.raises(ScienceError) as caught:
        parse_queries(data if isinstance(data, bytes) else data.encode(), molecule)
    return caught.value.code, caught.value.message


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_files_of_queries_are_read_or_refused_as_the_table_says(case):
    data = case["text"].encode(case["encoding"])
    if "code" in case:
        assert refused(data, case["molecule"]) == (case["code"], case["message"])
    else:
        assert [record.letters for record in parse_queries(data, case["molecule"]).records] == case["letters"]


def test_gaps_are_left_out_with_a_warning():
    queries = parse_queries(b">a\nMKV--LA..W\n>b\nMK-V\n", "prot")
    assert [record.letters for record in queries.records] == ["MKVLAW", "MKV"]
    assert [code for code, _ in queries.warnings] == ["QUERY_GAPS_REMOVED"]
    assert "2 records (the first is 1)" in queries.warnings[0][1]


def test_a_record_without_a_name_has_the_name_that_blast_gives_it():
    assert [record.name for record in parse_queries(b">a b\nMKV\n>\nMKL\n", "prot").records] == [
        "a",
        "Query_2",
    ]


def test_titles_are_plain_text_on_one_line():
    (record,) = parse_queries("> sp|P1 caf\u00e9\tx\x01y\nMKV\n".encode(), "prot").records
    assert record.title == "sp|P1 caf\u00e9 x?y"
    (record,) = parse_queries(b">\xe9a\xa0b c\nMKV\n", "prot").records
    assert (record.title, record.name) == ("\u00e9a\u00a0b c", "\u00e9a\u00a0b")


def test_no_title_is_written_as_a_gap_line(tmp_path):
    queries = parse_queries(">?12 a\nMKV\n>b ?3\nMKL\n>\u86cb1\nMKW\n".encode(), "prot")
    assert [record.title for record in queries.records] == ["?12 a", "b ?3", "\u86cb1"]
    write_fasta(tmp_path / "queries.fasta", queries.records)
    written = (tmp_path / "queries.fasta").read_text()
    assert written == "> ?12 a\nMKV\n>b ?3\nMKL\n>###1\nMKW\n"


def test_the_same_record_twice_is_taken_and_another_of_its_name_is_not():
    queries = parse_queries(b">a\nMKV\n>a again\nmkv\n", "prot")
    assert [code for code, _ in queries.warnings] == ["QUERY_REPEATED"]
    code, message = refused(">a\nMKV\n>b\nMKV\n>a\nMKL\n")
    assert code == "QUERY_INVALID"
    assert message.startswith("Record 3, line 5: it has the name 'a' of record 1")


def test_names_that_differ_beyond_ascii_are_two():
    queries = parse_queries(">\u00e91\nMKV\n>\u00e81\nMKL\n".encode(), "prot")
    assert [record.name for record in queries.records] == ["\u00e91", "\u00e81"]


def test_a_title_that_is_cut_is_told():
    queries = parse_queries(b">a " + b"x" * 5000 + b"\nMKV\n>b\nMKL\n", "prot")
    assert [len(record.title) for record in queries.records] == [MAX_TITLE, 1]
    assert [code for code, _ in queries.warnings] == ["QUERY_TITLE_CUT"]
    assert "record 1" in queries.warnings[0][1]


def test_a_sequence_that_is_too_long_is_refused():
    assert refused(b">a\n" + b"M" * (MAX_LETTERS["prot"] + 1))[0] == "QUERY_TOO_LARGE"


def test_utf_16_is_refused():
    assert refused(b"\xff\xfe" + ">a\nMKV\n".encode("utf-16-le"))[0] == "QUERY_INVALID"
