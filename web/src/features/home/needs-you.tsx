/** What waits for the person beside jobs: credits that are low or owed, and files of which a part is missing. */
import { Link } from '@tanstack/react-router';

import { m } from '#messages';

import { useAccount } from '../../api/account.ts';
import { useGet } from '../../api/queries.ts';
import { money } from '../../ui/format.ts';
import { useNow } from '../../ui/time.tsx';
import { useUnfinished } from '../files/use-unfinished.ts';
import styles from './home.module.css';

export interface Need {
  readonly text: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
  readonly action: string;
}

/** Lists it. */
export function useNeeds(): readonly Need[] {
  const { open } = useUnfinished();
  const credits = useCreditNeed();
  return [
    ...(credits === null
      ? []
      : [{ text: credits, to: '/credits', search: { tab: 'topup' }, action: m.home_need_credits() }]),
    ...(open === null || open.length === 0
      ? []
      : [
          {
            text: m.home_unfinished({ count: open.length }),
            to: '/files',
            search: {},
            action: m.home_need_files({ count: open.length }),
          },
        ]),
  ];
}

/** Owners say in the settings of bills which credits are low; without that, none left is low. */
function useCreditNeed(): string | null {
  const { account, session } = useAccount();
  // The settings are read only where the sign-in is recent: a page that is only looked at asks for no password.
  const mayRead = account.role === 'owner' && Date.parse(session.recentUntil) > useNow();
  const { data: billing } = useGet('/settings/billing', {}, { enabled: mayRead });
  const { data: balance } = useGet('/credits/balance', {});
  if (balance === undefined) return null;
  const { available_cents: available, debt_cents: debt } = balance;
  if (debt > 0) return m.home_need_owed({ sum: money(debt) });
  const low = billing?.lowBalanceCents ?? 0;
  return available <= 0 || available < low ? m.home_need_low({ sum: money(available) }) : null;
}

/** Shows it. */
export function Needs({ needs }: { readonly needs: readonly Need[] }) {
  return (
    <ul className={styles.needs}>
      {needs.map(({ text, to, search, action }) => (
        <li key={to}>
          <span>{text}</span>{' '}
          <Link to={to} search={search}>
            {action}
          </Link>
        </li>
      ))}
    </ul>
  );
}
