/**
 * Reads `/metrics` of processes as Prometheus does, every 15 seconds of a clock of its own, so that windows of an hour pass at
 * once, and tells which alerts' expressions are true.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { AlertRule } from './alerts.ts';
import { evaluate } from './evaluate.ts';
import { Scrapes } from './scrapes.ts';

const INTERVAL_SECONDS = 15;
/** A window of ten minutes lasts ten seconds at least, also on a quick machine, so that what goes on in it happens often enough. */
const LOOK_MS = 250;
const LONGEST_WINDOW_SECONDS = 2 * 3600;
const PATIENCE_MS = 120_000;
/** A counter is seen to stand still by several looks. */
const LOOKS_TO_BE_OFF = 3;

export interface AlertWatchOptions {
  readonly rules: readonly AlertRule[];
  /** The addresses of `/metrics` by the names of the processes. */
  readonly urls: () => Readonly<Record<string, string>>;
  /** Work to do before each look. */
  readonly before?: () => Promise<unknown>;
}

/** Watches alerts. */
export class AlertWatch {
  private readonly options: AlertWatchOptions;
  private readonly scrapes = new Scrapes();
  private at = 0;

  constructor(options: AlertWatchOptions) {
    this.options = options;
  }

  /**
   * Sees the alerts off, on once they are caused, and off again without their cause.
   * @throws Error that names the alerts that are on instead.
   */
  async see(alerts: readonly string[], cause: () => Promise<() => Promise<unknown>>): Promise<void> {
    const isOff = (on: ReadonlySet<string>): boolean => alerts.every((alert) => !on.has(alert));
    await this.until('off', isOff, LOOKS_TO_BE_OFF);
    const undo = await cause();
    const seen = new Set<string>();
    try {
      await this.until('on', (on) => {
        for (const alert of on) seen.add(alert);
        return alerts.every((alert) => seen.has(alert));
      });
    } finally {
      await undo();
    }
    await this.until('off again', isOff, LOOKS_TO_BE_OFF);
  }

  /** From an hour long ago on, so that no window has anything of before. */
  private async until(what: string, isSo: (on: ReadonlySet<string>) => boolean, times = 1): Promise<void> {
    if (times > 1) this.at += LONGEST_WINDOW_SECONDS;
    const startedAt = performance.now();
    for (let inRow = 0; ;) {
      const next = sleep(LOOK_MS);
      const on = await this.look();
      inRow = isSo(on) ? inRow + 1 : 0;
      if (inRow >= times) return;
      if (performance.now() - startedAt > PATIENCE_MS)
        throw new Error(`The alerts are not ${what}; on are: ${[...on].join(', ')}.`);
      await next;
    }
  }

  /** Reads every process once; of a process that does not answer there is `up` alone, as with Prometheus. */
  private async look(): Promise<ReadonlySet<string>> {
    await this.options.before?.();
    this.at += INTERVAL_SECONDS;
    await Promise.all(
      Object.entries(this.options.urls()).map(async ([instance, url]) => {
        const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
        const text = answer?.ok === true ? await answer.text() : '';
        this.scrapes.add({ job: instance, instance }, this.at, `${text}\nup ${text === '' ? '0' : '1'}`);
      }),
    );
    const isOn = ({ expr }: AlertRule): boolean => evaluate(expr, this.scrapes, this.at).length > 0;
    return new Set(this.options.rules.filter(isOn).map(({ alert }) => alert));
  }
}
