/** Tabs of a page, which stand in its address. */
import { Link } from '@tanstack/react-router';

import styles from './ui.module.css';

export interface TabLink {
  readonly tab: string;
  readonly label: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

export function Tabs({
  label,
  current,
  tabs,
}: {
  readonly label: string;
  readonly current: string;
  readonly tabs: readonly TabLink[];
}) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ tab, label: words, to, search }) => (
        <Link
          key={tab}
          to={to}
          search={search}
          replace
          resetScroll={false}
          activeProps={{ 'aria-current': undefined }}
          aria-current={tab === current ? 'page' : undefined}
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}
