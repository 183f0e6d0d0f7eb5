"""Which part of which file is the receptor, as it stands in the specification of a session.

The control side validates every field before it sends it; these types only say what is there.
"""

from typing import Literal, TypedDict


class PdbReceptorSource(TypedDict):
    """A receptor fetched from the Protein Data Bank."""

    kind: Literal["pdb"]
    pdbId: str


class ArtifactReceptorSource(TypedDict):
    """A receptor that the customer registered as an artifact."""

    kind: Literal["artifact"]
    artifactId: str


class SceneReceptorSource(TypedDict):
    """A receptor that the customer uploaded as the job's scene file."""

    kind: Literal["scene"]


ReceptorSource = PdbReceptorSource | ArtifactReceptorSource | SceneReceptorSource


class ReceptorSpec(TypedDict):
    """Which part of which file is the receptor; `chains` None stands for every chain."""

    source: ReceptorSource
    sha256: str
    assemblyId: str
    model: int
    chains: list[str] | None
    identitySha256: str
