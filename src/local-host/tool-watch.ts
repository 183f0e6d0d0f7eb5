/**
 * Watch over the tools that this machine can run. Each pack is read and run once, and again when a look at its files shows a
 * change; a look costs no process. So a pack that is installed or removed while the host runs is known some seconds later, and
 * nothing is offered on the word of a folder alone.
 */
import type { Logger } from 'pino';

import type { ToolReport, UnavailableReason } from '../domain/availability.ts';
import { findBuilds, glanceAt } from '../packs/find.ts';
import type { PackDefinition, PackPlaces } from '../packs/pack.ts';
import type { Tool } from '../tools/tool.ts';
import { factsOfMachine } from './machine.ts';

/** The tools, and where their packs are looked for. */
export interface ToolWatchOptions {
  readonly tools: readonly Pick<Tool, 'about' | 'pack' | 'lacks'>[];
  readonly places: PackPlaces;
  /** Folder of the machine's devices. */
  readonly devices?: string;
  readonly lookSeconds: number;
  readonly log: Logger;
}

type Facts = Omit<ToolReport, 'toolId'>;

interface Known {
  readonly glance: string;
  /** Facts of each build of the pack. */
  readonly builds: readonly Facts[];
}

const WITHOUT_PACK: Facts = { variant: null, available: true, reason: null, version: null, digest: null };
const ABSENT: Facts = { ...WITHOUT_PACK, available: false, reason: 'PACK_NOT_INSTALLED' };

/** Knows which tools this machine can run. */
export class ToolWatch {
  readonly #options: ToolWatchOptions;
  readonly #known = new Map<string, Known>();
  /** Reasons, besides packs, for which tools cannot run, by tool. */
  readonly #lacking = new Map<string, UnavailableReason>();
  readonly #timer: NodeJS.Timeout;
  #look: Promise<void>;

  /** Begins to look at once, and then again and again. */
  constructor(options: ToolWatchOptions) {
    this.#options = options;
    this.#look = this.#lookAtAll();
    this.#timer = setInterval(() => this.look(), options.lookSeconds * 1000);
    this.#timer.unref();
  }

  /** Every tool of this version, and each variant of its programs; waits for the first look. */
  async reports(): Promise<readonly ToolReport[]> {
    await this.#look;
    return this.#options.tools.flatMap(({ about, pack }) => {
      const builds = pack === null ? [WITHOUT_PACK] : (this.#known.get(pack.name)?.builds ?? [ABSENT]);
      return builds.map((facts) => {
        const reason = facts.reason ?? this.#lacking.get(about.id) ?? null;
        return { toolId: about.id, ...facts, available: reason === null, reason };
      });
    });
  }

  /** Looks again, after the look that may be under way. */
  look(): void {
    this.#look = this.#look.then(() => this.#lookAtAll());
  }

  /** Looks no more. */
  close(): void {
    clearInterval(this.#timer);
  }

  async #lookAtAll(): Promise<void> {
    const { tools, log } = this.#options;
    const packs = new Map(tools.flatMap(({ pack }) => (pack === null ? [] : [[pack.name, pack] as const])));
    for (const pack of packs.values()) {
      await this.#lookAt(pack).catch((error: unknown) => {
        this.#known.delete(pack.name);
        log.warn({ err: error, pack: pack.name }, 'a pack could not be looked at');
      });
    }
    const machine = factsOfMachine(this.#options.devices);
    for (const { about, lacks } of tools) {
      if (lacks === undefined) continue;
      await this.#askWhatLacks(about.id, () => lacks(machine)).catch((error: unknown) => {
        log.warn({ err: error, tool: about.id }, 'a tool could not tell what it lacks');
      });
    }
  }

  /** A question that fails changes nothing, so a tool that is offered stays so. */
  async #askWhatLacks(toolId: string, ask: () => Promise<UnavailableReason | null>): Promise<void> {
    const reason = await ask();
    if (reason === (this.#lacking.get(toolId) ?? null)) return;
    if (reason === null) this.#lacking.delete(toolId);
    else this.#lacking.set(toolId, reason);
    this.#options.log.info({ tool: toolId, reason }, 'what a tool lacks has changed');
  }

  async #lookAt(pack: PackDefinition): Promise<void> {
    const { places, log } = this.#options;
    const glance = await glanceAt(pack, places);
    const before = this.#known.get(pack.name);
    if (before?.glance === glance) return;
    const builds = (await findBuilds(pack, places)).map(({ variant, found }): Facts => {
      const named = { pack: pack.name, variant };
      if (found.pack === null) {
        log.info({ ...named, reason: found.problem.message }, 'a pack cannot be run');
        return { ...ABSENT, variant };
      }
      const { version, digest } = found.pack;
      const isNew = before?.builds.some((build) => build.digest === digest) !== true;
      if (isNew) log.info({ ...named, version, digest }, 'a pack can be run');
      return { variant, available: true, reason: null, version, digest };
    });
    this.#known.set(pack.name, { glance, builds });
  }
}
