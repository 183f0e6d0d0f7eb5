"""Write a protein database to search: the chains of structures among random decoys, the same in every run.

    python3 make_database.py --structures ../1a28 --decoys 20000 --database decoys.fasta --queries chains.fasta

Decoys have the lengths and the composition of natural proteins and no relation to them, so every hit outside the chains
is chance: its E-value says how often such a hit is to be expected.
"""

import argparse
import math
import random
from collections.abc import Iterator
from pathlib import Path

# Frequencies of amino acids in natural proteins (Robinson and Robinson, 1991), which BLAST assumes as well.
FREQUENCIES = {
    "A": 0.07805,
    "C": 0.01925,
    "D": 0.05364,
    "E": 0.06295,
    "F": 0.03856,
    "G": 0.07377,
    "H": 0.02199,
    "I": 0.05142,
    "K": 0.05744,
    "L": 0.09019,
    "M": 0.02243,
    "N": 0.04487,
    "P": 0.05203,
    "Q": 0.04264,
    "R": 0.05129,
    "S": 0.07120,
    "T": 0.05841,
    "V": 0.06441,
    "W": 0.01330,
    "Y": 0.03216,
}

# The one-letter codes of residues as PDB files name them; a residue that is none of the twenty becomes X.
LETTERS = {
    "ALA": "A", "ARG": "R", "ASN": "N", "ASP": "D", "CYS": "C", "GLN": "Q", "GLU": "E", "GLY": "G", "HIS": "H",
    "ILE": "I", "LEU": "L", "LYS": "K", "MET": "M", "PHE": "F", "PRO": "P", "SER": "S", "THR": "T", "TRP": "W",
    "TYR": "Y", "VAL": "V", "MSE": "M", "SEC": "U", "PYL": "O",
}  # fmt: skip

LINE = 60
LEAST_RESIDUES = 8


def main() -> None:
    """Read the arguments and write both files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--structures", type=Path, required=True, help="folder with .pdb files")
    parser.add_argument("--decoys", type=int, default=20_000, help="how many decoys (default 20000)")
    parser.add_argument("--seed", type=int, default=7, help="of the decoys (default 7)")
    parser.add_argument("--database", type=Path, required=True, help="FASTA file to write: chains and decoys")
    parser.add_argument("--queries", type=Path, required=True, help="FASTA file to write: the chains alone")
    options = parser.parse_args()
    chains = [chain for path in sorted(options.structures.glob("*.pdb")) for chain in read_chains(path)]
    write_fasta(options.queries, chains)
    write_fasta(options.database, among(chains, list(decoys(options.decoys, options.seed)), options.seed))


def read_chains(path: Path) -> Iterator[tuple[str, str]]:
    """The protein chains of a PDB file: as deposited (SEQRES), else as far as they were seen (first model)."""
    deposited: dict[str, list[str]] = {}
    seen: dict[str, dict[str, str]] = {}
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("SEQRES"):
            deposited.setdefault(line[11].strip() or "_", []).extend(line[19:70].split())
        elif line.startswith("ATOM") and line[12:16].strip() == "CA":
            seen.setdefault(line[21].strip() or "_", {}).setdefault(line[22:27], line[17:20].strip())
        elif line.startswith("ENDMDL"):
            break
    chains = deposited or {chain: list(residues.values()) for chain, residues in seen.items()}
    for chain, residues in chains.items():
        letters = "".join(LETTERS.get(name, "X") for name in residues)
        if len(letters) >= LEAST_RESIDUES and letters.count("X") * 2 < len(letters):
            yield f"{path.stem}_{chain} chain {chain} of {path.name}", letters


def decoys(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Random proteins; natural lengths are spread like this log-normal, with a median of 290 residues."""
    chance = random.Random(seed)  # noqa: S311 - decoys, not secrets
    letters, weights = list(FREQUENCIES), list(FREQUENCIES.values())
    for index in range(count):
        length = min(5000, max(30, round(math.exp(chance.gauss(math.log(290), 0.65)))))
        yield f"decoy{index + 1:06d}", "".join(chance.choices(letters, weights, k=length))


def among(
    chains: list[tuple[str, str]], others: list[tuple[str, str]], seed: int
) -> Iterator[tuple[str, str]]:
    """The chains at random places among the decoys, whose order stays."""
    places = sorted(random.Random(seed + 1).choices(range(len(others) + 1), k=len(chains)))  # noqa: S311
    at = 0
    for chain, place in zip(chains, places, strict=True):
        yield from others[at:place]
        yield chain
        at = place
    yield from others[at:]


def write_fasta(path: Path, records: "Iterator[tuple[str, str]] | list[tuple[str, str]]") -> None:
    """Write records with lines of sixty letters."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        for title, letters in records:
            file.write(f">{title}\n")
            file.writelines(f"{letters[at : at + LINE]}\n" for at in range(0, len(letters), LINE))


if __name__ == "__main__":
    main()
