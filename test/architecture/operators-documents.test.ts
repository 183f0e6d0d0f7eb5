/**
 * What operators are told to type exists: every command of the command line that their documents name is one, with the options that are named,
 * and every setting is one of the product or of the compose file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { describeConfig } from '../../src/config.ts';
import { bubblewrapPack } from '../../src/packs/bubblewrap.ts';
import { packVariableOf } from '../../src/packs/pack.ts';
import { runCommand } from '../support/command-line.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const DOCUMENTS = ['docs/operations.md', 'docs/runbook.md', 'deploy/README.md', 'deploy/aws.md'];
/** A command within a line or a span of code, up to the remark behind it. */
const COMMAND = /dockyard(?:\.ts)? ((?:admin|ledger|tools|keys|login|migrate|codec-server)\b[^`#|;]*)/g;
const WORD = /^[a-z][a-z-]*$/;
/** Documents show an abbreviation where one setting of many is meant. */
const SETTING = /\bDOCKYARD_[A-Z0-9_]+[A-Z0-9]\b(?!_?…|_?\*)/g;

interface Named {
  readonly words: readonly string[];
  readonly options: readonly string[];
}

/** The commands of a document, each with the options that it is named with. */
function commandsIn(text: string): readonly Named[] {
  const code = [...text.matchAll(/^ *```[\s\S]*?^ *```|`[^`]+`/gm)].flatMap(([span]) =>
    span.trimStart().startsWith('```') ? span.split('\n') : [span.replaceAll('\n', ' ')],
  );
  return code
    .flatMap((line) => [...line.matchAll(COMMAND)].map(([, command = '']) => command.split(/\s+/)))
    .map((tokens) => {
      const end = tokens.findIndex((token) => !WORD.test(token));
      return {
        words: tokens.slice(0, end === -1 ? tokens.length : end),
        options: tokens.filter((token) => token.startsWith('--')),
      };
    });
}

describe('documents of operators', () => {
  it('name commands that there are, with options that they have', async () => {
    const commands = [...DOCUMENTS, 'docs/packs.md'].flatMap((path) =>
      commandsIn(read(path)).map((named) => ({ ...named, path })),
    );
    expect(commands.length).to.be.greaterThan(40);
    for (const { words, options, path } of commands) {
      const { code, out, err } = await runCommand([...words, '--help'], {}, repositoryRoot);
      const where = `${path}: dockyard ${words.join(' ')}`;
      expect(code, `${where}: ${err}`).to.equal(0);
      expect(out, where).to.include(`Usage: dockyard ${words.slice(0, 2).join(' ')}`);
      for (const option of options) expect(out, where).to.include(option);
    }
  });

  it('name settings that there are', () => {
    const known = new Set([
      ...describeConfig().map(({ name }) => name),
      // What the compose file asks for beside the settings of processes, and where the embedded stack lives.
      ...[...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)|^\s+args: \[(\w+)\]/gm)].map(
        ([, variable, argument]) => variable ?? argument ?? '',
      ),
      'DOCKYARD_HOME',
      packVariableOf(bubblewrapPack.name),
      // Of the customer's command line.
      ...['DOCKYARD_API_URL', 'DOCKYARD_API_KEY'],
    ]);
    for (const path of [...DOCUMENTS, 'deploy/production.env.example']) {
      const named = [...read(path).matchAll(SETTING)].map(([name]) => name);
      expect(
        named.filter((name) => !known.has(name)),
        path,
      ).to.deep.equal([]);
    }
  });
});
