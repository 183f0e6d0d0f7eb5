"""What the compute worker asks of SWAN beside what it asks of every wave model."""

from dockyard_waves.spec import WavesSpec


class SwanSpec(WavesSpec):
    """A job; its command file, where the request names one."""

    commandFile: str | None
