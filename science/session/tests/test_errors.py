import pickle

from dockyard_session.errors import MESSAGE_CHARACTERS, ScienceError


def test_a_message_is_one_line_of_bounded_length():
    error = ScienceError("LIGAND_PARSE_FAILED", "first\nsecond\t\x00third " + "x" * 1000)
    assert error.message.startswith("first second third x")
    assert len(error.message) <= MESSAGE_CHARACTERS


def test_it_survives_the_way_between_processes():
    error = pickle.loads(pickle.dumps(ScienceError("BOX_EMPTY", "Nothing is in the box.")))  # noqa: S301
    assert (error.code, error.message) == ("BOX_EMPTY", "Nothing is in the box.")
