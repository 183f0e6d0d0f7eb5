/** A question before something ends, goes or gets another holder. What fails is said in it, and it stays open. */
import { useState } from 'react';
import type { ReactNode } from 'react';

import { m } from '#messages';

import { Failure } from '../../api/failure.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Actions, Button } from '../../ui/pieces.tsx';

export function Ask({
  title,
  action,
  kind = 'danger',
  run,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly kind?: 'primary' | 'danger';
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await run();
      onClose();
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {error !== null && <Failure error={error} />}
      <Actions>
        <Button kind={kind} busy={busy} onClick={() => void act()}>
          {action}
        </Button>
        <Button autoFocus onClick={onClose}>
          {m.ui_cancel()}
        </Button>
      </Actions>
    </Dialog>
  );
}
