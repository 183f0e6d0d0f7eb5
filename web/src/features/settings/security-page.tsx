/** How the person signs in: password, second factor, and where that was done. */
import { m } from '#messages';

import { NewPassword } from './new-password.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { SettingsFrame } from './settings-frame.tsx';

export function SecurityPage() {
  return (
    <SettingsFrame title={m.settings_security()}>
      <SecondFactor />
      <Sessions />
      <NewPassword />
    </SettingsFrame>
  );
}
