/** Signing in, sessions and members, composed over mail and passwords. */
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

import type { Services } from '../../../api/services.ts';
import { openIdentityProvider } from '../../adapters/identity/open.ts';
import { uploadOriginOf } from '../../adapters/storage/browser-access.ts';
import { openMailer } from '../../adapters/mail/open.ts';
import type { ConfigOf } from '../../config.ts';
import {
  createAttemptCookies,
  createMembers,
  createPasswords,
  createPeopleServices,
  createPost,
  createSessionCookies,
  createSessionReader,
} from '../../services/people/index.ts';
import { createSecretBox } from '../../services/secret-box.ts';

/** The services, how a cookie becomes a person, and how mails that are under way end. */
export interface PeopleServices {
  readonly services: Services['people'];
  readonly members: Services['members'];
  readonly sessions: Pick<Services['identity'], 'session' | 'wasSession'>;
  readonly close: () => Promise<void>;
}

const OIDC_CALLBACK = '/api/v1/auth/oidc/callback';

/** Opens them, and says in the log where mail goes. */
export function openPeopleServices(db: DataSource, config: ConfigOf<'api'>, log: Logger): PeopleServices {
  const mailer = openMailer(config);
  log.info(
    { place: mailer.place },
    config.smtpUrl === '' ? 'mail goes into a folder' : 'mail goes to a server',
  );
  const cookies = createSessionCookies(config.secret);
  const reader = createSessionReader(db, cookies);
  const passwords = createPasswords();
  const post = createPost(mailer, log);
  const factors = { db, box: createSecretBox(config.settingsKey) };
  const people = createPeopleServices({
    ...factors,
    cookies,
    passwords,
    post,
    publicUrl: config.publicUrl,
    welcomePence: config.welcomePence,
    installation: {
      signInProvider: config.oidcIssuer !== '',
      payments: config.stripeSecretKey !== '',
      welcomeCents: config.welcomePence,
      uploadOrigin: uploadOriginOf(config),
    },
    attempts: createAttemptCookies(config.secret),
    provider: openIdentityProvider({ ...config, redirectUrl: `${config.publicUrl}${OIDC_CALLBACK}` }),
  });
  return {
    services: people,
    sessions: {
      session: (cookie) => reader.find(cookie),
      wasSession: (cookie) => reader.wasOpen(cookie),
    },
    members: createMembers({ db, passwords, post, publicUrl: config.publicUrl }),
    close: () => post.close(),
  };
}
