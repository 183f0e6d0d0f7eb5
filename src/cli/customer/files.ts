/** `dockyard files …`: what is stored, and giving its room back. */
import type { Command } from 'commander';

import type { UploadItem } from '../../client/types.ts';
import { id as readId, wholeNumber } from '../arguments.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { facts, table } from '../table.ts';
import type { Column } from '../table.ts';
import { withService } from './service.ts';

const UPLOAD = '01890a5d-ac96-774b-bcce-b302099a8057';
const MOST_SHOWN = 10_000;
const SHOWN = 100;

const COLUMNS: readonly Column<UploadItem>[] = [
  { title: 'UPLOAD', value: ({ uploadId }) => uploadId },
  { title: 'BYTES', value: ({ size }) => size, align: 'right' },
  { title: 'STORED', value: ({ completedAt }) => completedAt?.slice(0, 10) ?? null },
  { title: 'NAME', value: ({ logicalPath, filename }) => logicalPath ?? filename },
  { title: 'KEY', value: ({ key }) => key },
];

/** Adds the commands on stored files. */
export function addFileCommands(program: Command, context: CommandContext): void {
  const files = addGroup(program, 'files', 'Stored files of the account');
  addCommand<{ readonly limit: number }>(files, context, {
    usage: 'list',
    summary: 'List stored files, newest first, and how much of the quota is taken.',
    examples: ['files list', 'files list --limit 1000 --json'],
    configure: (command) =>
      command.option('--limit <n>', 'how many at most', wholeNumber(1, MOST_SHOWN), SHOWN),
    run: async (cli, { limit }) => {
      const { usage, found } = await withService(cli, 'long', async (client) => {
        const listed: UploadItem[] = [];
        const asked = { state: 'completed', limit: Math.min(limit, SHOWN) };
        for await (const file of client.listUploads(asked)) if (listed.push(file) === limit) break;
        return { usage: await client.uploadUsage(), found: listed };
      });
      const room = facts([
        ['Stored', `${usage.usedBytes} bytes in ${usage.files} files`],
        ['Reserved', `${usage.reservedBytes} bytes for open uploads`],
        ['Quota', `${usage.quotaBytes} bytes`],
      ]);
      return {
        data: { usage, files: found },
        text: found.length === 0 ? room : `${table(COLUMNS, found)}\n${room}`,
      };
    },
  });
  addCommand(files, context, {
    usage: 'delete <upload...>',
    summary: 'Delete stored files, named by their uploads, for ever. A file that something needs is refused.',
    examples: [`files delete ${UPLOAD}`],
    run: async (cli, _options, uploads) => {
      const ids = uploads.map(readId);
      await withService(cli, 'long', async (client) => {
        for (const uploadId of ids) await client.deleteFile(uploadId);
      });
      return { data: { deleted: ids }, text: ids.map((uploadId) => `${uploadId} is deleted.\n`).join('') };
    },
  });
}
