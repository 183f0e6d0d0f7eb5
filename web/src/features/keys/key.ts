/** An API key and its scopes, as the API has them. */
import type { components } from 'dockyard-client/browser';

import { m } from '#messages';

export type ApiKey = components['schemas']['ApiKey'];
/** A key with its secret, which is answered once. */
export type IssuedKey = components['schemas']['IssuedApiKey'];
export type NewKey = components['schemas']['CreateApiKeyRequest'];
export type Scope = NewKey['scopes'][number];

/** What each scope permits; the compiler misses none. */
const SCOPES: Readonly<Record<Scope, () => string>> = {
  'jobs:read': m.keys_scope_jobs_read,
  'jobs:write': m.keys_scope_jobs_write,
  'credits:read': m.keys_scope_credits_read,
  convert: m.keys_scope_convert,
  'molecular:chat': m.keys_scope_molecular_chat,
  'projects:read': m.keys_scope_projects_read,
  'projects:write': m.keys_scope_projects_write,
};

function isScope(name: string): name is Scope {
  return Object.hasOwn(SCOPES, name);
}

/** All scopes that a key can have. */
export const scopes: readonly Scope[] = Object.keys(SCOPES).filter(isScope);

/** What a scope permits, in words; a scope that is not known here stands for itself. */
export function scopeWords(scope: string): string {
  return isScope(scope) ? SCOPES[scope]() : scope;
}
