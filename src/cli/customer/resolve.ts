/** `dockyard ligands resolve`: what an id, a name or SMILES may mean, before anything is docked. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import type { LigandCandidate, ResolveLigandRequest, ResolveLigandResponse } from '../../client/index.ts';
import { someText } from '../arguments.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { EXIT } from '../problems.ts';
import { facts, printable } from '../table.ts';
import { withService } from './service.ts';

type Kind = NonNullable<ResolveLigandRequest['kind']>;

const KINDS = ['ccd', 'name', 'smiles'] as const satisfies readonly Kind[];
const LONGEST_QUERY = 512;

/** Adds the commands on ligands. */
export function addLigandCommands(program: Command, context: CommandContext): void {
  const ligands = addGroup(program, 'ligands', 'Look ligands up');
  addCommand<{ readonly kind?: Kind }>(ligands, context, {
    usage: 'resolve <query>',
    summary:
      'Show what a component id, a name or SMILES may mean, with formula and charge. With --json also a picture and the token by which a job proves what was shown. Exit code 2 when it means nothing.',
    examples: [
      'ligands resolve imatinib',
      'ligands resolve CO --kind ccd',
      'ligands resolve "CC(=O)Nc1ccc(O)cc1" --json',
    ],
    configure: readingQuery,
    run: async (cli, { kind }, [query = '']) => {
      const request = { query, ...(kind === undefined ? {} : { kind }) };
      return told(await withService(cli, 'short', (client) => client.resolveLigand(request)));
    },
  });
}

function readingQuery(command: Command): Command {
  const [argument] = command.registeredArguments;
  argument?.argParser(someText(LONGEST_QUERY));
  const read = (text: string): Kind => {
    const kind = KINDS.find((known) => known === text.toLowerCase());
    if (kind === undefined) throw new InvalidArgumentError(`It is one of ${KINDS.join(', ')}.`);
    return kind;
  };
  return command.option('--kind <kind>', `look only for one kind: ${KINDS.join(', ')}`, read);
}

function told(answer: ResolveLigandResponse): CommandResult {
  const { candidates, warnings } = answer;
  const notes = warnings.map(({ code, message }) => `${code}: ${message}\n`);
  const text = [...candidates.map(candidateText), ...notes].join('\n');
  return { data: answer, text, exitCode: candidates.length === 0 ? EXIT.refused : EXIT.ok };
}

function candidateText({ label, source, preview }: LigandCandidate): string {
  const { formula, chargeAtPh, smilesAtPh, formalCharge, protonationPh, canonicalSmiles } = preview;
  const charge =
    chargeAtPh === null ? `${signed(formalCharge)} as drawn` : `${signed(chargeAtPh)} at pH ${protonationPh}`;
  const lines: (readonly [string, string])[] = [
    ['  Source', source.kind === 'ccd' ? `component ${source.componentId}` : 'SMILES'],
    ['  Formula', formula],
    ['  Charge', charge],
    ['  SMILES', canonicalSmiles],
    ...(smilesAtPh === null || smilesAtPh === canonicalSmiles ? [] : [['  Docked as', smilesAtPh] as const]),
    ...preview.warnings.map(({ code, message }) => ['  Warning', `${code}: ${message}`] as const),
  ];
  return `${printable(label)}\n${facts(lines)}`;
}

function signed(charge: number): string {
  return charge > 0 ? `+${charge}` : String(charge);
}
