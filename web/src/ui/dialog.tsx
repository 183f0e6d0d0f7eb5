/** A dialog over the page, for what costs, ends or deletes; Escape closes it, and the focus goes back. */
import { useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';

import styles from './ui.module.css';

export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // It is closed before it is gone: only then the focus goes back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.dialogBody}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
