/**
 * Checks the outputs that a tool has reported before a byte of an output leaves the instance: each output must be a plain
 * file below the task's output folder that is reached through no link. The digest is that of the file at this moment.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { isOutputName } from '../contracts/instance.ts';
import type { StagedOutput } from '../contracts/instance.ts';
import { TASK_OUTPUTS } from '../contracts/reports.ts';
import { OutputError } from './repeat.ts';
import type { ReportedOutput } from './session.ts';

/** An output that was checked and may be staged. */
export interface FoundOutput {
  readonly path: string;
  readonly staged: StagedOutput;
  /** The bytes of a small file, so that the file is read once; null for a larger file. */
  readonly bytes: Buffer | null;
}

const SMALL_BYTES = 1024 * 1024;

/**
 * Checks and hashes the outputs of a task.
 * @throws OutputError when there are too many outputs, or an output is missing, no plain file, or outside the folder.
 */
export async function inspectOutputs(
  taskFolder: string,
  reported: readonly ReportedOutput[],
): Promise<readonly FoundOutput[]> {
  // The number is checked before a byte is hashed, because a tool may name thousands of outputs.
  if (reported.length > TASK_OUTPUTS)
    throw new OutputError(`The tool named more than ${TASK_OUTPUTS} outputs.`);
  const folder = await realpath(join(taskFolder, 'out')).catch(() => null);
  if (folder !== join(await realpath(taskFolder), 'out'))
    throw new OutputError('The output folder was replaced.');
  const names = new Set<string>();
  const found: FoundOutput[] = [];
  for (const output of reported) {
    if (!isOutputName(output.path))
      throw new OutputError('The tool named an output outside its folder, or with a name that is too long.');
    if (names.has(output.path)) throw new OutputError(`The tool named ${output.path} twice.`);
    names.add(output.path);
    found.push(await inspect(folder, output));
  }
  return found;
}

async function inspect(folder: string, output: ReportedOutput): Promise<FoundOutput> {
  const path = join(folder, output.path);
  const real = await realpath(path).catch(() => null);
  if (real === null) throw new OutputError(`The output ${output.path} is missing.`);
  if (real !== path) throw new OutputError(`The output ${output.path} is a link.`);
  // Without NONBLOCK, opening a named pipe would wait for the other end of the pipe for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const facts = await file.stat();
    if (!facts.isFile() || facts.nlink > 1)
      throw new OutputError(`The output ${output.path} is no plain file.`);
    const bytes = facts.size <= SMALL_BYTES ? await file.readFile() : null;
    const { sha256, byteSize } = bytes === null ? await hashFile(file) : hashBytes(bytes);
    const { path: name, kind, mediaType, format } = output;
    return { path, bytes, staged: { name, kind, mediaType, format, byteSize, sha256 } };
  } finally {
    await file.close();
  }
}

function hashBytes(bytes: Buffer): { sha256: string; byteSize: number } {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), byteSize: bytes.byteLength };
}

async function hashFile(file: FileHandle): Promise<{ sha256: string; byteSize: number }> {
  const digest = createHash('sha256');
  let byteSize = 0;
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0 })) {
    if (!Buffer.isBuffer(chunk)) continue;
    digest.update(chunk);
    byteSize += chunk.byteLength;
  }
  return { sha256: digest.digest('hex'), byteSize };
}
