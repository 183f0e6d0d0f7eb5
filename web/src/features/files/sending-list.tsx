/** Files on their way, each with how far it is, how fast it goes, and what can be done. */
import { ClientError } from 'dockyard-client/browser';
import { useMemo } from 'react';

import { m } from '#messages';

import { Failure } from '../../api/failure.tsx';
import { bytes, duration, number } from '../../ui/format.ts';
import { Actions, Button, Panel, Progress } from '../../ui/pieces.tsx';
import styles from './files.module.css';
import { forget, goOn, pauseSending, useSending } from './sending.ts';
import type { Sending } from './sending.ts';

/** Rows that are drawn; of a folder of thousands the rest is counted. */
const MOST_ROWS = 50;
const RANK: Readonly<Record<Sending['state'], number>> = {
  failed: 0,
  sending: 1,
  paused: 2,
  waiting: 3,
  done: 4,
};

export function SendingList() {
  const all = useSending();
  const sorted = useMemo(() => [...all].sort((one, other) => RANK[one.state] - RANK[other.state]), [all]);
  if (all.length === 0) return null;
  const done = all.filter(({ state }) => state === 'done').length;
  return (
    <Panel title={m.files_sending({ done: number(done), all: number(all.length) })} flush>
      <ul className={styles.list}>
        {sorted.slice(0, MOST_ROWS).map((each) => (
          <Row key={each.id} sending={each} />
        ))}
      </ul>
      {sorted.length > MOST_ROWS && (
        <p className={`quiet ${styles.more}`}>{m.files_more({ n: number(sorted.length - MOST_ROWS) })}</p>
      )}
    </Panel>
  );
}

function Row({ sending }: { readonly sending: Sending }) {
  const { id, name, file, place, state, progress, error } = sending;
  const percent = state === 'done' ? 100 : ((progress?.doneBytes ?? 0) / Math.max(1, file.size)) * 100;
  return (
    <li>
      <div className={styles.line}>
        <bdi className={styles.name} title={place?.logicalPath ?? name}>
          {place?.logicalPath ?? name}
        </bdi>
        <span className="quiet small">{wordsOf(sending)}</span>
        <Actions>
          {(state === 'sending' || state === 'waiting') && (
            <Button kind="bare" aria-label={m.files_pause_one({ name })} onClick={() => pauseSending(id)}>
              {m.files_pause()}
            </Button>
          )}
          {(state === 'paused' || state === 'failed') && (
            <Button kind="bare" aria-label={m.files_go_on_one({ name })} onClick={() => goOn(id)}>
              {m.files_go_on()}
            </Button>
          )}
          {state !== 'sending' && (
            <Button kind="bare" aria-label={m.files_forget_one({ name })} onClick={() => forget(id)}>
              {m.files_forget()}
            </Button>
          )}
        </Actions>
      </div>
      <Progress percent={percent} label={m.files_percent({ name, percent: number(Math.floor(percent)) })} />
      {error !== null && <Problem error={error} />}
    </li>
  );
}

/** A fault of the file itself is one sentence; whatever else has failed is shown as everywhere. */
function Problem({ error }: { readonly error: unknown }) {
  return error instanceof ClientError && error.status === 0 && !error.passing ? (
    <p role="alert">{error.message}</p>
  ) : (
    <Failure error={error} />
  );
}

function wordsOf({ state, file, progress, isStalled }: Sending): string {
  const all = bytes(file.size);
  switch (state) {
    case 'waiting':
      return m.files_waiting({ all });
    case 'paused':
      return m.files_paused({ done: bytes(progress?.doneBytes ?? 0), all });
    case 'done':
      return m.files_done({ all });
    case 'failed':
      return m.files_failed({ all });
    case 'sending': {
      if (isStalled && progress?.phase !== 'verifying')
        return m.files_stalled({ done: bytes(progress?.doneBytes ?? 0), all });
      if (progress === null) return m.files_begins({ all });
      if (progress.phase !== 'sending') return m.files_verifying({ all });
      const { doneBytes, bytesPerSecond, secondsLeft } = progress;
      const left = secondsLeft === null ? '…' : duration(secondsLeft);
      return m.files_moves({ done: bytes(doneBytes), all, speed: bytes(bytesPerSecond), left });
    }
  }
}
