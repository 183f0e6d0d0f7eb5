"""SWAN: its command file is read and checked, its run is cut into pieces, and the pieces are joined again."""
