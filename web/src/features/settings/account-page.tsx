/** The account and the person's part in it. */
import { Link } from '@tanstack/react-router';

import { m } from '#messages';

import { useAccount } from '../../api/account.ts';
import { Facts, Panel } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import { CloseAccount } from './close-account.tsx';
import { roleText } from './role.ts';
import { SettingsFrame } from './settings-frame.tsx';

export function AccountPage() {
  const { account } = useAccount();
  return (
    <SettingsFrame title={m.settings_account()}>
      <Panel>
        <Facts
          facts={[
            [m.settings_role(), roleText(account.role)],
            [
              m.settings_plan(),
              <Link key="plan" to="/credits" search={{ tab: 'limits' }}>
                {account.plan === 'pro' ? m.settings_plan_pro() : m.settings_plan_free()}
              </Link>,
            ],
            [m.settings_opened(), <When key="opened" at={account.openedAt} />],
            [m.settings_account_id(), <code key="id">{account.id}</code>],
          ]}
        />
      </Panel>
      {account.role === 'owner' && <CloseAccount />}
    </SettingsFrame>
  );
}
