/**
 * The person in front of a command, if there is one: questions, keystrokes, the screen that progress is shown on.
 * Nothing is ever asked of a script: without a terminal at both ends `isInteractive` is false.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { CommandProblem, EXIT } from './problems.ts';

/** Screen for progress; standard error of the process. */
export interface Screen {
  /** Whether lines can be drawn over. */
  readonly isTTY: boolean;
  readonly columns: number;
  write(text: string): void;
}

/** The person at the terminal, or the input that a script pipes in. */
export interface Terminal {
  readonly isInteractive: boolean;
  readonly screen: Screen;
  /** Asks; a secret is not shown while it is typed. @throws CommandProblem when the person leaves. */
  ask(question: string, options?: { readonly isSecret?: boolean }): Promise<string>;
  /** Everything on standard input. */
  readInput(): Promise<string>;
  /** Calls the listener on Ctrl-C and SIGTERM; returns a function that removes the listener. */
  onInterrupt(listener: () => void): () => void;
}

/** The terminal of a process. */
export function createTerminal({
  stdin,
  stderr,
  on,
  off,
}: Pick<NodeJS.Process, 'stdin' | 'stderr' | 'on' | 'off'>): Terminal {
  return {
    isInteractive: stdin.isTTY && stderr.isTTY,
    screen: {
      isTTY: stderr.isTTY,
      get columns() {
        return stderr.columns;
      },
      write: (line) => void stderr.write(line),
    },
    ask: (question, { isSecret = false } = {}) => ask(stdin, stderr, question, isSecret),
    readInput: () => text(stdin),
    onInterrupt(listener) {
      for (const signal of SIGNALS) on.call(process, signal, listener);
      return () => {
        for (const signal of SIGNALS) off.call(process, signal, listener);
      };
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A terminal that nobody sits at. */
export function noTerminal(write: (text: string) => void): Terminal {
  return {
    isInteractive: false,
    screen: { isTTY: false, columns: 80, write },
    ask: () => Promise.reject(new CommandProblem(EXIT.refused, 'NO_TERMINAL', 'Nobody can be asked here.')),
    readInput: () => Promise.resolve(''),
    onInterrupt: () => () => undefined,
  };
}

async function ask(
  input: NodeJS.ReadStream,
  screen: NodeJS.WriteStream,
  question: string,
  isSecret: boolean,
): Promise<string> {
  // Readline echoes what is typed, so for a secret the output of readline is dropped.
  const output = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : screen;
  if (isSecret) screen.write(question);
  const lines = createInterface({ input, output, terminal: true });
  const leaving = new AbortController();
  lines.once('SIGINT', () => leaving.abort());
  lines.once('close', () => leaving.abort());
  try {
    const answer = await lines.question(isSecret ? '' : question, { signal: leaving.signal });
    return answer.trim();
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    throw new CommandProblem(EXIT.interrupted, 'INTERRUPTED', 'Nothing was done.', error);
  } finally {
    lines.close();
    if (isSecret) screen.write('\n');
  }
}
