"""Where a run is cut: pieces grow, and none that is the last goes beyond the end of the leg."""

import time

import pytest

from dockyard_waves.pieces import Note, Span, next_cut


def cut_of(*, steps=0, pieces=0, left=None, least_steps=1, total=1000, keeping=0.0):
    """The steps of the next piece of a run whose steps take a second each; None for all that are left."""
    until = None if left is None else time.monotonic() + left
    span = Span(0, total, 1.0, list(range(least_steps, total, least_steps)), 300.0, 1.0, until)
    cut = next_cut(span, Note("", steps or None, pieces, float(steps), steps), keeping)
    return None if cut is None else cut - steps


@pytest.mark.parametrize(
    ("given", "steps"),
    [
        ({}, 10),
        ({"steps": 30, "pieces": 2}, 40),
        ({"steps": 630, "pieces": 6}, 300),
        ({"steps": 710, "pieces": 7}, None),
        # A leg of 20 s has room for 18 s.
        ({"steps": 30, "pieces": 2, "left": 20}, 17),
        ({"steps": 990, "pieces": 7, "left": 20}, None),
        # Where little is left of the leg, a fifth of what is done is done on, up to the last cut.
        ({"steps": 100, "pieces": 4, "left": 1}, 20),
        ({"steps": 990, "pieces": 7, "left": 1}, 9),
        # What takes long to keep is kept seldom: at most 3 % of the time, and no piece is longer than ten minutes.
        ({"steps": 10, "pieces": 1, "keeping": 3.0}, 100),
        ({"steps": 630, "pieces": 6, "keeping": 12.0, "total": 5000}, 400),
        ({"steps": 630, "pieces": 6, "keeping": 60.0, "total": 5000}, 600),
        ({"steps": 630, "pieces": 6, "keeping": 60.0, "total": 5000, "left": 150.5}, 135),
        # No cut is early enough.
        ({"left": 20, "least_steps": 50}, 50),
    ],
)
def test_a_piece_fits_what_is_left_of_the_leg(given, steps):
    assert cut_of(**given) == steps
