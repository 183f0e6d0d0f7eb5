"""Structures, ligands and docking: the code that a compute worker runs for the scientific tools."""
