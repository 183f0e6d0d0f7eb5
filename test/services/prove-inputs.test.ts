import { createHash, randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { PinnedInput } from '../../src/contracts/job.ts';
import { AppError } from '../../src/domain/errors.ts';
import { proveInputs } from '../../src/services/jobs/prove-inputs.ts';
import { loadJob } from '../../src/services/job-records/request.ts';
import { createDigestReader } from '../../src/services/stored-objects/stored-digests.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the proof of the inputs of a job that goes on', () => {
  const home = suiteHome();
  const put = (key: string, text: string): Promise<void> =>
    home.store.put(key, Buffer.from(text), 'application/octet-stream');
  /** A job with inputs of these texts, and how often an input is read to prove it. */
  const jobWith = async (...texts: readonly string[]) => {
    const { jobId, accountId } = await runningJob(home);
    const keys = texts.map((_, n) => `accounts/${accountId}/uploads/${randomUUID()}/${String(n)}.bin`);
    for (const [n, text] of texts.entries()) {
      await put(keys[n] ?? '', text);
      await home.db.query(
        'insert into job_inputs (job_id, storage_key, byte_size, sha256) values ($1, $2, $3, $4)',
        [jobId, keys[n], text.length, sha256Of(text)],
      );
    }
    let reads = 0;
    const reader = createDigestReader(home.store);
    const digests: typeof reader = {
      read: (seen) => {
        reads += 1;
        return reader.read(seen);
      },
    };
    const prove = async (): Promise<ReadonlyMap<string, PinnedInput> | string> => {
      const job = await loadJob(home.db, home.store, jobId);
      return proveInputs({ db: home.db, store: home.store, digests }, job).catch((error: unknown) =>
        error instanceof AppError ? `${error.code} ${error.publicMessage}` : String(error),
      );
    };
    return { accountId, keys, prove, reads: () => reads };
  };

  it('finds inputs that are gone, shorter, or overwritten at equal size, and names them', async () => {
    const { keys, prove } = await jobWith('first', 'second', 'third', 'fourth');
    expect([...((await prove()) as ReadonlyMap<string, PinnedInput>).keys()].sort()).to.deep.equal(
      [...keys].sort(),
    );
    await put(keys[1] ?? '', 'SECOND');
    await put(keys[2] ?? '', 'thi');
    await home.store.remove([keys[3] ?? '']);
    const refused = await prove();
    expect(refused).to.match(/^JOB_NOT_RESUMABLE /);
    for (const [n, key] of keys.entries())
      if (n === 0) expect(refused).to.not.include(key);
      else expect(refused).to.include(key);
    await put(keys[1] ?? '', 'second');
    await put(keys[2] ?? '', 'third');
    await put(keys[3] ?? '', 'fourth');
    expect(await prove()).to.be.instanceOf(Map);
  });

  it('reads no input whose bytes the store is known to have by their ETag', async () => {
    const { accountId, keys, prove, reads } = await jobWith('only');
    const [key = ''] = keys;
    const etag = async () => (await home.store.head(key))?.etag ?? null;
    await home.db.query(
      `insert into stored_objects (storage_key, account_id, upload_id, filename, content_type, byte_size, sha256, etag, state)
       values ($1, $2, $3, 'only.bin', 'application/octet-stream', 4, $4, $5, 'VERIFIED')`,
      [key, accountId, randomUUID(), sha256Of('only'), await etag()],
    );
    expect(await prove()).to.be.instanceOf(Map);
    expect(reads()).to.equal(0);
    await put(key, 'else');
    expect(await prove()).to.include(key);
    // The new bytes are those of another upload now, and the ETag of these proves nothing for the job.
    await home.db.query('update stored_objects set sha256 = $2, etag = $3 where storage_key = $1', [
      ...[key, sha256Of('else'), await etag()],
    ]);
    expect(await prove()).to.include(key);
  });
});
