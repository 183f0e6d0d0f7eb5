/** The mails to people. The mails hold no name and no amount, and work as plain text. Links have the code in their fragment, which no server sees. */
import type { Mail } from '../../adapters/mail/mail.ts';
import type { LeftMember } from '../../domain/answers.ts';

/** Asks a person to confirm the address of a sign-up. */
export function confirmMail(to: string, code: string, publicUrl: string): Mail {
  return {
    to,
    subject: 'Confirm your address',
    text: [
      `Somebody, perhaps you, has signed up at ${publicUrl} with this address.`,
      `Your code, which is good for 24 hours and once:\n\n    ${code}`,
      `Confirm it on the web: ${publicUrl}/confirm#code=${code}`,
      `With the command line:\n\n    dockyard sign-up --url ${publicUrl} --email ${to} --code CODE`,
      `Programs send it to POST ${publicUrl}/api/v1/auth/verify as {"code": "...", "password": "..."}, with the password of the sign-up.`,
      'If it was not you, do nothing: without the code nothing happens.',
    ].join('\n\n'),
  };
}

/** Sends a person the code to set a new password with. */
export function resetMail(to: string, code: string, publicUrl: string): Mail {
  return { to, subject: 'Set a new password', text: resetText(code, publicUrl) };
}

/** Tells a person who signs up again that there is an account already. */
export function knownMail(to: string, code: string, publicUrl: string): Mail {
  const opening = `Somebody, perhaps you, has signed up at ${publicUrl} with this address, which is known there already. Sign in with your password, or set a new one.`;
  return { to, subject: 'You have signed up before', text: `${opening}\n\n${resetText(code, publicUrl)}` };
}

/** Sends a person the code with which to join an account. */
export function invitationMail(to: string, code: string, publicUrl: string): Mail {
  return {
    to,
    subject: 'You are invited to an account',
    text: [
      `An owner of an account at ${publicUrl} invites you to it.`,
      `Your code, which is good for seven days and once:\n\n    ${code}`,
      `Join on the web: ${publicUrl}/join#code=${code}`,
      `Programs send it to POST ${publicUrl}/api/v1/auth/invitations/accept as {"code": "...", "password": "..."}, with your password there, or one to begin with.`,
      'If you do not know why, do nothing: without the code nothing happens.',
    ].join('\n\n'),
  };
}

/** Tells an owner that somebody has left, and which keys of that person go on. */
export function departureMail(to: string, { email, keys }: LeftMember, publicUrl: string): Mail {
  const named = keys.map(
    ({ id, environment, prefix, last4 }) => `    ${id}  ${environment}  ${prefix}…${last4}`,
  );
  const told =
    named.length === 0
      ? ['No key of this person can be used any more.']
      : [
          `These keys of this person go on until an owner revokes them:\n\n${named.join('\n')}`,
          `See GET ${publicUrl}/api/v1/keys and DELETE ${publicUrl}/api/v1/keys/{id}.`,
        ];
  return {
    to,
    subject: 'Somebody has left your account',
    text: [`${email} belongs to your account at ${publicUrl} no more.`, ...told].join('\n\n'),
  };
}

function resetText(code: string, publicUrl: string): string {
  return [
    `The code for a new password at ${publicUrl}, which is good for an hour and once:\n\n    ${code}`,
    `Set it on the web: ${publicUrl}/reset#code=${code}`,
    `Programs send it to POST ${publicUrl}/api/v1/auth/password/reset as {"code": "...", "password": "..."}.`,
    'A new password ends every session. If it was not you, do nothing: the old password stays.',
  ].join('\n\n');
}
