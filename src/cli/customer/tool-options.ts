/** The options of tools as options of the command line. */
import { Option } from 'commander';

import type { CommandOption, OptionReader } from '../../tools/command.ts';
import { reading, someText, wholeNumber } from '../arguments.ts';

/** An option of a tool as an option of the command line. */
export function optionOf({
  flags,
  description,
  isRequired,
  choices,
  default: value,
  read,
  repeats,
}: CommandOption): Option {
  const option = new Option(flags, description).makeOptionMandatory(isRequired === true);
  if (choices !== undefined) option.choices(choices);
  if (value !== undefined) option.default(value);
  if (read !== undefined) option.argParser(repeats === true ? collecting(readerOf(read)) : readerOf(read));
  return option;
}

/** A reader that puts the list of each mention of an option behind those of the mentions before. */
function collecting(read: (text: string) => unknown): (text: string, before: unknown) => readonly unknown[] {
  return (text, before) => [...listOf(before), ...listOf(read(text))];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function readerOf(reader: OptionReader): (text: string) => unknown {
  switch (reader.kind) {
    case 'text':
      return someText(reader.longest);
    case 'number':
      return wholeNumber(reader.least, reader.most);
    case 'own':
      return reading(reader.read);
    default:
      return reader satisfies never;
  }
}
