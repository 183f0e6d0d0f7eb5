/** A licence server as it is typed, and what is wrong with it by the rules of the document. */
import { fields } from 'document:fields/LicenseServerRequest';
import type { components } from 'dockyard-client/browser';

import { m } from '#messages';

import { problemOf } from '../../ui/form.tsx';

export type LicenceServer = components['schemas']['LicenseServer'];
export type LicenceServerBody = components['schemas']['LicenseServerRequest'];
export type Protocol = LicenceServerBody['protocol'];

export const PROTOCOLS: readonly Protocol[] = ['tcp', 'http', 'https'];

/** The protocol of a text; tcp for what is none. */
export function protocolOf(text: string | undefined): Protocol {
  return PROTOCOLS.find((each) => each === text) ?? 'tcp';
}

const TEXTS = ['name', 'software', 'host', 'port', 'secret'] as const;
export type TextName = (typeof TEXTS)[number];

export type Draft = Readonly<Record<TextName, string>> & {
  readonly protocol: Protocol;
  /** Whether a secret that is stored is to go. */
  readonly forget: boolean;
};

export function draftOf(server: LicenceServer | null): Draft {
  const { name = '', software = '', protocol, host = '', port } = server ?? {};
  const known = protocolOf(protocol);
  return { name, software, protocol: known, host, port: port?.toString() ?? '', secret: '', forget: false };
}

export const addressOf = ({ protocol, host, port }: LicenceServer): string =>
  `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** What is wrong with each text; nothing for those that may be sent. */
export function problemsOf(draft: Draft): Partial<Record<TextName, string>> {
  const found: Partial<Record<TextName, string>> = {};
  for (const name of TEXTS) {
    const rule = fields[name];
    const text = draft[name].trim();
    const problem = rule === undefined ? null : problemOf(rule, text);
    if (problem !== null) found[name] = problem;
    else if (name === 'port' && !isPort(text)) found[name] = m.settings_licence_no_port();
  }
  return found;
}

function isPort(text: string): boolean {
  const { minimum = 1, maximum = Infinity } = fields['port'] ?? {};
  return /^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}

export function bodyOf({ name, software, protocol, host, port, secret, forget }: Draft): LicenceServerBody {
  const told = {
    name: name.trim(),
    software: software.trim(),
    protocol,
    host: host.trim(),
    port: Number(port),
  };
  if (secret.trim() !== '') return { ...told, secret: secret.trim() };
  return forget ? { ...told, secret: null } : told;
}

export const helpOf = (name: TextName | 'protocol'): string | undefined => fields[name]?.help;
