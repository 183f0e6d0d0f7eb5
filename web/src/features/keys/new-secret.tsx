/** A new key, which is shown this once: nobody goes on before it is stored, and leaving asks first. */
import { m } from '#messages';

import { useAskBeforeLeaving } from '../../app/leaving.ts';
import { Button, Code, Copy, Notice } from '../../ui/pieces.tsx';
import type { IssuedKey } from './key.ts';
import styles from './keys.module.css';

export function NewSecret({
  issued,
  onStored,
}: {
  readonly issued: IssuedKey;
  readonly onStored: () => void;
}) {
  useAskBeforeLeaving(true, m.keys_leave());
  const curl = `curl -H "Authorization: Bearer $DOCKYARD_API_KEY" ${location.origin}/api/v1/credits/balance`;
  return (
    <Notice
      tone="warn"
      title={m.keys_once()}
      actions={
        <Button kind="primary" autoFocus onClick={onStored}>
          {m.keys_stored()}
        </Button>
      }
    >
      <p className={styles.text}>{m.keys_once_text({ name: issued.name })}</p>
      <div className={styles.secret}>
        <code>{issued.key}</code>
        <Copy text={issued.key} label={m.keys_copy()} />
      </div>
      {issued.scopes.includes('credits:read') && (
        <>
          <p>{m.keys_try()}</p>
          <Code text={curl} label={m.keys_try()} />
        </>
      )}
    </Notice>
  );
}
