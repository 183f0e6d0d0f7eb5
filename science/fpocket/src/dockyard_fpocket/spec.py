"""What the compute worker asks of a search for pockets, as it stands in the JSON lines of the session.

The control side validates every field before it sends it. Lengths are in angstrom.
"""

from typing import TypedDict

from dockyard_structures.spec import ReceptorSpec


class FpocketSpec(TypedDict):
    """A search: which part of which file, how many pockets are kept, and the time that fpocket's clock tells."""

    receptor: ReceptorSpec
    maxPockets: int
    clockSeconds: int
