/** The roles of people in an account, in words. */
import type { components } from 'dockyard-client/browser';

import { m } from '#messages';

export type Role = components['schemas']['InviteRequest']['role'];

export function roleWord(role: string): string {
  return role === 'owner' ? m.settings_owner() : m.settings_member();
}

/** The role and what it lets one do. */
export function roleText(role: string): string {
  return role === 'owner' ? m.settings_owner_text() : m.settings_member_text();
}
