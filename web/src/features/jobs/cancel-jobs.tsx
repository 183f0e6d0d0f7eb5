/** Cancels jobs that were chosen, each by its id: whatever is listed here is what ends, and nothing else. */
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { answers } from '../../api/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Actions, Button } from '../../ui/pieces.tsx';
import styles from './jobs.module.css';
import type { Job } from './job.ts';

type Chosen = Pick<Job, 'jobId' | 'jobName'>;

export function CancelJobs({
  jobs,
  onClose,
}: {
  readonly jobs: readonly Chosen[];
  readonly onClose: () => void;
}) {
  const [keys] = useState(() => new Map(jobs.map(({ jobId }) => [jobId, crypto.randomUUID()])));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const cancel = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      for (const { jobId } of jobs)
        await api.post('/jobs/{jobId}/cancel', {
          path: { jobId },
          body: {},
          idempotencyKey: keys.get(jobId) ?? null,
        });
      await answers.invalidateQueries({ queryKey: ['/jobs'] });
      onClose();
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Dialog title={m.jobs_cancel_title({ count: jobs.length })} onClose={onClose}>
      <ul className={styles.listed}>
        {jobs.map(({ jobId, jobName }) => (
          <li key={jobId}>
            <bdi>{jobName ?? jobId}</bdi> <code className="quiet">{jobId.slice(0, 8)}</code>
          </li>
        ))}
      </ul>
      <p>{m.jobs_cancel_text()}</p>
      {error !== null && <Failure error={error} />}
      <Actions>
        <Button kind="danger" busy={busy} onClick={() => void cancel()}>
          {m.jobs_cancel_do({ count: jobs.length })}
        </Button>
        <Button onClick={onClose} autoFocus>
          {m.jobs_cancel_not()}
        </Button>
      </Actions>
    </Dialog>
  );
}
