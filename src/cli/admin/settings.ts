/** `dockyard admin settings …` */
import type { Command } from 'commander';

import { createSecretBox, rotateSettings } from '../../services/settings/index.ts';
import type { Rotation } from '../../services/settings/index.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { thisOperator } from './author.ts';

/** Adds the commands on what customers have set. */
export function addSettingsCommands(admin: Command, context: CommandContext): void {
  const settings = addGroup(admin, 'settings', 'What customers have set');
  addCommand(settings, context, {
    usage: 'rotate',
    summary: 'Encrypt every stored secret with the first key of DOCKYARD_SETTINGS_KEY.',
    examples: ['admin settings rotate', 'admin settings rotate --json'],
    run: async (cli) => {
      const { settingsKey } = await cli.settings.read('settingsKey');
      const box = createSecretBox(settingsKey);
      return withDatabase(cli, async (db) => {
        const rotation = await rotateSettings(db, box, thisOperator());
        return { data: rotation, text: textOf(rotation) };
      });
    },
  });
}

function textOf({ keyId, resealed, unknown }: Rotation): string {
  const left = Object.entries(unknown).map(
    ([id, secrets]) => `${secrets} secrets need the key ${id}, which is not in DOCKYARD_SETTINGS_KEY.\n`,
  );
  const rest = left.length === 0 ? 'No secret needs another key.\n' : left.join('');
  return `${resealed} secrets were encrypted anew with the key ${keyId}. ${rest}`;
}
