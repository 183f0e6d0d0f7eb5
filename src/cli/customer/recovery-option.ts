/** The option `--recovery` of commands that start work. */
import { Option } from 'commander';
import type { Command } from 'commander';

/** Option for the recovery of work whose machines are taken away. */
export interface RecoveryOptions {
  readonly recovery?: 'standard' | 'resumable';
}

/** Adds the option. */
export function addRecoveryOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--recovery <mode>',
      'standard (default), or resumable: may run on spot machines, and goes on where they were taken away; the price says so',
    ).choices(['standard', 'resumable']),
  );
}

/** The part of a request or an estimate that the option is; nothing without the option. */
export function recoveryOf({ recovery: mode }: RecoveryOptions): {
  readonly recovery?: { readonly mode: 'standard' | 'resumable' };
} {
  return mode === undefined ? {} : { recovery: { mode } };
}
