/**
 * `dockyard listen`: events of the log, forwarded to a receiver on this machine as a webhook sends them, one after the other. A receiver
 * that is down holds the next event back, so the order stays; one that refuses an event gets it three times. The cursor is kept behind
 * what was forwarded, so a listener that slept, was stopped or lost the service goes on there, and a crash repeats one page at most.
 */
import type { Command } from 'commander';

import { ClientError } from '../../../client/index.ts';
import type { Client, EventOptions } from '../../../client/index.ts';
import { pause } from '../../../client/retry.ts';
import type { AccountEvent } from '../../../client/types.ts';
import { span } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { findSession } from '../people/session-file.ts';
import { clientFor, findCaller, withCallerAdvice } from '../service.ts';
import type { Caller } from '../service.ts';
import { openListenState } from './listen-state.ts';
import type { ListenState } from './listen-state.ts';
import { isTaken, receiverUrl, sendEvent, sentText } from './message.ts';
import type { Sent } from './message.ts';

interface ListenOptions {
  readonly forwardTo: string;
  readonly types?: readonly string[];
  readonly backfill?: number;
  /** Every command's own, read here because lines are printed before the result. */
  readonly json?: true;
}

/** Events are kept for so long. */
const MOST_DAYS = 30;
const TRIES = 3;
const LONGEST_PAUSE_MS = 10_000;
const AWAY_PAUSE_MS = 3_000;
/** A proxy or a development server answers so while what is behind it starts anew. */
const AWAY_STATUS = new Set([502, 503, 504]);
const REDELIVERED = 'webhook.redelivered';

/** Adds the command `listen`. */
export function addListenCommand(program: Command, context: CommandContext): void {
  addCommand<ListenOptions>(program, context, {
    usage: 'listen',
    summary:
      'Forward events to a receiver, signed as a webhook signs them, until Ctrl-C; the next listen to the same address goes on where this one has stopped. After login --browser it forwards again what is redelivered, too.',
    examples: [
      'listen --forward-to http://127.0.0.1:4000/hooks',
      'listen --forward-to http://127.0.0.1:4000/hooks --types job.succeeded job.failed --backfill 2h',
    ],
    configure: (command) =>
      command
        .requiredOption('--forward-to <url>', 'address of the receiver', receiverUrl)
        .option('--types <type...>', 'only these types, such as job.succeeded')
        .option(
          '--backfill <span>',
          'begin so far back, such as 30m, 2h or 7d, wherever it had stopped',
          span(MOST_DAYS),
        ),
    run: listen,
  });
}

async function listen(cli: CommandContext, options: ListenOptions): Promise<CommandResult> {
  const caller = findSession(cli.env, cli.folder) ?? findCaller(cli.env, cli.folder);
  const state = openListenState(cli.env, caller, options.forwardTo);
  const leaving = new AbortController();
  const stop = cli.terminal.onInterrupt(() => leaving.abort());
  const listener = new Listener(cli, { caller, options, state, signal: leaving.signal });
  try {
    await listener.run();
  } catch (error) {
    if (!leaving.signal.aborted) throw withCallerAdvice(error, caller, cli.env);
  } finally {
    stop();
    state.close();
  }
  const { taken, refused } = listener;
  return {
    data: { taken, refused },
    text: `${taken} taken, ${refused} refused. The same command goes on here.\n`,
  };
}

interface Work {
  readonly caller: Caller;
  readonly options: ListenOptions;
  readonly state: ListenState;
  readonly signal: AbortSignal;
}

class Listener {
  taken = 0;
  refused = 0;
  readonly #cli: CommandContext;
  readonly #work: Work;
  readonly #client: Client;
  #cursor: string | null;
  /** An address that was never reached is told at once. */
  #isReached = false;

  constructor(cli: CommandContext, work: Work) {
    this.#cli = cli;
    this.#work = work;
    this.#client = clientFor(work.caller, 'long');
    this.#cursor = work.options.backfill === undefined ? work.state.cursor : 'oldest';
  }

  async run(): Promise<void> {
    const { options, state, caller } = this.#work;
    const { forwardTo, json } = options;
    this.#cli.progress(`Events of ${caller.apiUrl} go to ${forwardTo}. Ctrl-C ends it.`);
    const words = `The secret of this listener is ${state.secret}\n`;
    this.#cli.write(json === true ? `${JSON.stringify({ forwardTo, secret: state.secret })}\n` : words);
    for (;;) {
      try {
        await this.#follow();
        return;
      } catch (error) {
        const { signal } = this.#work;
        signal.throwIfAborted();
        if (!(error instanceof ClientError)) throw error;
        if (error.code === 'CURSOR_EXPIRED') {
          this.#cli.progress(
            'The place where this listener had stopped is not known any more: it is older than 30 days, or from before a restore. Events may be missing. Read the lists of what you follow, or go back with --backfill. The listener begins now.',
          );
          this.#cursor = null;
        } else if (error.passing && this.#isReached) {
          this.#cli.progress(`${error.message} The listener tries again.`);
          await pause(AWAY_PAUSE_MS, signal);
        } else throw error;
      }
    }
  }

  async #follow(): Promise<void> {
    const { options, state, caller, signal } = this.#work;
    const { types } = options;
    // Only a person hears of redeliveries.
    const hearsAll = types === undefined || !('session' in caller) || types.includes(REDELIVERED);
    const since = options.backfill === undefined ? 0 : Date.now() - options.backfill * 1000;
    const following: EventOptions = {
      ...(types === undefined ? {} : { types: hearsAll ? types : [...types, REDELIVERED] }),
      from: this.#cursor ?? 'now',
      signal,
      onCursor: (cursor) => {
        this.#isReached = true;
        this.#cursor = cursor;
        state.keep(cursor);
      },
    };
    for await (const event of this.#client.events(following)) {
      if (Date.parse(event.timestamp) < since) continue;
      if (types?.includes(event.type) !== false) await this.#forward(event);
      if (event.type === REDELIVERED) await this.#forwardAgain(event);
    }
  }

  /** Forwards once more, from the log, an event of which a redelivery was asked. */
  async #forwardAgain({ data }: AccountEvent): Promise<void> {
    const { eventId, eventType, eventSubject: subject } = data;
    if (typeof eventType !== 'string' || typeof subject !== 'string') return;
    if (this.#work.options.types?.includes(eventType) === false) return;
    const { signal } = this.#work;
    const chosen: EventOptions = { from: 'oldest', follow: false, types: [eventType], subject, signal };
    for await (const event of this.#client.events(chosen))
      if (event.id === eventId) {
        await this.#forward(event);
        return;
      }
    this.#cli.progress(`${String(eventId)} was redelivered, and is not in the log any more.`);
  }

  async #forward(event: AccountEvent): Promise<void> {
    const { options, state, signal } = this.#work;
    let isTold = false;
    for (let [tries, pauses] = [1, 0]; ; pauses += 1) {
      const sent = await sendEvent(options.forwardTo, state.secret, event, {}, signal);
      const isAway = 'status' in sent ? AWAY_STATUS.has(sent.status) : sent.fault === 'away';
      if (isTaken(sent) || (!isAway && tries === TRIES)) {
        this.#tell(event, sent);
        return;
      }
      if (!isAway) tries += 1;
      else if (!isTold)
        this.#cli.progress(`${options.forwardTo} is down (${sentText(sent)}). The listener waits for it.`);
      isTold ||= isAway;
      await pause(Math.min(LONGEST_PAUSE_MS, 250 * 2 ** Math.min(pauses, 10)), signal);
    }
  }

  #tell({ id, type, timestamp }: AccountEvent, sent: Sent): void {
    if (isTaken(sent)) this.taken += 1;
    else this.refused += 1;
    const { json } = this.#work.options;
    const words = isTaken(sent) ? sentText(sent) : `REFUSED ${sentText(sent)}`;
    const line = `${timestamp.slice(0, 19).replace('T', ' ')}Z  ${type}  ${id}  ${words}\n`;
    this.#cli.write(json === true ? `${JSON.stringify({ id, type, timestamp, ...sent })}\n` : line);
  }
}
