/**
 * Boots, losses and tasks of a fleet, drawn from a seed. The figures are assumptions and stated here, in one place: boots as
 * measured of Linux images on EC2 (Mao and Humphrey 2012 found means near 100 s in 2012; images of today answer in 20 to 60 s),
 * losses of spot instances far above what AWS publishes (below 5 to 20 % a month), so that many are seen, and tasks whose lengths
 * are log-normal, as those of dockings are, of which one in fifty takes several times as long.
 */

/** Figures of a fleet, in seconds. */
export interface FleetFigures {
  /** Log-normal: median and sigma of the time from the launch of an instance to its first contact. */
  readonly boot: { readonly median: number; readonly sigma: number };
  /** The share of launches of which no instance comes; each is noticed after the time below. */
  readonly failedBoots: { readonly share: number; readonly noticedAfter: number };
  /** Exponential: the mean life of an instance until it is taken away; noticed after the time below. */
  readonly loss: { readonly mean: number; readonly noticedAfter: number };
  /** Log-normal: the median differs from job to job within the bounds, sigma is that within a job. */
  readonly task: { readonly medians: readonly [number, number]; readonly sigma: number };
  /** The share of tasks that take longer, and the bounds of how many times as long. */
  readonly tail: { readonly share: number; readonly times: readonly [number, number] };
  /** From the end of a task to its commit, and between two requests of capacity and their grants. */
  readonly commit: number;
}

/** The figures of the test. */
export const FIGURES: FleetFigures = {
  boot: { median: 40, sigma: 0.35 },
  failedBoots: { share: 0.02, noticedAfter: 300 },
  loss: { mean: 6 * 3600, noticedAfter: 20 },
  task: { medians: [20, 240], sigma: 0.5 },
  tail: { share: 0.02, times: [3, 10] },
  commit: 0.3,
};

/** Numbers from a seed (mulberry32). */
export class Draws {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 to below 1. */
  uniform(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between([least, most]: readonly [number, number]): number {
    return least + (most - least) * this.uniform();
  }

  /** Between the bounds, each order of magnitude as often as the others. */
  logBetween([least, most]: readonly [number, number]): number {
    return least * (most / least) ** this.uniform();
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform());
  }

  /** Log-normal by Box and Muller. */
  logNormal({ median, sigma }: { readonly median: number; readonly sigma: number }): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return median * Math.exp(sigma * radius * Math.cos(2 * Math.PI * this.uniform()));
  }
}
