"""Pockets of a structure by fpocket: the session, the file that fpocket reads, and what is made of its answer."""
