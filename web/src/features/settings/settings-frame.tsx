/** What is around each page of the settings: whose they are, and the way to the others. */
import type { ReactNode } from 'react';

import { m } from '#messages';

import { useAccount } from '../../api/account.ts';
import { PageHead, Stack } from '../../ui/pieces.tsx';
import { PlacePages } from '../../ui/tabs.tsx';
import { roleWord } from './role.ts';

const PAGES: readonly (readonly [path: string, label: () => string])[] = [
  ['/settings', m.settings_account],
  ['/settings/security', m.settings_security],
  ['/settings/members', m.settings_members],
  ['/settings/notifications', m.settings_mails],
  ['/settings/licence-servers', m.settings_licences],
  ['/settings/audit', m.settings_audit],
];

export function SettingsFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { user, account } = useAccount();
  return (
    <Stack>
      <title>{m.app_title({ page: title })}</title>
      <PageHead
        title={m.settings_title()}
        facts={
          <>
            <bdi>{user.email}</bdi> · {roleWord(account.role)}
          </>
        }
      />
      <PlacePages label={m.settings_title()} pages={PAGES.map(([path, label]) => [path, label()])} />
      {children}
    </Stack>
  );
}
