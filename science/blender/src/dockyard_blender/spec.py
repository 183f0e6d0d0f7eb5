"""What the control side sends; the shapes are those of src/tools/blender/specs.ts."""

from typing import Literal, NotRequired, TypedDict

#: The formats of frames.
Format = Literal["PNG", "EXR", "JPEG"]


class Settings(TypedDict):
    """What a request changes in the scene; None leaves what the scene says."""

    camera: str | None
    scene: str | None
    viewLayer: str | None
    resolutionPercent: int | None
    samples: int | None
    denoise: bool | None
    seed: int | None
    transparent: bool | None
    passes: bool


class RenderSpec(TypedDict):
    """What all tasks of a job share."""

    #: The path of the scene in the package.
    scene: str
    #: Inputs by their paths in the package.
    files: dict[str, str]
    #: The paths of those files that stand for any file of their name, wherever the scene looks for it.
    attached: list[str]
    format: Format
    settings: Settings
    #: Threads of a frame; None for all vCPUs of the slot.
    threads: int | None
    #: Absent from a control process of an earlier release: the processor.
    device: NotRequired[Literal["cpu", "gpu"]]
    #: The path of an OpenColorIO configuration in the package.
    ocio: str | None
    missingAssets: Literal["fail", "warn"]
    #: The frames of the job, ascending, as ranges with steps.
    ranges: list[tuple[int, int, int]]
    #: Whether the request names no frame, so that frame 1 is drawn.
    isDefaultFrame: bool
    memoryBytes: int
    #: The name of a frame without number and ending.
    stem: str


class FrameSpec(TypedDict):
    """What one task draws."""

    frame: int


def frames_of(spec: RenderSpec) -> list[int]:
    """The frames of the job, ascending."""
    return sorted({frame for first, last, step in spec["ranges"] for frame in range(first, last + 1, step)})


def padded(frame: int) -> str:
    """A frame number in names: four digits at least, a minus before them."""
    return f"{'-' if frame < 0 else ''}{abs(frame):04d}"
