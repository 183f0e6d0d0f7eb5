"""What a docking came from, as its result says it."""

from typing import TYPE_CHECKING, Any

from dockyard_science.docked_states import DockedStates
from dockyard_session.canonical import sha256_hex

if TYPE_CHECKING:
    from dockyard_science.docking import DockingEngine, DockingTask


def provenance(engine: "DockingEngine", task: "DockingTask", states: DockedStates) -> dict[str, Any]:
    """The block of a result that names code, parameters and inputs, by digests where they are files."""
    spec = engine.spec
    return {
        "seed": spec["seed"],
        "tools": dict(task.toolchain.versions),
        "toolchainSha256": task.toolchain.sha256,
        "cpuClass": task.toolchain.cpu_class,
        "parameters": engine.parameters(states.prepared, states.won),
        "box": {"centerAngstrom": engine.box["centerAngstrom"], "sizeAngstrom": engine.box["sizeAngstrom"]},
        "receptor": {
            "identitySha256": spec["receptor"]["identitySha256"],
            "preparationSha256": spec["preparationSha256"],
            "preparedPdbqtSha256": engine.receptor_sha256,
            **({} if engine.side_chains is None else {"flexiblePdbqtSha256": engine.side_chains.sha256}),
        },
        "ligandPdbqtSha256": sha256_hex(states.won.pdbqt.encode()),
    }
