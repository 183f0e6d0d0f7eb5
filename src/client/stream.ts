/**
 * Reading a stream of server-sent events with `fetch`, because a browser's EventSource sends no key and dies at a 503. A stream shows
 * every 15 s that it lives; one that stays silent is left.
 */
import { ClientError } from './errors.ts';
import { parse } from './transport.ts';
import type { Call, Transport } from './transport.ts';

/** A part of a stream. */
export interface StreamPart {
  /** Name of the kind; empty for an event of the log. */
  readonly name: string;
  /** Cursor to go on behind; null where the part does not move on. */
  readonly id: string | null;
  /** JSON of the part; empty for a sign of life. */
  readonly data: string;
}

/** How a stream ended: it may be opened again after a pause, or there is none here. */
export type StreamEnd =
  | { readonly kind: 'lost'; readonly retryMs: number }
  | { readonly kind: 'unavailable' };

const SILENCE_MS = 40_000;
const RETRY_MS = 2_000;
const TOO_MANY = 429;

/**
 * Gives the parts of a stream. A stream that gives none is unavailable: something on the way holds it back, or there is no room for it.
 * One that has lived and ends, breaks or falls silent is lost.
 */
export async function* readParts(
  transport: Transport,
  call: Pick<Call, 'path' | 'query' | 'signal'>,
  silenceMs = SILENCE_MS,
): AsyncGenerator<StreamPart, StreamEnd, void> {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort(new Error('The stream is silent.'));
  let timer = setTimeout(leave, silenceMs);
  const signal = call.signal === undefined ? leaving.signal : AbortSignal.any([call.signal, leaving.signal]);
  let lives = false;
  let retryMs = RETRY_MS;
  try {
    const body = await transport.open({ ...call, method: 'GET', repeatable: false, signal });
    if (body === null) return { kind: 'unavailable' };
    const parser = new PartParser();
    for await (const chunk of body) {
      clearTimeout(timer);
      timer = setTimeout(leave, silenceMs);
      for (const part of parser.parts(chunk)) {
        lives = true;
        yield part;
      }
      retryMs = parser.retryMs ?? retryMs;
    }
    return { kind: 'lost', retryMs };
  } catch (error) {
    call.signal?.throwIfAborted();
    const mayComeBack = error instanceof ClientError && error.passing && error.status !== TOO_MANY;
    return lives || mayComeBack ? { kind: 'lost', retryMs } : { kind: 'unavailable' };
  } finally {
    clearTimeout(timer);
    leaving.abort();
  }
}

/** The JSON object of a part; its shape is what the contract says and is not checked. */
export function dataOf<T extends object>({ data: text }: StreamPart): T {
  return parse<T>({ status: 200, headers: new Headers(), text });
}

/** Puts parts together from bytes that are cut anywhere; a part counts once its empty line is there. */
export class PartParser {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #fields = new Map<string, string>();
  /** The pause before coming back that the service asks for; null while it has asked for none. */
  retryMs: number | null = null;

  *parts(bytes: Uint8Array): Generator<StreamPart, void, void> {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '' || line === '\r') {
        const fields = this.#fields;
        this.#fields = new Map();
        yield {
          name: fields.get('event') ?? '',
          id: fields.get('id') ?? null,
          data: fields.get('data') ?? '',
        };
        continue;
      }
      const [, name = '', value = ''] = /^([^:]*):? ?(.*?)\r?$/s.exec(line) ?? [];
      const former = name === 'data' ? this.#fields.get('data') : undefined;
      this.#fields.set(name, former === undefined ? value : `${former}\n${value}`);
      if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    }
  }
}
