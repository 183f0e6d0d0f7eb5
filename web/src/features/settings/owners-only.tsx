/** A page that owners alone may see and change; a member is told so. */
import type { ReactNode } from 'react';

import { m } from '#messages';

import { useAccount } from '../../api/account.ts';
import { Notice } from '../../ui/pieces.tsx';

export function OwnersOnly({ children }: { readonly children: ReactNode }) {
  return useAccount().account.role === 'owner' ? (
    children
  ) : (
    <Notice title={m.settings_owners_only()}>{m.settings_owners_only_text()}</Notice>
  );
}
