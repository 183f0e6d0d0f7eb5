/** The signed receipt of a job, verified in this page: its signature, and what it says against the bill and the outputs. */
import { hasEnded } from 'dockyard-client/browser';
import { useQuery } from '@tanstack/react-query';

import { m } from '#messages';

import { Loaded } from '../../api/failure.tsx';
import { Button, Code, Empty, Panel, Pill, Stack } from '../../ui/pieces.tsx';
import type { TabProps } from './job.ts';
import styles from './jobs.module.css';
import { readReceipt } from './verify-receipt.ts';
import type { Finding } from './verify-receipt.ts';

export function ReceiptTab({ status }: TabProps) {
  const { jobId, execution } = status;
  const isSettled = hasEnded(status) || status.status === 'PAUSED';
  const answer = useQuery({
    queryKey: ['/jobs/{jobId}/receipt', { path: { jobId } }, execution, status.status],
    queryFn: () => readReceipt(jobId),
    enabled: isSettled,
    staleTime: 60_000,
  });
  if (!isSettled) return <Empty text={m.receipt_not_yet()} />;
  return (
    <Stack>
      <Loaded answer={answer} lines={6}>
        {({ text, findings }) => (
          <>
            <Panel title={m.receipt_compared()}>
              <ul className={styles.listed}>
                {findings.map((finding) => (
                  <Found key={finding.what} finding={finding} />
                ))}
              </ul>
            </Panel>
            <Panel
              title={m.jobs_tab_receipt()}
              aside={<SaveText text={text} name={`receipt-${jobId}.json`} />}
            >
              <Code label={m.jobs_tab_receipt()} text={text} />
            </Panel>
            <p className="quiet small">{m.receipt_offline()}</p>
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function Found({ finding: { what, isRight, detail } }: { readonly finding: Finding }) {
  return (
    <li className={styles.status}>
      <Pill mark={isRight ? '✓' : '✕'} tone={isRight ? 'ok' : 'bad'}>
        {isRight ? m.receipt_right() : m.receipt_wrong()}
      </Pill>
      <span>{what}</span>
      <span className="quiet small">{detail}</span>
    </li>
  );
}

function SaveText({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <Button
      onClick={() => {
        const address = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
        const link = document.createElement('a');
        link.href = address;
        link.download = name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(address), 60_000);
      }}
    >
      {m.outputs_save()}
    </Button>
  );
}
