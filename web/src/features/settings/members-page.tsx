/** The people of the account: their roles, those who are invited, and leaving. */
import { m } from '#messages';

import { useAccount } from '../../api/account.ts';
import { Notice } from '../../ui/pieces.tsx';
import { Invitations } from './invitations.tsx';
import { Members } from './members.tsx';
import { SettingsFrame } from './settings-frame.tsx';

export function MembersPage() {
  const isOwner = useAccount().account.role === 'owner';
  return (
    <SettingsFrame title={m.settings_members()}>
      {!isOwner && <Notice title={m.settings_members_owners()}>{m.settings_owners_only_text()}</Notice>}
      <Members isOwner={isOwner} />
      {isOwner && <Invitations />}
    </SettingsFrame>
  );
}
