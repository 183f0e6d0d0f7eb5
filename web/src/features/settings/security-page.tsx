/** Where the person has signed in, and the second factor of the sign-in. */
import { m } from '#messages';

import { PageHead, Stack } from '../../ui/pieces.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export function SecurityPage() {
  return (
    <Stack>
      <title>{m.app_title({ page: m.settings_security() })}</title>
      <PageHead title={m.settings_security()} facts={m.settings_security_text()} />
      <SecondFactor />
      <Sessions />
    </Stack>
  );
}
