"""Structure files: reading PDB and mmCIF, and choosing model, assembly, chains and places, with gemmi alone."""
