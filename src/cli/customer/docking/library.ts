/** Stores a library file as it is, once, however often it is docked. */
import { basename } from 'node:path';

import { ClientError, uploadStateFolder } from '../../../client/index.ts';
import type { Client, UploadedFile } from '../../../client/index.ts';
import { LIGAND_MEDIA_TYPES } from '../../../tools/ligand-files.ts';
import type { LibraryFile } from '../../../tools/ligand-files.ts';
import { unpackedName } from '../../../tools/packed-file.ts';
import type { CommandContext } from '../../command.ts';
import { createUploadBar } from '../../upload-bar.ts';

const LONGEST_LABEL = 512;

/** Stores a library and registers it; a file that is stored already is not sent again. @returns the id of the artifact. */
export async function placeLibrary(
  { screen, env }: Pick<CommandContext, 'screen' | 'env'>,
  client: Client,
  { path, format }: LibraryFile,
): Promise<string> {
  const name = basename(path);
  const bar = createUploadBar(screen, name);
  const contentType = unpackedName(path) === path ? LIGAND_MEDIA_TYPES[format] : 'application/gzip';
  const send = async (skipStored: boolean): Promise<UploadedFile> => {
    try {
      const sent = await client.upload(
        { path, contentType },
        { skipStored, stateFolder: uploadStateFolder(env), onProgress: bar.show },
      );
      bar.end(sent.skipped ? 'stored already' : 'stored');
      return sent;
    } catch (error) {
      bar.end(null);
      throw error;
    }
  };
  const register = async ({ storageKey }: UploadedFile): Promise<string> => {
    // The same stored file is the same artifact. A key of its own for each command has the service look at the bytes again.
    const label = name.slice(0, LONGEST_LABEL);
    const { artifact } = await client.registerArtifact({ storageKey, format, label });
    return artifact.artifactId;
  };
  const sent = await send(true);
  try {
    return await register(sent);
  } catch (error) {
    // The bytes of a file that was stored before may have been removed or changed in the store.
    if (!sent.skipped || !(error instanceof ClientError) || !LOST_CODES.has(error.code)) throw error;
    return register(await send(false));
  }
}

const LOST_CODES: ReadonlySet<string> = new Set(['INPUT_NOT_FOUND', 'CHECKSUM_MISMATCH']);
