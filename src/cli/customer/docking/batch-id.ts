/** The id of a batch, an experiment or a run as an argument. */
import type { Command } from 'commander';

import { id } from '../../arguments.ts';

/** Reads the first argument as the id of a record. */
export function readingIds(command: Command): Command {
  const [argument] = command.registeredArguments;
  argument?.argParser(id);
  return command;
}
