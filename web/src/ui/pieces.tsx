/** Small shared pieces: buttons, panels, notices, tables, tabs. A page puts them together and has few styles of its own. */
import { useState } from 'react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

import { m } from '#messages';

import styles from './ui.module.css';

type Kind = 'plain' | 'primary' | 'danger' | 'bare';

/** The class of a button, for a link that looks like one. */
export function buttonClass(kind: Kind = 'plain'): string {
  return kind === 'plain' ? `${styles.button}` : `${styles.button} ${styles[kind]}`;
}

/** A button; one that works says so and takes no second click. It stays what the keys have reached, so it is not disabled meanwhile. */
export function Button({
  kind = 'plain',
  busy = false,
  children,
  onClick,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly kind?: Kind; readonly busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind)}
      aria-busy={busy}
      aria-disabled={busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {children}
      {busy && <span aria-hidden="true">…</span>}
    </button>
  );
}

/** Buttons in a row. */
export function Actions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

/** Things below each other. */
export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>;
}

/** The head of a page: its title, what can be done, one line of facts. */
export function PageHead({
  title,
  facts,
  actions,
}: {
  readonly title: ReactNode;
  readonly facts?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <header className={styles.head}>
      <div className={styles.headLine}>
        <h1>{title}</h1>
        {actions !== undefined && <Actions>{actions}</Actions>}
      </div>
      {facts !== undefined && <div className="quiet">{facts}</div>}
    </header>
  );
}

/** A panel with a title. */
export function Panel({
  title,
  aside,
  flush = false,
  children,
}: {
  readonly title?: ReactNode;
  readonly aside?: ReactNode;
  /** What is inside goes to the edges, as tables do. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.panel}>
      {title !== undefined && (
        <div className={styles.panelHead}>
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      <div className={flush ? undefined : styles.panelBody}>{children}</div>
    </section>
  );
}

/** Something to know: what, why, and what to do. */
export function Notice({
  tone = 'run',
  title,
  children,
  actions,
}: {
  readonly tone?: 'run' | 'ok' | 'warn' | 'bad';
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <strong>{title}</strong>
      {children !== undefined && <div className={styles.stack}>{children}</div>}
      {actions !== undefined && <Actions>{actions}</Actions>}
    </div>
  );
}

/** Nothing is there: one sentence, one action. */
export function Empty({ text, children }: { readonly text: ReactNode; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className="quiet">{text}</p>
      {children}
    </div>
  );
}

/** The place of what is on its way; it appears after 150 ms. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={m.ui_loading()}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** A table that scrolls within itself where the page is narrow; its region can be reached by keys. */
export function Table({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>{children}</table>
    </div>
  );
}

/** The class of cells with numbers, of cells that stay on one line, and of the cell that gives way. */
export const NUMBER = styles.number;
export const LINE = styles.line;
export const CLIP = styles.clip;

/** A list of facts by name. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How much is done. */
export function Progress({ percent, label }: { readonly percent: number; readonly label: string }) {
  return <progress className={styles.bar} max={100} value={percent} aria-label={label} />;
}

/** A button that copies a text, and says that it has. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <Button
      kind="bare"
      aria-label={label}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => setCopied(true));
      }}
    >
      {copied ? m.ui_copied() : m.ui_copy()}
    </Button>
  );
}

/** A text as it is typed, such as JSON or a log. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <pre className={styles.code} tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}

/** One of several ways to look at the same thing, which is on or off. */
export function Chip({
  pressed,
  onClick,
  children,
}: {
  readonly pressed: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button type="button" className={styles.chip} aria-pressed={pressed} onClick={onClick}>
      {children}
    </button>
  );
}

export type Tone = 'ok' | 'warn' | 'bad' | 'run' | 'quiet';

const RING = 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10z';
/** How marks are drawn, 16 × 16: no font has all of them. What is filled stands apart. */
const MARKS: Readonly<Record<string, readonly [lines: string, filled?: string]>> = {
  '○': [RING],
  '◐': [RING, 'M8 3a5 5 0 0 0 0 10z'],
  '◑': [RING, 'M8 3a5 5 0 0 1 0 10z'],
  '✓': ['M3 8.500l3.500 3.500l6.500-8'],
  '✕': ['M4 4l8 8M12 4l-8 8'],
  '‖': ['M6 3.500v9M10 3.500v9'],
  '–': ['M3.500 8h9'],
};

function Mark({ mark }: { readonly mark: string }) {
  const [lines, filled] = MARKS[mark] ?? [RING];
  return (
    <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
      <path d={lines} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      {filled !== undefined && <path d={filled} fill="currentColor" />}
    </svg>
  );
}

/** A state by its mark and its word. */
export function Pill({
  mark,
  tone,
  children,
}: {
  readonly mark: string;
  readonly tone: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span className={tone === 'quiet' ? styles.pill : `${styles.pill} ${styles[tone]}`}>
      <Mark mark={mark} />
      {children}
    </span>
  );
}
