/** What the client says by itself, where the service has not answered or could not be believed. */
import type { CLIENT_CODES } from '../../../client/index.ts';

/** A code of `dockyard-client`. */
type ClientCode = (typeof CLIENT_CODES)[keyof typeof CLIENT_CODES];

/** Every code of the client with its meaning: what happened and what to do. */
export const CLIENT_MEANINGS: Readonly<Record<ClientCode, string>> = {
  CONNECTION_LOST: 'The service or the store did not answer; check the address, then repeat the command.',
  UNEXPECTED_ANSWER: 'What answered is not this service, such as a proxy; check the address.',
  TRANSFER_REFUSED:
    'The object store refused a transfer; the message says why. Repeat the command for fresh addresses.',
  DIGEST_MISMATCH: 'Downloaded bytes are not those that were announced; nothing was kept. Download again.',
  FILE_UNREADABLE: 'The file cannot be opened or read; check its name and rights.',
  FILE_EMPTY: 'The file has no bytes, and the service stores none such.',
  FILE_CHANGED: 'The file was written to while it was uploaded; upload it again when it rests.',
  PACKAGE_INVALID: 'The folder holds names that no package can hold; the message lists them.',
  UPLOAD_IN_PROGRESS: 'Another process uploads this file; wait for its end or stop it.',
  STATE_UNUSABLE:
    'The folder in which unfinished uploads are noted cannot be written; mend its rights or name another one.',
  NO_OPEN_UPLOAD: 'There is no unfinished upload of this file on this machine.',
};
