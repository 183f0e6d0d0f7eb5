import pytest

from dockyard_blast import database, look
from dockyard_blast.database import make_database
from dockyard_blast.look import look_through
from dockyard_session.errors import ScienceError

WANTED = {"name": "d", "type": "prot", "checksum": None}


@pytest.mark.parametrize(
    "text",
    [
        b">?12 first\nMKVLAW\n",
        b">a\nMKVLAW\n>?12 later\nMKVLAW\n",
        b">a\r\nMKVLAW\r\n>?unk100\r\nMKVLAW\r\n",
        b">a\nMKVLAWMKVLAW\n>?3\nMKVLAW\n",
    ],
)
@pytest.mark.parametrize("block", [1, 3, 4, 20, 1024])
def test_a_title_that_makeblastdb_takes_for_a_gap_is_refused(tmp_path, monkeypatch, text, block):
    (tmp_path / "d.fasta").write_bytes(text)
    monkeypatch.setattr(look, "_BLOCK_BYTES", block)
    with pytest.raises(ScienceError) as caught:
        look_through(tmp_path / "d.fasta")
    assert caught.value.code == "DATABASE_UNREADABLE"
    assert "question mark" in caught.value.message


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("block", [1, 2, 7, 1024])
def test_what_makeblastdb_does_without_a_word_is_told(tmp_path, monkeypatch, end, block):
    lines = [
        "\u00e9a # one".encode(),
        b"x alpha",
        b"gone",
        b"caf\xe9 latin",
        b"x beta",
        b"x gamma",
    ]
    records = [
        b">" + line + end + (b"" if line == b"gone" else b"; of a lab" + end + b"MKV" * 9 + end)
        for line in lines
    ]
    (tmp_path / "d.fasta").write_bytes(b"".join(records))
    monkeypatch.setattr(look, "_BLOCK_BYTES", block)
    looked = look_through(tmp_path / "d.fasta")
    assert looked.titles == [(0, ["\u00e9", "", "#"]), (2, ["\u00e9"])]
    repeated, empty = looked.warnings()
    assert repeated[0] == "DATABASE_ID_REPEATED"
    assert "2 records of the database have the id" in repeated[1]
    assert "record 5, 'x'" in repeated[1]
    assert empty[0] == "DATABASE_RECORD_EMPTY"
    assert "1 record of the database without a sequence was left out (the first is record 3)" in empty[1]


def test_a_plain_file_has_nothing_to_tell(tmp_path):
    (tmp_path / "d.fasta").write_bytes(b">a one\nMKV\n>b # two\nMKV\n")
    looked = look_through(tmp_path / "d.fasta")
    assert (looked.titles, looked.warnings()) == ([], ())


def test_a_question_mark_elsewhere_in_a_title_is_taken(tmp_path, monkeypatch):
    def built(*_, **__):
        raise LookupError("makeblastdb was run")

    (tmp_path / "d.fasta").write_bytes(b">a ?12 >?1\nMKVLAW\n")
    monkeypatch.setattr(database, "run_program", built)
    with pytest.raises(LookupError, match="makeblastdb was run"):
        make_database(
            {"d.fasta": tmp_path / "d.fasta"}, WANTED, pack=None, folder=tmp_path / "made", deadline=None
        )
