/** What operators see of an upload in the Temporal UI. Never the name of a file. */
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { UploadState } from '../../src/domain/uploads.ts';

const STATUS = defineSearchAttributeKey('JobStatus', SearchAttributeType.KEYWORD);

/** What the details tell. */
export interface UploadView {
  readonly state: UploadState;
  readonly byteSize: number;
  readonly partCount: number;
  readonly provider: string;
  /** Null once it has ended. */
  readonly expiresAt: string | null;
  /** Completions that were asked for so far. */
  readonly completions: number;
  /** Code of the last refusal or of the end. */
  readonly lastCode: string | null;
}

/** Makes the state searchable. */
export function showUploadState(state: UploadState): void {
  upsertSearchAttributes([{ key: STATUS, value: state }]);
}

/** Shows the upload at a glance; returned text is the answer of the `details` query. */
export function showUpload(view: UploadView): string {
  const code = view.lastCode === null ? '' : `, last code: ${view.lastCode}`;
  const lines = [
    `**${view.state}**, ${view.partCount} parts, ${megabytes(view.byteSize)} MB to ${view.provider}`,
    `completions asked for: ${view.completions}${code}`,
    ...(view.expiresAt === null ? [] : [`ends by itself unless complete by ${view.expiresAt}`]),
  ];
  const text = lines.join('\n\n');
  // The UI's frame is one paragraph short.
  setCurrentDetails(`${text}\n\n\u00a0`);
  return text;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
