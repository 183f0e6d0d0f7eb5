/** Tabs of a page, which stand in its address, and the pages of a place, which look alike. */
import { Link, useLinkProps } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';

import styles from './ui.module.css';

export interface TabLink {
  readonly tab: string;
  readonly label: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

/** Tabs with the panel of the current one. One of them is reached by Tab; the arrows lead to the others, Enter and the space bar open one. */
export function Tabs({
  label,
  current,
  tabs,
  children,
}: {
  readonly label: string;
  readonly current: string;
  readonly tabs: readonly TabLink[];
  readonly children: ReactNode;
}) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  return (
    <>
      <div
        ref={row}
        className={styles.tabs}
        role="tablist"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={(event) => moveFocus(event, [...(row.current?.querySelectorAll('a') ?? [])])}
      >
        {tabs.map((each) => (
          <Tab key={each.tab} id={id} link={each} isCurrent={each.tab === current} />
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}

function Tab({
  id,
  link: { tab, label, to, search },
  isCurrent,
}: {
  readonly id: string;
  readonly link: TabLink;
  readonly isCurrent: boolean;
}) {
  // A tab is selected; it is not the current page of a set of links.
  const { 'aria-current': _, ...props } = useLinkProps({ to, search, replace: true, resetScroll: false });
  return (
    <a
      {...props}
      id={`${id}-${tab}`}
      role="tab"
      aria-selected={isCurrent}
      aria-controls={`${id}-panel`}
      tabIndex={isCurrent ? 0 : -1}
    >
      {label}
    </a>
  );
}

/** The pages of a place, each with an address of its own. */
export function PlacePages({
  label,
  pages,
}: {
  readonly label: string;
  readonly pages: readonly (readonly [path: string, label: string])[];
}) {
  const row = useRef<HTMLElement>(null);
  // On a phone the current one may stand beyond the edge.
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <nav ref={row} className={styles.tabs} aria-label={label}>
      {pages.map(([path, words]) => (
        <Link key={path} to={path} activeOptions={{ exact: true, includeSearch: false }}>
          {words}
        </Link>
      ))}
    </nav>
  );
}

function moveFocus(event: KeyboardEvent, tabs: readonly HTMLAnchorElement[]): void {
  const at = tabs.findIndex((tab) => tab === document.activeElement);
  if (at === -1) return;
  if (event.key === ' ') tabs[at]?.click();
  else if (event.key === 'ArrowRight') tabs[(at + 1) % tabs.length]?.focus();
  else if (event.key === 'ArrowLeft') tabs.at(at - 1)?.focus();
  else if (event.key === 'Home') tabs[0]?.focus();
  else if (event.key === 'End') tabs.at(-1)?.focus();
  else return;
  event.preventDefault();
}
