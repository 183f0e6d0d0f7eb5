/** The mails that owners can switch off, each by its name. */

/** GET and PUT /settings/notifications. */
export interface NotificationSettings {
  /** At 50, 80 and 100 % of the limit of the account's month. */
  readonly accountLimit: boolean;
  /** At 50, 80 and 100 % of the limit of an API key's month. */
  readonly keyLimit: boolean;
  /** When the balance falls below the amount of the billing settings. */
  readonly lowBalance: boolean;
}

/** A change: what is left out stays. */
export type NotificationSettingsRequest = Partial<NotificationSettings>;
