/** A list of links and buttons below a button. */
import { useId, useRef } from 'react';
import type { ReactNode } from 'react';

import { buttonClass } from './pieces.tsx';
import styles from './ui.module.css';

export function Menu({
  label,
  button,
  children,
}: {
  readonly label: string;
  readonly button: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const place = (): void => {
    const at = opener.current?.getBoundingClientRect();
    if (at === undefined || list.current === null) return;
    list.current.style.top = `${at.bottom + 4}px`;
    list.current.style.right = `${document.documentElement.clientWidth - at.right}px`;
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={buttonClass()}
        aria-label={label}
        aria-haspopup="true"
        popoverTarget={id}
      >
        {button}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        className={styles.menu}
        onBeforeToggle={place}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}
