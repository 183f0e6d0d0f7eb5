"""Protein and nucleotide searches with BLAST+: queries read and cut, searched, and their results put together."""
