import pytest

from dockyard_blast.fasta import MAX_LETTERS, parse_queries
from dockyard_session.errors import ScienceError

PROTEIN = "PQITLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKM"
BASES = "GAATTCCCGCTACAGGGGGGGCCTGAGGCACTGCAGAAAGTGGGCCTGAGC"


def refused(data, molecule="prot"):
    with pytest.raises(ScienceError) as caught:
        parse_queries(data if isinstance(data, bytes) else data.encode(), molecule)
    return caught.value.code, caught.value.message


def letters(data, molecule="prot"):
    return [record.letters for record in parse_queries(data.encode(), molecule).records]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f">a\n{PROTEIN.lower()}\n", [PROTEIN.lower()]),
        (">a\nMKVLAW*\n", ["MKVLAW*"]),
        (">a\nMKXBZJUOVL\n", ["MKXBZJUOVL"]),
        (">a\r\nMKV\r\nLAW\r\n", ["MKVLAW"]),
        (">a\rMKV\rLAW\r", ["MKVLAW"]),
        ("\n\n>a\n\nMKV\n\nLAW\n\n", ["MKVLAW"]),
        ("; by hand\n>a\n;more\nMKVLAW\n", ["MKVLAW"]),
        (f">a\n{PROTEIN * 400}\n", [PROTEIN * 400]),
        (">a\n  1 mkvla wklmn\n 11 pqrst\n", ["mkvlawklmnpqrst"]),
        ("MKVLAWKLMN\nPQRST\n", ["MKVLAWKLMNPQRST"]),
        (">a\nMKV", ["MKV"]),
        ("\ufeff>a\nMKV\n", ["MKV"]),
        (">poly\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n", ["A" * 47]),
    ],
)
def test_ordinary_proteins_are_taken(text, expected):
    assert letters(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f">a\n{BASES}\n", [BASES]),
        (">a\nACGTURYKMSWBDHVN\n", ["ACGTURYKMSWBDHVN"]),
        (">a\nNNNNNNNNNNNN\n", ["N" * 12]),
        (">a\nACGXXXGT\n", ["ACGNNNGT"]),
    ],
)
def test_ordinary_nucleotides_are_taken(text, expected):
    assert letters(text, "nucl") == expected


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
    assert record.title == "sp|P1 caf? x?y"


def test_the_same_record_twice_is_taken_and_another_of_its_name_is_not():
    queries = parse_queries(b">a\nMKV\n>a again\nmkv\n", "prot")
    assert [code for code, _ in queries.warnings] == ["QUERY_REPEATED"]
    code, message = refused(">a\nMKV\n>b\nMKV\n>a\nMKL\n")
    assert code == "QUERY_INVALID"
    assert message.startswith("Record 3, line 5: it has the name 'a' of record 1")


@pytest.mark.parametrize(
    ("data", "code", "part"),
    [
        (b"", "QUERY_EMPTY", "no sequence"),
        (b" \n\n", "QUERY_EMPTY", "no sequence"),
        (b"; nothing\n", "QUERY_EMPTY", "no sequence"),
        (b">a\n>b\nMKV\n", "QUERY_INVALID", "Record 1, line 1: it has no sequence"),
        (b">a\nMKV\n>cut", "QUERY_INVALID", "Record 2, line 3: it has no sequence"),
        (b">a\nMKV\nLA1W?KL\n", "QUERY_INVALID", "Record 1, line 3: '?'"),
        (b"\n\nMKV\nLA?\n", "QUERY_INVALID", "Record 1, line 4: '?'"),
        (b"\x1f\x8b\x08\x00", "QUERY_INVALID", "compressed"),
        (b">a\nMK\0V\n", "QUERY_INVALID", "Record 1, line 2: the file is binary"),
        ("\ufeff>a\nMKV\n".encode("utf-16-le"), "QUERY_INVALID", "UTF-16"),
        (f">a\nMKV\n>b\n{BASES}\n".encode(), "QUERY_TYPE_MISMATCH", "Record 2 (line 3) is a nucleotide"),
        (b">p1\nGAATTCCCGCTACAGG\n>p2\nCCTGAGGCACTGCAGA\n", "QUERY_TYPE_MISMATCH", "Record 1"),
        (b">a\n" + b"M" * (MAX_LETTERS["prot"] + 1), "QUERY_TOO_LARGE", "100001 letters"),
    ],
)
def test_what_blast_would_pass_over_is_refused(data, code, part):
    found, message = refused(data)
    assert found == code
    assert part in message


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (f">a\n{PROTEIN}\n", "QUERY_TYPE_MISMATCH"),
        (">a\nACGTACGTACGTACGTACGTACGTACGE\n", "QUERY_INVALID"),
        (">a\nACGTACGT*ACG\n", "QUERY_INVALID"),
    ],
)
def test_a_protein_is_no_nucleotide_sequence(data, code):
    assert refused(data, "nucl")[0] == code
