import pytest

from dockyard_blast import database
from dockyard_blast.database import make_database
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
@pytest.mark.parametrize("block", [3, 4, 20, 1024])
def test_a_title_that_makeblastdb_takes_for_a_gap_is_refused(tmp_path, monkeypatch, text, block):
    (tmp_path / "d.fasta").write_bytes(text)
    monkeypatch.setattr(database, "_check_source", lambda *_: None)
    monkeypatch.setattr(database, "_SAMPLE_BYTES", block)
    with pytest.raises(ScienceError) as caught:
        make_database(
            {"d.fasta": tmp_path / "d.fasta"}, WANTED, pack=None, folder=tmp_path / "made", deadline=None
        )
    assert caught.value.code == "DATABASE_UNREADABLE"
    assert "question mark" in caught.value.message


def test_a_question_mark_elsewhere_in_a_title_is_taken(tmp_path, monkeypatch):
    def built(*_, **__):
        raise LookupError("makeblastdb was run")

    (tmp_path / "d.fasta").write_bytes(b">a ?12 >?1\nMKVLAW\n")
    monkeypatch.setattr(database, "run_program", built)
    with pytest.raises(LookupError, match="makeblastdb was run"):
        make_database(
            {"d.fasta": tmp_path / "d.fasta"}, WANTED, pack=None, folder=tmp_path / "made", deadline=None
        )
