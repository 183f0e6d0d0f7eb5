/** What is around every page: places at the left (below on phones), and a line with finder, credits and account. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';

import { m } from '#messages';

import { useAccount } from '../api/account.ts';
import { bareApi } from '../api/api.ts';
import { useGet } from '../api/queries.ts';
import { money } from '../ui/format.ts';
import { Menu } from '../ui/menu.tsx';
import { buttonClass } from '../ui/pieces.tsx';
import { Finder } from './finder.tsx';
import styles from './frame.module.css';
import { Help, useKeys } from './keys.tsx';
import { shareSignOut, useWay } from './live.ts';
import { places } from './navigation.ts';
import { chooseTheme, chosenTheme } from './theme.ts';
import type { Theme } from './theme.ts';

/** The frame of pages for people who have signed in. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [over, setOver] = useState<'finder' | 'help' | null>(null);
  const navigate = useNavigate();
  useKeys({
    onFind: () => setOver('finder'),
    onHelp: () => setOver('help'),
    onPlace: (path) => void navigate({ to: path }),
  });
  return (
    <div className={styles.frame}>
      <a href="#page" className={styles.skip}>
        {m.app_skip()}
      </a>
      <nav className={styles.places} aria-label={m.app_places()}>
        <Brand />
        {places.map(({ path, label, drawing }) => (
          <Link key={path} to={path} activeOptions={{ exact: path === '/', includeSearch: false }}>
            <Drawing path={drawing} />
            <span>{label()}</span>
          </Link>
        ))}
      </nav>
      <header className={styles.top}>
        <button type="button" className={styles.find} onClick={() => setOver('finder')}>
          <span>{m.app_find()}</span>
          <kbd>/</kbd>
        </button>
        <Credits />
        <Link to="/jobs/new" className={`${buttonClass()} ${styles.new}`}>
          {m.app_new_job()}
        </Link>
        <AccountMenu onHelp={() => setOver('help')} />
      </header>
      <Connection />
      <main id="page" className={styles.page} tabIndex={-1}>
        {children}
      </main>
      {over === 'finder' && <Finder onClose={() => setOver(null)} />}
      {over === 'help' && <Help onClose={() => setOver(null)} />}
    </div>
  );
}

/** The frame of pages that anybody may see. */
export function OpenFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.open}>
      <header className={styles.openHead}>
        <Brand />
      </header>
      <main id="page" className={styles.openPage}>
        {children}
      </main>
    </div>
  );
}

function Brand() {
  return (
    <Link to="/" className={styles.brand} activeOptions={{ exact: true }}>
      <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
        <rect width="16" height="16" rx="3" fill="var(--accent)" />
        <path
          d="M4.5 11.5v-7h2.7a3.5 3.5 0 0 1 0 7z"
          fill="none"
          stroke="var(--on-accent)"
          strokeWidth="1.6"
        />
      </svg>
      <span>Dockyard</span>
    </Link>
  );
}

function Drawing({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function Credits() {
  const { data } = useGet('/credits/balance', {});
  if (data === undefined) return <span className={styles.credits} />;
  const { available_cents: available, held_cents: held } = data;
  return (
    <Link to="/credits" className={styles.credits}>
      {m.app_available({ sum: money(available) })}
      {held > 0 && <span className={styles.held}> · {m.app_held({ sum: money(held) })}</span>}
    </Link>
  );
}

const THEMES: readonly (readonly [Theme, () => string])[] = [
  ['system', m.app_theme_system],
  ['light', m.app_theme_light],
  ['dark', m.app_theme_dark],
];

function AccountMenu({ onHelp }: { readonly onHelp: () => void }) {
  const { user } = useAccount();
  const [theme, setTheme] = useState(chosenTheme);
  const signOut = async (): Promise<void> => {
    await bareApi.post('/auth/sign-out', { idempotencyKey: null }).catch(() => undefined);
    shareSignOut();
  };
  return (
    <Menu
      label={m.app_account({ email: user.email })}
      button={
        <>
          <Drawing path="M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.5 14c.6-3 2.800-4 5.500-4s4.900 1 5.500 4" />
          <span className={styles.person}>{user.email}</span>
        </>
      }
    >
      <div className={styles.menuHead}>{user.email}</div>
      {THEMES.map(([each, words]) => (
        <button
          key={each}
          type="button"
          aria-pressed={theme === each}
          onClick={() => {
            chooseTheme(each);
            setTheme(each);
          }}
        >
          {theme === each ? '✓ ' : ''}
          {words()}
        </button>
      ))}
      <button type="button" onClick={onHelp}>
        {m.app_keys()}
      </button>
      <a href="/docs">{m.app_reference()}</a>
      <button type="button" onClick={() => void signOut()}>
        {m.app_sign_out()}
      </button>
    </Menu>
  );
}

/** Says when nothing comes from the service any more. */
function Connection() {
  const way = useWay();
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const read = (): void => setOnline(navigator.onLine);
    addEventListener('online', read);
    addEventListener('offline', read);
    return () => {
      removeEventListener('online', read);
      removeEventListener('offline', read);
    };
  }, []);
  const words = isOnline ? (way === 'lost' ? m.app_reconnecting() : '') : m.app_offline();
  return (
    <div role="status" className={styles.connection} hidden={words === ''}>
      {words}
    </div>
  );
}
