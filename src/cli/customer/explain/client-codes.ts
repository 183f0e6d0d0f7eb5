/** Codes of the client itself, where the service has not answered or could not be believed. */
import type { CLIENT_CODES } from '../../../client/index.ts';
import { says } from '../../../domain/codes/code.ts';
import type { CodeGroup, CodeWords } from '../../../domain/codes/code.ts';

/** A code of `dockyard-client`. */
type ClientCode = (typeof CLIENT_CODES)[keyof typeof CLIENT_CODES];

const WORDS: Readonly<Record<ClientCode, CodeWords>> = {
  CONNECTION_LOST: says(
    'The service or the store did not answer.',
    'Check the address, then repeat the command.',
  ),
  UNEXPECTED_ANSWER: says(
    'What answered is not this service, but something such as a proxy.',
    'Check the address.',
  ),
  TRANSFER_REFUSED: says(
    'The object store refused a transfer; the message says why.',
    'Repeat the command for fresh addresses.',
  ),
  DIGEST_MISMATCH: says(
    'Downloaded bytes are not those that were announced, and nothing was kept.',
    'Download the file again.',
  ),
  FILE_UNREADABLE: says('The file cannot be opened or read.', 'Check the name and the rights of the file.'),
  FILE_EMPTY: says('The file has no bytes, and the service stores none such.', 'Send a file with content.'),
  FILE_CHANGED: says(
    'The file was written to while it was uploaded.',
    'Upload the file again when nothing writes to it.',
  ),
  PACKAGE_INVALID: says(
    'The folder holds names that no package can hold; the message lists them.',
    'Rename or remove what the message lists.',
  ),
  UPLOAD_IN_PROGRESS: says(
    'Another process uploads this file.',
    'Wait for the end of the other process, or stop it.',
  ),
  STATE_UNUSABLE: says(
    'The folder in which unfinished uploads are noted cannot be written.',
    'Mend the rights of the folder, or name another one.',
  ),
  NO_OPEN_UPLOAD: says(
    'There is no unfinished upload of this file on this machine.',
    'Start the upload without asking to go on with one.',
  ),
  WEBHOOK_UNREADABLE: says(
    'What came is no message of a webhook: a header of Standard Webhooks is missing, or the body is no JSON.',
    'Check that the request comes from the service, and that nothing on the way takes headers away.',
  ),
  WEBHOOK_EXPIRED: says(
    'The message of a webhook was signed too long ago, or in the future, so it may be an old one that somebody repeats.',
    'Refuse it, and set the clock of the receiver if it is wrong.',
  ),
  WEBHOOK_SIGNATURE_WRONG: says(
    'The message of a webhook is not signed by any of the secrets, or its body is not the one that was signed.',
    'Refuse it. If the service has sent it, give the secret of this webhook and the body as it came, before it was parsed.',
  ),
  WEBHOOK_SECRET_INVALID: says(
    'The text is no secret of a webhook.',
    'Copy the secret whole; it begins with whsec_ and goes on in base64.',
  ),
};

/** Every code of the client. */
export const CLIENT_GROUP: CodeGroup = {
  kind: 'error of the client',
  tool: null,
  title: 'Errors of the client',
  note: 'The package `dockyard-client`, and the command line that uses it, give these by themselves.',
  codes: WORDS,
};
