"""Write a case of SWAN: a storm with a turning wind comes to a sloping coast, with swell from the sea, in time steps.

    python3 make_case.py --out coast --hours 12
    (cd coast && zip -r ../coast.zip .)

Everything is made by formulas, so it is the same wherever it runs. The scheme is BSBT with one iteration a step, which
is what lets SWAN take a run up where another has ended, to the same bytes. `--cases 4` makes storm0.swn to storm3.swn
of different winds, for a job of four tasks with `parameters.commandFile` storm{index}.swn.
"""

import argparse
import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

WIDTH_M, HEIGHT_M = 5000, 2000
DEEP_M, SHALLOW_M = 20.0, 4.0
START = datetime(2026, 1, 1, tzinfo=UTC)
STEP_MINUTES = 10

COMMANDS = """PROJECT 'coast' '{case}'
  'A storm at a sloping coast'
SET NAUTICAL
MODE NONSTATIONARY TWODIMENSIONAL
CGRID REGULAR 0. 0. 0. {width}. {height}. {nx} {ny} CIRCLE {directions} 0.05 1.0 {frequencies}
INPGRID BOTTOM REGULAR 0. 0. 0. {nx} {ny} {dx} {dy}
READINP BOTTOM 1. 'bottom.dat' 3 0 FREE
INPGRID WIND REGULAR 0. 0. 0. 1 1 {width}. {height}. NONSTATIONARY {begin} 1 HR {end}
READINP WIND 1. 'wind{case}.dat' 3 0 FREE
BOUND SHAPE JONSWAP 3.3 PEAK DSPR DEGREES
BOUND SIDE W CCW CONSTANT FILE 'swell.tpar' 1
GEN3 WESTH
FRICTION
BREAKING
PROP BSBT
NUM STOPC 0.005 0.01 0.005 99.5 NONSTAT 1
POINTS 'buoys' 1000. 1000. 2500. 1000. 4500. 1000.
QUANTITY HSIGN HEXP 10.
TABLE 'buoys' HEADER 'buoys.tbl' TIME XP YP DEPTH HSIGN RTP DIR OUTPUT {begin} 30 MIN
SPECOUT 'buoys' SPEC2D ABS 'buoys.spc' OUTPUT {begin} 1 HR
BLOCK 'COMPGRID' NOHEADER 'fields.mat' LAYOUT 3 XP YP DEPTH HSIGN RTP DIR &
      OUTPUT {begin} 1 HR
COMPUTE NONSTATIONARY {begin} {step} MIN {end}
HOTFILE 'end.hot' UNFORMATTED
STOP
"""


def told(hours: float) -> str:
    """A time after the start as SWAN writes it."""
    return (START + timedelta(hours=hours)).strftime("%Y%m%d.%H%M%S")


def rows(nx: int, ny: int, value: Callable[[float, float], float]) -> str:
    """A map of numbers, one line a row; the function gets the place from 0 to 1 in both directions."""
    return "".join(
        " ".join(f"{value(i / nx, j / ny):.3f}" for i in range(nx + 1)) + "\n" for j in range(ny + 1)
    )


def wind(hours: int, case: int) -> str:
    """The wind of each hour: both components, of a storm that grows, turns and goes."""
    text = ""
    for hour in range(hours + 1):
        speed = 6 + 3 * case + 12 * math.sin(math.pi * hour / hours) ** 2
        towards = math.radians(-30 + 60 * hour / hours)
        east, north = speed * math.cos(towards), speed * math.sin(towards)
        text += rows(1, 1, lambda x, _y, part=east: part * (1 + 0.1 * x))
        text += rows(1, 1, lambda _x, y, part=north: part * (1 + 0.1 * y))
    return text


def main() -> None:
    """Write the case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("coast"))
    parser.add_argument("--hours", type=int, default=12)
    parser.add_argument("--cells", type=int, default=20, help="cells along the coast's normal")
    parser.add_argument("--directions", type=int, default=24)
    parser.add_argument("--cases", type=int, default=1)
    told_by = parser.parse_args()
    nx, ny = told_by.cells, max(2, told_by.cells // 2)
    told_by.out.mkdir(parents=True, exist_ok=True)
    depth = rows(nx, ny, lambda x, y: DEEP_M - (DEEP_M - SHALLOW_M) * x + 0.5 * math.sin(6 * y))
    (told_by.out / "bottom.dat").write_text(depth)
    swell = [
        f"{told(hour)} {1.2 + 0.8 * math.sin(math.pi * hour / told_by.hours):.2f} 9.0 270. 20.\n"
        for hour in range(told_by.hours + 1)
    ]
    (told_by.out / "swell.tpar").write_text("TPAR\n" + "".join(swell))
    for case in range(told_by.cases):
        number = "" if told_by.cases == 1 else str(case)
        (told_by.out / f"wind{number}.dat").write_text(wind(told_by.hours, case))
        text = COMMANDS.format(
            case=number,
            width=WIDTH_M,
            height=HEIGHT_M,
            nx=nx,
            ny=ny,
            dx=WIDTH_M / nx,
            dy=HEIGHT_M / ny,
            directions=told_by.directions,
            frequencies=20,
            begin=told(0),
            end=told(told_by.hours),
            step=STEP_MINUTES,
        )
        (told_by.out / f"storm{number}.swn").write_text(text)


if __name__ == "__main__":
    main()
