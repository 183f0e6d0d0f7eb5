/** The settings that say where mail goes. */
import Joi from 'joi';

import { text } from './setting.ts';

/** Settings of mail, by their names in code. */
export const MAIL_SETTINGS = {
  smtpUrl: text(
    Joi.string()
      .uri({ scheme: ['smtp', 'smtps'] })
      .allow('')
      .default(''),
    'DOCKYARD_SMTP_URL',
    ['api', 'control'],
    'Server that mail is handed to, as smtps://user:password@host:465; empty: mail goes into a folder.',
  ),
  smtpTls: text(
    Joi.string().valid('required', 'when-offered').default('required'),
    'DOCKYARD_SMTP_TLS',
    ['api', 'control'],
    'Whether a server of smtp:// beyond this machine must offer STARTTLS. when-offered sends password and codes in the clear to a server, or to whoever stands before the server, that offers none.',
  ),
  mailFrom: text(
    Joi.string().default('Dockyard <no-reply@localhost>'),
    'DOCKYARD_MAIL_FROM',
    ['api', 'control'],
    'Sender of mail.',
  ),
  mailDir: text(
    Joi.string().default('mail'),
    'DOCKYARD_MAIL_DIR',
    ['api', 'control'],
    'Folder that mail goes into where there is no server; the first lines of the log say where that is.',
  ),
};
