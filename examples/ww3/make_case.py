"""Write a case of WAVEWATCH III: swell comes to a sloping coast under a wind that turns, with a current along the coast.

    python3 make_case.py --out coast --hours 6
    (cd coast && zip -r ../coast.zip .)

Everything is made by formulas, so it is the same wherever it runs, and the physics are those of the build: with a build
without source terms the swell travels and turns towards the coast, with one that has them the wind makes waves, too.
`--cases 4` makes the folders run0 to run3 of different winds, for a job of four tasks.
"""

import argparse
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

START = datetime(2026, 1, 1, tzinfo=UTC)
STEP_SECONDS = 120
SPACING_M = 1000.0
DEEP_M, SHALLOW_M = 60.0, 6.0

GRID = """$ Grid of a sloping coast
  'SLOPING COAST'
   1.1 0.05 20 {directions} 0.
   F T T T T {sources}
   {step}. {half}. {half}. 30.
END OF NAMELISTS
  'RECT' F 'NONE'
   {nx} {ny}
   {spacing} {spacing} 1.
   0. 0. 1.
  -0.5 2.0 20 -1. 1 1 '(....)' 'NAME' 'bottom.dat'
  10 3 1 '(....)' 'PART' 'input'
   1 2 F
   1 {last} T
   0 0 F
   0 0 F
   0 0
   0. 0. 0. 0. 0
"""
START_FIELD = """$ Swell over the western half; at the western edge it goes on as it begins
  1
  0.08 0.01 300. 4 {west} 4000. {middle} 8000. 1.5
"""
SHELL = """$ A run of ww3_shel
   F F
   T T
   T T
   F F
   F F
   F F
   F
   F
   F
   {begin}
   {end}
   1
   {begin} 1800 {end}
N
DPT CUR WND HS LM T02 FP DIR SPR
   {begin} 600 {end}
   {deep} {middle} 'DEEP'
   {half} {middle} 'HALF'
   {shallow} {middle} 'SHALLOW'
   0. 0. 'STOPSTRING'
   {begin} 0 {end}
   {begin} 0 {end}
   {begin} 0 {end}
   {begin} 0 {end}
{forcing}
   'STP'
"""
FIELDS = """$ Fields as text
  {begin} 3600. 100
N
HS DIR
  3 0
  1 1000 1 1000 1 2
"""
TABLE = """$ Mean parameters at the points
  {begin} 1800. 1000
   1
   2
   3
  -1
   2
   2 33
"""


def told(seconds: float) -> str:
    """A time after the start as WAVEWATCH III writes it."""
    return (START + timedelta(seconds=seconds)).strftime("%Y%m%d %H%M%S")


def write_case(folder: Path, case: int, options: argparse.Namespace) -> None:
    """Write one case."""
    folder.mkdir(parents=True, exist_ok=True)
    nx, ny = options.cells + 1, max(7, options.cells // 2 + 1)
    depths = [DEEP_M - (DEEP_M - SHALLOW_M) * i / (nx - 1) for i in range(nx)]
    rows = [" ".join(f"{depth + 2 * math.sin(0.7 * j):.2f}" for depth in depths) for j in range(ny)]
    (folder / "bottom.dat").write_text("\n".join(rows) + "\n")
    hours = [hour for hour in range(options.hours + 1)]
    winds = [
        f"   'WND' {told(3600 * hour)} {8 + 3 * case + 6 * math.sin(math.pi * hour / options.hours):.2f}"
        f" {(250 + 40 * hour) % 360}. 0."
        for hour in hours
    ]
    currents = [f"   'CUR' {told(3600 * hour)} {0.5 + 0.1 * hour:.2f} 10." for hour in hours[::2]]
    values = {
        "directions": options.directions,
        "sources": "T" if options.sources else "F",
        "step": STEP_SECONDS,
        "half": STEP_SECONDS // 2,
        "nx": nx,
        "ny": ny,
        "last": ny - 1,
        "spacing": SPACING_M,
        "begin": told(0),
        "end": told(3600 * options.hours),
        "west": 0.3 * nx * SPACING_M,
        "middle": (ny - 1) // 2 * SPACING_M,
        "deep": SPACING_M * 2,
        "shallow": SPACING_M * (nx - 3),
        "forcing": "\n".join([*currents, *winds]),
    }
    texts = {"ww3_grid.inp": GRID, "ww3_strt.inp": START_FIELD, "ww3_outf.inp": FIELDS, "ww3_outp.inp": TABLE}
    for name, text in texts.items():
        (folder / name).write_text(text.format(**values))
    points = {**values, "half": SPACING_M * (nx // 2)}
    (folder / "ww3_shel.inp").write_text(SHELL.format(**points))


def main() -> None:
    """Write the cases."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("coast"))
    parser.add_argument("--hours", type=int, default=6)
    parser.add_argument("--cells", type=int, default=20, help="cells along the coast's normal")
    parser.add_argument("--directions", type=int, default=24)
    parser.add_argument("--cases", type=int, default=1)
    parser.add_argument("--sources", action="store_true", help="with the source terms of the build")
    options = parser.parse_args()
    for case in range(options.cases):
        folder = options.out if options.cases == 1 else options.out / f"run{case}"
        write_case(folder, case, options)


if __name__ == "__main__":
    main()
