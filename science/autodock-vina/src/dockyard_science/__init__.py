"""Preparation of receptors and ligands, inspection, docking with AutoDock Vina and validation."""
