/** The mails that owners can switch off, each by its name. */
import type { NotificationSettings } from './answers.ts';

/** A change: what is left out stays. */
export type NotificationSettingsRequest = Partial<NotificationSettings>;
