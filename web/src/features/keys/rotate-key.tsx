/** Gives a key a successor; the old one works beside it for a time. */
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/form.tsx';
import { Actions, Button } from '../../ui/pieces.tsx';
import type { ApiKey, IssuedKey } from './key.ts';
import styles from './keys.module.css';

const HOUR = 3_600;
const DAY = 24 * HOUR;

export function RotateKey({
  apiKey,
  onIssued,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onIssued: (issued: IssuedKey) => void;
  readonly onClose: () => void;
}) {
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [overlap, setOverlap] = useState(String(DAY));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const rotate = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const body = { overlapSeconds: Number(overlap) };
      onIssued(await api.post('/keys/{keyId}/rotate', { path: { keyId: apiKey.id }, body, idempotencyKey }));
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Dialog title={m.keys_rotate_title()} onClose={onClose}>
      <p className={styles.text}>{m.keys_rotate_text({ name: apiKey.name })}</p>
      <SelectField
        label={m.keys_overlap()}
        value={overlap}
        options={[
          ['0', m.keys_overlap_none()],
          [String(HOUR), m.keys_overlap_hour()],
          [String(DAY), m.keys_overlap_day()],
          [String(7 * DAY), m.keys_overlap_week()],
        ]}
        onText={setOverlap}
      />
      {error !== null && <Failure error={error} />}
      <Actions>
        <Button kind="primary" busy={busy} onClick={() => void rotate()}>
          {m.keys_rotate_do()}
        </Button>
        <Button onClick={onClose}>{m.ui_cancel()}</Button>
      </Actions>
    </Dialog>
  );
}
