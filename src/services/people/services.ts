/** Everything about people, as the API calls it: signing up and in, sessions, second factors and command lines. */
import { bound } from '../bound.ts';
import { approveCli, beginCliSession } from './cli.ts';
import { createOidc } from './oidc.ts';
import type { Oidc, OidcDependencies } from './oidc.ts';
import { closeOwnAccount, readOwnAccount } from './own-account.ts';
import type { OwnAccountDependencies } from './own-account.ts';
import { createPeople } from './people.ts';
import type { PeopleDependencies } from './people.ts';
import { endSession, endSessions, listSessions } from './sessions.ts';
import { beginTotp, confirmTotp, disableTotp, totpState } from './totp.ts';

/** Makes the operations on people. */
export function createPeopleServices(deps: PeopleDependencies & OidcDependencies & OwnAccountDependencies) {
  const [of, read] = [bound(deps), bound(deps.db)];
  const oidc = createOidc(deps);
  return {
    ...createPeople(deps),
    startOidc: (...sent: Parameters<Oidc['start']>) => oidc.start(...sent),
    oidcReturnTo: (...sent: Parameters<Oidc['returnTo']>) => oidc.returnTo(...sent),
    oidcCallback: (...sent: Parameters<Oidc['callback']>) => oidc.callback(...sent),
    finishOidc: (...sent: Parameters<Oidc['finish']>) => oidc.finish(...sent),
    installation: () => deps.installation,
    ownAccount: of(readOwnAccount),
    closeOwnAccount: of(closeOwnAccount),
    sessions: read(listSessions),
    endSession: read(endSession),
    endSessions: read(endSessions),
    totp: read(totpState),
    beginTotp: of(beginTotp),
    confirmTotp: of(confirmTotp),
    disableTotp: of(disableTotp),
    approveCli: read(approveCli),
    beginCliSession: of(beginCliSession),
  };
}
