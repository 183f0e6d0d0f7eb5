/** `dockyard admin databases …` */
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { resolve } from 'node:path';

import { openObjectStore } from '../../adapters/storage/open.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Database } from '../../adapters/database.ts';
import type { SequenceType } from '../../domain/databases.ts';
import { addDatabase, verifyDatabases } from '../../services/databases/add.ts';
import type { DatabaseProgress } from '../../services/databases/add.ts';
import { listDatabases, removeDatabase } from '../../services/databases/catalogue.ts';
import type { OperatorDatabase } from '../../services/databases/catalogue.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { createPackBar } from '../pack-bar.ts';
import { EXIT } from '../problems.ts';
import { facts, moment, table } from '../table.ts';
import type { Column } from '../table.ts';
import { thisOperator } from './author.ts';

interface AddOptions {
  readonly type: SequenceType;
  readonly dbVersion: string;
  readonly date: string;
  readonly replace: boolean;
  readonly json?: true;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;
const COLUMNS: readonly Column<OperatorDatabase>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'TYPE', value: ({ type }) => type },
  { title: 'VERSION', value: ({ version }) => version },
  { title: 'DATE', value: ({ date }) => date },
  { title: 'SEQUENCES', value: ({ sequences }) => sequences, align: 'right' },
  { title: 'LETTERS', value: ({ letters }) => letters, align: 'right' },
  { title: 'CHECKSUM', value: ({ checksum }) => checksum },
  { title: 'ADDED', value: ({ addedAt }) => moment(addedAt) },
];

/** Adds the commands on the catalogue of databases. */
export function addDatabasesCommands(admin: Command, context: CommandContext): void {
  const databases = addGroup(admin, 'databases', 'Sequence databases that every customer can search by name');
  addCommand<AddOptions>(databases, context, {
    usage: 'add <name> <path>',
    summary: 'Store a FASTA file, or the ready volumes of a folder, as a database of the catalogue.',
    examples: [
      'admin databases add swissprot uniprot_sprot.fasta --type prot --db-version 2026_04 --date 2026-10-15',
      'admin databases add nt /data/nt --type nucl --db-version 7 --date 2026-11-01 --replace',
    ],
    configure: (command) =>
      command
        .addOption(
          new Option('--type <type>', 'prot: proteins, nucl: nucleotide sequences')
            .choices(['prot', 'nucl'])
            .makeOptionMandatory(),
        )
        .requiredOption('--db-version <version>', 'version of the database', databaseName)
        .requiredOption('--date <date>', 'date of the database, YYYY-MM-DD', calendarDay)
        .option('--replace', 'take the place of the database that has this name', false),
    run: add,
  });
  addCommand(databases, context, {
    usage: 'list',
    summary: 'List the databases that a request can name.',
    examples: ['admin databases list', 'admin databases list --json'],
    run: list,
  });
  addCommand<{ readonly json?: true }>(databases, context, {
    usage: 'verify [name]',
    summary: 'Read the stored files again and compare them with what was added; exits 1 when they differ.',
    examples: ['admin databases verify', 'admin databases verify swissprot'],
    run: verify,
  });
  addCommand(databases, context, {
    usage: 'remove <name>',
    summary: 'Take a database out of the catalogue; its files stay until no open job reads them.',
    examples: ['admin databases remove swissprot'],
    run: remove,
  });
}

async function add(
  context: CommandContext,
  options: AddOptions,
  [name = '', path = '']: readonly string[],
): Promise<CommandResult> {
  const { type, dbVersion: version, date, replace } = options;
  const wanted = {
    name: databaseName(name),
    type,
    version,
    date,
    replace,
    path: resolve(context.folder, path),
    by: thisOperator(),
  };
  const added = await withStore(context, (parts) =>
    withProgress(context, options, wanted.name, (progress) => addDatabase(parts, wanted, progress)),
  );
  const text = facts([
    ['Name', added.name],
    ['Type', added.type],
    ['Version', added.version],
    ['Date', added.date],
    ['Sequences', added.sequences],
    ['Letters', added.letters],
    ['Checksum', added.checksum],
    ['Files', added.files.length],
  ]);
  return { data: added, text };
}

async function list(context: CommandContext): Promise<CommandResult> {
  const databases = await withDatabase(context, listDatabases);
  return {
    data: { databases },
    text: databases.length === 0 ? 'No databases.\n' : table(COLUMNS, databases),
  };
}

async function verify(
  context: CommandContext,
  options: { readonly json?: true },
  [name]: readonly string[],
): Promise<CommandResult> {
  const databases = await withStore(context, (parts) =>
    withProgress(context, options, 'verify', (progress) => verifyDatabases(parts, name, progress)),
  );
  const isGood = databases.every(({ ok }) => ok);
  const lines = databases.map((one) => `${one.name}: ${one.ok ? 'good' : one.faults.join(', ')}\n`);
  return {
    data: { ok: isGood, databases },
    text: lines.length === 0 ? 'No databases.\n' : lines.join(''),
    exitCode: isGood ? 0 : EXIT.failed,
  };
}

async function remove(
  context: CommandContext,
  _options: unknown,
  [name = '']: readonly string[],
): Promise<CommandResult> {
  const { openJobs } = await withDatabase(context, (db) => removeDatabase(db, name, thisOperator()));
  const kept = openJobs === 0 ? '' : ` ${openJobs} open jobs still read it, and are not changed by this.`;
  return {
    data: { name, openJobs },
    text: `Removed ${name}: no request can name it any more.${kept} A later sweep removes its files.\n`,
  };
}

/** Works with database and store. */
async function withStore<T>(
  context: CommandContext,
  work: (parts: { readonly db: Database; readonly store: ObjectStore }) => Promise<T>,
): Promise<T> {
  const settings = await context.settings.read(
    ...(['storageProvider', 'storageEndpoint', 'storageRegion', 'storageBucket'] as const),
    ...(['storageAccessKeyId', 'storageSecretAccessKey', 'storageSessionToken', 'storagePathStyle'] as const),
    ...(['storageEncryption', 'storageKmsKeyId', 'storageAccount', 'storageAccountKey'] as const),
    ...(['storageContainer', 'storageCaFile'] as const),
  );
  return withDatabase(context, async (db) => work({ db, store: await openObjectStore(settings) }));
}

async function withProgress<T>(
  context: CommandContext,
  { json }: { readonly json?: true },
  title: string,
  work: (progress: DatabaseProgress) => Promise<T>,
): Promise<T> {
  const none = (): void => undefined;
  if (json === true && !context.screen.isTTY) return work({ step: none, bytes: none });
  const bar = createPackBar(context.screen, title);
  try {
    return await work(bar);
  } finally {
    bar.end();
  }
}

function databaseName(text: string): string {
  if (NAME.test(text)) return text;
  throw new InvalidArgumentError(
    'It is 1 to 128 letters, digits and . _ + -, and begins with a letter or digit.',
  );
}

function calendarDay(text: string): string {
  const day = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text))
    return text;
  throw new InvalidArgumentError('It is a day such as 2026-11-22.');
}
