"""What stands at the beginning of dock.log: which ligand this is, as what it is docked, where, by which versions."""

from dockyard_science.prepared_ligand import PreparedLigand, PreparedStates
from dockyard_science.spec import Box
from dockyard_session.toolchain import Toolchain


def log_heading(
    ligand_id: str,
    states: PreparedStates,
    box: Box,
    toolchain: Toolchain,
    *,
    protonation_ph: float,
    turning: str | None,
) -> str:
    """The lines before those of Vina; nothing in them depends on when or where. `turning`: the flexible side chains."""
    ligand = states.each[0]
    versions = ", ".join(f"{name} {version}" for name, version in sorted(toolchain.versions.items()))
    state = f"at pH {protonation_ph:g}" if ligand.protonation == "model" else "in the state given"
    lines = [
        f"ligand {ligand_id}",
        f"input  {ligand.smiles_input}",
        *(
            f"docked {each.smiles_docked} {state}{f', {each.cost:g} kcal/mol up' if each.cost else ''}"
            for each in states.each
        ),
        f"box    centre {box['centerAngstrom']} size {box['sizeAngstrom']} (angstrom)",
        f"tools  {versions}",
        *([] if turning is None else [f"turns  {turning}"]),
        *_shape_lines(ligand),
        *(f"warning {warning['code']}: {warning['message']}" for warning in ligand.warnings),
    ]
    return "\n".join(lines)


def _shape_lines(ligand: PreparedLigand) -> list[str]:
    if ligand.shapes is None:
        return []
    found = ligand.shapes.found
    sizes = " and ".join(str(size) for size in found.rings)
    kept = len(found.shapes)
    return [f"rings  of {sizes} atoms: {kept} of {found.distinct} shapes, from {found.made} conformers"]
