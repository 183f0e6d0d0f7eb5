/** The view of an upload in the Temporal UI, for operators. The view never holds the name of a file. */
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { UploadState } from '../../src/domain/uploads.ts';

const STATUS = defineSearchAttributeKey('JobStatus', SearchAttributeType.KEYWORD);

/** The facts of an upload that operators see. */
export interface UploadView {
  readonly state: UploadState;
  readonly byteSize: number;
  readonly partCount: number;
  readonly provider: string;
  /** When the upload expires; null once the upload has ended. */
  readonly expiresAt: string | null;
  /** How many completions were requested so far. */
  readonly completions: number;
  /** The code of the last refusal or of the end; null when there was neither. */
  readonly lastCode: string | null;
}

/** Makes the state of the upload searchable. */
export function showUploadState(state: UploadState): void {
  upsertSearchAttributes([{ key: STATUS, value: state }]);
}

/** Shows the upload; the returned text is the answer of the query `details`. */
export function showUpload(view: UploadView): string {
  const code = view.lastCode === null ? '' : `, last code: ${view.lastCode}`;
  const lines = [
    `**${view.state}**, ${view.partCount} parts, ${megabytes(view.byteSize)} MB to ${view.provider}`,
    `completions asked for: ${view.completions}${code}`,
    ...(view.expiresAt === null ? [] : [`ends by itself unless complete by ${view.expiresAt}`]),
  ];
  const text = lines.join('\n\n');
  // The frame of the Temporal UI cuts off one paragraph.
  setCurrentDetails(`${text}\n\n\u00a0`);
  return text;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
