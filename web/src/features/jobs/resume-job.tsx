/** Resumes a job for what is missing, with the price and, where the person wants one, a limit. */
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { answers } from '../../api/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form.tsx';
import { money } from '../../ui/format.ts';
import { Actions, Button, Stack } from '../../ui/pieces.tsx';
import { penceOf } from '../../ui/pounds.ts';
import type { Status } from './job.ts';

export function ResumeJob({ status, onClose }: { readonly status: Status; readonly onClose: () => void }) {
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [limit, setLimit] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { jobId, cost } = status;
  const limitCents = penceOf(limit);
  const problem = limit === '' || limitCents !== null ? null : m.jobs_resume_pounds();
  const resume = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const body = limitCents === null ? {} : { limitCents };
      await api.post('/jobs/{jobId}/resume', { path: { jobId }, body, idempotencyKey });
      await answers.invalidateQueries({ queryKey: ['/jobs/{jobId}/status', { path: { jobId } }] });
      onClose();
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Dialog title={m.jobs_resume_title()} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === null) void resume();
        }}
      >
        <Stack>
          <p>{m.jobs_resume_text({ sum: money(cost.toFinishCents ?? 0) })}</p>
          <TextField
            label={m.jobs_resume_limit()}
            help={m.jobs_resume_limit_help()}
            inputMode="decimal"
            value={limit}
            problem={problem}
            onText={setLimit}
          />
          {error !== null && <Failure error={error} />}
          <Actions>
            <Button kind="primary" type="submit" busy={busy}>
              {m.jobs_resume_do()}
            </Button>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
          </Actions>
        </Stack>
      </form>
    </Dialog>
  );
}
