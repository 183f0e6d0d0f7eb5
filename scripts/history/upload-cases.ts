/** Cases of uploads: each end, the refusals before it, a long one that continues as new. */
import { createHash, randomUUID } from 'node:crypto';

import { v7 as uuidv7 } from 'uuid';

import { plainAccess } from '../../src/adapters/temporal/access.ts';
import { createUploadWorkflows } from '../../src/adapters/temporal/uploads.ts';
import type { UploadWorkflows } from '../../src/adapters/temporal/uploads.ts';
import { uploadWorkflowId } from '../../src/contracts/names.ts';
import type { UploadTerms } from '../../src/contracts/upload.ts';
import { createAccount } from '../../src/services/identity/index.ts';
import { uploadKey } from '../../src/services/upload-key.ts';
import type { Case } from './cases.ts';
import type { RecordedHistory } from './files.ts';
import { holdsText } from './history-text.ts';
import { historyOf, runsOf, until } from './recorder.ts';
import type { Recorder } from './recorder.ts';
import type { MultipartInitResponse } from '../../src/domain/answers.ts';

const CONTENT = 'confidential content';
const FILE = { filename: 'confidential-file.pdb', contentType: 'text/plain', size: CONTENT.length };
/** How long an answer is waited for. */
export const WAIT_MS = 20_000;

interface Called {
  readonly status: number;
  readonly body: unknown;
}

type Call = (method: string, path: string, body?: unknown) => Promise<Called>;

async function callerOf({ db, stack }: Recorder): Promise<Call> {
  const { liveKey } = await createAccount(db, { email: `${randomUUID()}@example.com`, creditsPence: 0 });
  return async (method, path, body) => {
    const answer = await fetch(`${stack.apiUrl}/api/v1/uploads${path}`, {
      method,
      headers: { authorization: `Bearer ${liveKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const parsed: unknown = text === '' ? null : JSON.parse(text);
    return { status: answer.status, body: parsed };
  };
}

async function start(call: Call, more: object = {}): Promise<MultipartInitResponse> {
  const { body } = await call('POST', '', { ...FILE, ...more });
  if (!isStarted(body)) throw new Error(`the upload was not opened: ${JSON.stringify(body)}`);
  return body;
}

function isStarted(body: unknown): body is MultipartInitResponse {
  return typeof body === 'object' && body !== null && 'uploadId' in body && 'parts' in body;
}

async function sendPart({ parts: [part] }: MultipartInitResponse): Promise<void> {
  if (part === undefined) throw new Error('no address for the part');
  const { status } = await fetch(part.url, { method: 'PUT', body: CONTENT });
  insist(status === 200, 'a part that was stored');
}

function complete(call: Call, uploadId: string, more: object = {}): Promise<Called> {
  return call('POST', `/${uploadId}/complete`, { parts: [{ partNumber: 1 }], ...more });
}

/** Refuses a recording that does not show what it is for. */
export function insist(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`there is not ${what}`);
}

/** The histories of an upload that has ended. */
export async function ended(recorder: Recorder, uploadId: string, text: string): Promise<RecordedHistory[]> {
  const temporal = await recorder.temporal();
  const query = `WorkflowId = "${uploadWorkflowId(uploadId)}"`;
  await until(`upload ${uploadId} has ended`, async () => {
    const running = await temporal.workflow.count(`${query} AND ExecutionStatus = "Running"`);
    const all = await temporal.workflow.count(`${query} AND ExecutionStatus != "Running"`);
    return running.count === 0 && all.count > 0;
  });
  const runs = await runsOf(temporal, query);
  const histories = await Promise.all(runs.map((run) => historyOf(run, recorder.stack)));
  insist(holdsText(histories, text), `${text} in the history`);
  return histories;
}

/** Terms as the API composes them, with a life that ends soon. */
export async function soonOver(recorder: Recorder, expirySeconds: number): Promise<UploadTerms> {
  const { accountId } = await createAccount(recorder.db, {
    email: `${randomUUID()}@example.com`,
    creditsPence: 0,
  });
  const uploadId = uuidv7();
  return {
    uploadId,
    accountId,
    storageKey: uploadKey(accountId, uploadId, FILE),
    filename: FILE.filename,
    contentType: FILE.contentType,
    byteSize: FILE.size,
    announcedSha256: null,
    projectId: null,
    logicalPath: null,
    jobType: null,
    checksumAlgorithm: null,
    partSize: 5 * 1024 * 1024,
    partCount: 1,
    provider: 'aws',
    quotaBytes: 1_000_000,
    fingerprint: 'f'.repeat(64),
    openBy: new Date(Date.now() + 60_000).toISOString(),
    expirySeconds,
  };
}

/** Lets something send messages to uploads' workflows. */
export async function withWorkflows<T>(
  { stack }: Recorder,
  maxHistoryEvents: number,
  work: (workflows: UploadWorkflows) => Promise<T>,
): Promise<T> {
  const workflows = createUploadWorkflows({
    ...plainAccess(stack.temporalAddress, stack.temporalNamespace),
    maxHistoryEvents,
  });
  try {
    return await work(workflows);
  } finally {
    await workflows.close();
  }
}

/** Cases of uploads. */
export const UPLOAD_CASES: readonly Case[] = [
  {
    name: 'completed',
    async run(recorder) {
      const call = await callerOf(recorder);
      const sha256 = createHash('sha256').update(CONTENT).digest('hex');
      const upload = await start(call, { sha256 });
      await sendPart(upload);
      const answers = await Promise.all([
        complete(call, upload.uploadId),
        complete(call, upload.uploadId, { sha256 }),
      ]);
      insist(
        answers.every(({ status }) => status === 200),
        'a completion twice',
      );
      return ended(recorder, upload.uploadId, '"state":"COMPLETED"');
    },
  },
  {
    name: 'plain',
    async run(recorder) {
      const call = await callerOf(recorder);
      const upload = await start(call);
      await sendPart(upload);
      insist((await complete(call, upload.uploadId)).status === 200, 'a completion');
      return ended(recorder, upload.uploadId, '"state":"COMPLETED"');
    },
  },
  {
    name: 'mismatch',
    async run(recorder) {
      const call = await callerOf(recorder);
      const upload = await start(call, { sha256: 'a'.repeat(64) });
      await sendPart(upload);
      insist((await complete(call, upload.uploadId)).status === 422, 'a refusal');
      return ended(recorder, upload.uploadId, '"code":"CHECKSUM_MISMATCH"');
    },
  },
  {
    name: 'aborted',
    async run(recorder) {
      const call = await callerOf(recorder);
      const upload = await start(call);
      await sendPart(upload);
      insist((await call('DELETE', `/${upload.uploadId}`)).status === 204, 'an abort');
      return ended(recorder, upload.uploadId, '"state":"ABORTED"');
    },
  },
  {
    name: 'refused',
    async run(recorder) {
      const terms = { ...(await soonOver(recorder, 60)), quotaBytes: 1 };
      return withWorkflows(recorder, 1000, async (workflows) => {
        await workflows.open(terms, WAIT_MS);
        return ended(recorder, terms.uploadId, '"code":"STORAGE_QUOTA_EXCEEDED"');
      });
    },
  },
  {
    name: 'expired',
    async run(recorder) {
      const terms = await soonOver(recorder, 3);
      return withWorkflows(recorder, 1000, async (workflows) => {
        await workflows.open(terms, WAIT_MS);
        return ended(recorder, terms.uploadId, '"state":"EXPIRED"');
      });
    },
  },
  {
    name: 'continued',
    async run(recorder) {
      const terms = await soonOver(recorder, 600);
      const { uploadId, accountId, partCount, byteSize, provider } = terms;
      return withWorkflows(recorder, 100, async (workflows) => {
        const opened = await workflows.open(terms, WAIT_MS);
        if (opened.kind !== 'decided' || opened.decision.kind !== 'opened') throw new Error('not opened');
        const { decision } = opened;
        const carry = { uploadId, partCount, byteSize, provider, decision, expiresAt: decision.expiresAt };
        for (let turn = 0; turn < 15; turn += 1) {
          const request = { partsSha256: 'none', sha256: null };
          const answer = await workflows.complete({ accountId, carry }, request, WAIT_MS);
          insist(answer.kind === 'decided' && answer.decision.kind === 'refused', 'a refusal');
        }
        await workflows.abort({ accountId, carry }, WAIT_MS);
        const histories = await ended(recorder, uploadId, '"state":"ABORTED"');
        insist(histories.length > 1, 'a second run');
        return histories;
      });
    },
  },
];
