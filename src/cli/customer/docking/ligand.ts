/** The one ligand of an experiment, as a command line names it: a file, an id of the dictionary, SMILES, or a name to look up. */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';

import type { Client } from '../../../client/index.ts';
import type { CreateDockingExperimentRequest, LigandCandidate } from '../../../client/types.ts';
import type { JobFiles } from '../../../tools/command.ts';
import { endingOf, LIGAND_BOUND, LIGAND_ENDINGS, LIGAND_MEDIA_TYPES } from '../../../tools/ligand-files.ts';
import { unpackedName, withUnpacked } from '../../../tools/packed-file.ts';
import { idOfName, labelOfName } from '../../../tools/ligand-library/names.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { printable } from '../../table.ts';

type Ligand = CreateDockingExperimentRequest['ligand'];
type Identity = Extract<Ligand, { readonly ligandId: string }>;
type Preparation = NonNullable<Identity['preparation']>;

const LONGEST_LABEL = 200;

/** The ligand that a text names, stored at the service where it is a file. @throws CommandProblem. */
export async function ligandOf(
  client: Pick<Client, 'resolveLigand'>,
  files: Pick<JobFiles, 'register'>,
  text: string,
  { folder, preparation }: { readonly folder: string; readonly preparation: Preparation | null },
): Promise<{ readonly name: string; readonly ligand: Ligand }> {
  const prepared = preparation === null ? {} : { preparation };
  const path = resolve(folder, text);
  if (existsSync(path)) {
    const artifact = await register(files, path, text);
    const name = unpackedName(basename(path)).replace(/\.[^.]+$/, '');
    const ligandId = idOfName(name) || 'ligand';
    return { name, ligand: { ligandId, label: labelOfName(name, ligandId), source: artifact, ...prepared } };
  }
  const [, kind = '', value = ''] = /^(ccd|smiles):(.+)$/is.exec(text) ?? [];
  const query =
    kind === ''
      ? { query: text }
      : ({ query: value, kind: kind.toLowerCase() === 'ccd' ? 'ccd' : 'smiles' } as const);
  const { candidates, warnings } = await client.resolveLigand(query);
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) throw unclear(text, candidates, warnings);
  const { label, source } = only;
  const ligandId = source.kind === 'ccd' ? source.componentId : idOfName(label) || 'ligand';
  return { name: label, ligand: { ligandId, label, source, ...prepared } };
}

async function register(
  files: Pick<JobFiles, 'register'>,
  path: string,
  named: string,
): Promise<Identity['source']> {
  const format = LIGAND_ENDINGS[endingOf(path)];
  if (format === undefined) {
    throw new CommandProblem(
      EXIT.refused,
      'USAGE_LIGANDS',
      `${named} is no ligand: it must end in ${Object.keys(LIGAND_ENDINGS).join(', ')}, or in one of these and .gz. A library is docked by: dockyard dock`,
    );
  }
  const contentType = LIGAND_MEDIA_TYPES[format];
  const artifact = await withUnpacked(path, LIGAND_BOUND, (unpacked) => {
    const label = basename(unpacked).slice(0, LONGEST_LABEL);
    return files.register({ path: unpacked, contentType, purpose: 'ligand', format, label });
  });
  return { kind: 'artifact', artifact: { ...artifact, format } };
}

/** Nothing, or several things: what was found, and how to say which of them is meant. */
function unclear(
  text: string,
  candidates: readonly LigandCandidate[],
  warnings: readonly { readonly message: string }[],
): CommandProblem {
  const found = candidates.map(({ label, source }) => {
    const exact = source.kind === 'ccd' ? `ccd:${source.componentId}` : `smiles:${source.smiles}`;
    return `\n  ${exact}  ${printable(label)}`;
  });
  const message =
    candidates.length === 0
      ? `${text} is no file here and no ligand that is known: ${warnings.map((one) => one.message).join(' ')} Give a file, ccd:ID or smiles:TEXT.`
      : `${text} may mean ${candidates.length} ligands. Name one of them:${found.join('')}`;
  return new CommandProblem(EXIT.refused, 'USAGE_LIGANDS', message);
}
