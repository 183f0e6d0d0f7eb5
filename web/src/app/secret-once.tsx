/** A secret that is shown this once: nobody goes on before it is stored, and leaving asks first. */
import type { ReactNode } from 'react';

import { m } from '#messages';

import { Button, Copy, Notice } from '../ui/pieces.tsx';
import styles from './frame.module.css';
import { useAskBeforeLeaving } from './leaving.ts';

export function SecretOnce({
  title,
  text,
  secret,
  copy,
  leave,
  onStored,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  /** Name of the button that copies the secret. */
  readonly copy: string;
  /** Question to whoever leaves without having stored it. */
  readonly leave: string;
  readonly onStored: () => void;
  readonly children?: ReactNode;
}) {
  useAskBeforeLeaving(true, leave);
  return (
    <Notice
      tone="warn"
      title={title}
      actions={
        <Button kind="primary" autoFocus onClick={onStored}>
          {m.app_stored()}
        </Button>
      }
    >
      <p className={styles.secretText}>{text}</p>
      <div className={styles.secret}>
        <code>{secret}</code>
        <Copy text={secret} label={copy} />
      </div>
      {children}
    </Notice>
  );
}
