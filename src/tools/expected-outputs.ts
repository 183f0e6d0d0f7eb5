/** Holds the names and the facts of outputs against those that a tool's report demands. */
import type { StagedOutput } from '../contracts/instance.ts';

/** The kind, media type and format that an output of a name must have. */
export type OutputFacts = readonly [kind: string, mediaType: string, format: string];

/** Checks that each expected output is there once, with its facts, and no other output; null when all is as expected. */
export function namesFault(
  expected: Readonly<Record<string, OutputFacts>>,
  outputs: readonly StagedOutput[],
): string | null {
  const names = outputs.map((output) => output.name);
  const missing = Object.keys(expected).filter((name) => !names.includes(name));
  if (missing.length > 0) return `${missing.join(', ')} is missing`;
  const stray = names.find((name, index) => !Object.hasOwn(expected, name) || names.indexOf(name) !== index);
  if (stray !== undefined) return `${stray} was not expected`;
  const wrong = outputs.find(({ name, kind, mediaType, format }) => {
    const facts = expected[name];
    return facts === undefined || facts[0] !== kind || facts[1] !== mediaType || facts[2] !== format;
  });
  return wrong === undefined ? null : `${wrong.name} is reported as ${wrong.kind}, ${wrong.mediaType}`;
}
