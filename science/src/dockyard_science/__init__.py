"""Structures, ligands and docking: what the compute worker runs for the scientific tools."""
