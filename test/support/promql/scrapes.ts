/** Scrapes of `/metrics`, kept as Prometheus keeps them: series of samples with the labels of their targets. */

/** The labels of a series, its name not among them. */
export type Labels = Readonly<Record<string, string>>;

/** One value of one series. */
export interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Answer of one target at one time, in seconds. */
export interface Scrape {
  readonly target: Labels;
  readonly at: number;
  readonly samples: readonly Sample[];
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g;

/** Reads the text format of Prometheus. @throws when a line is none of it. */
export function parseExposition(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value = ''] = LINE.exec(line) ?? [];
      if (name === undefined) throw new Error(`no sample: ${line}`);
      return { name, labels: labelsOf(labels), value: numberOf(value) };
    });
}

/** Scrapes in the order of their times; the newest of each target is what instant selectors see. */
export class Scrapes {
  readonly all: Scrape[] = [];

  /** Keeps what a target has answered. */
  add(target: Labels, at: number, text: string): void {
    const samples = parseExposition(text).map((sample) => ({
      ...sample,
      labels: { ...sample.labels, ...target },
    }));
    this.all.push({ target, at, samples });
    this.all.sort((one, other) => one.at - other.at);
  }
}

function labelsOf(text: string): Labels {
  const found: Record<string, string> = {};
  let read = 0;
  for (const [whole, name = '', value = ''] of text.matchAll(LABEL)) {
    found[name] = value.replaceAll(/\\(.)/g, (_, each: string) => (each === 'n' ? '\n' : each));
    read += whole.length;
  }
  if (read !== text.length) throw new Error(`no labels: ${text}`);
  return found;
}

function numberOf(text: string): number {
  if (/^[+-]?Inf$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  const value = Number(text);
  // prom-client writes Nan, and Prometheus reads the word in any case.
  if (Number.isNaN(value) && !/^nan$/i.test(text)) throw new Error(`no number: ${text}`);
  return value;
}
