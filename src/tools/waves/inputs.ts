/** The files of a job by name: the case, and the files that stand beside its command file. */
import type { WorkKind } from '../../contracts/job.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { NamedFile, TaskReads } from '../tool.ts';

/** The archive or the command file. */
export const SOURCE = 'case/source';
/** Output of the preparation: each case as it was understood, and whether its run may be cut. */
export const PLAN = 'plan.json';

const BESIDE = 'case/beside/';

type WithFiles = Pick<SubmitJobRequest, 'sceneFile' | 'attachments'>;

/** The stored files that the job reads. */
export function caseFiles({ sceneFile, attachments = [] }: WithFiles): readonly NamedFile[] {
  const source = sceneFile === undefined ? [] : [{ storageKey: sceneFile, name: SOURCE }];
  return [...source, ...attachments.map((storageKey, index) => ({ storageKey, name: `${BESIDE}${index}` }))];
}

/** Names that the files of `attachments` have in the case, with the names of the inputs. */
export function filesBeside({ attachments = [] }: WithFiles): Readonly<Record<string, string>> {
  return Object.fromEntries(attachments.map((key, index) => [fileNameOf(key), `${BESIDE}${index}`]));
}

/** Every step and task reads the whole case; a task also reads what the preparation made. */
export function caseReads(request: WithFiles, kind: WorkKind, prepared: readonly string[]): TaskReads {
  const inputs = caseFiles(request).map(({ name }) => ({ from: name, as: name }));
  return { inputs, prepared: kind === 'task' ? prepared : [] };
}

/** The name of a stored file: the end of its key. */
export function fileNameOf(storageKey: string): string {
  return storageKey.slice(storageKey.lastIndexOf('/') + 1);
}
