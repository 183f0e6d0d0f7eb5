/** The usage of credits as it is asked for. */

/** Ways to divide what was spent. */
export const USAGE_GROUPS = ['day', 'job', 'key'] as const;

/** Longest time of one answer, in days; a longer one is asked for in parts, and statements have the rest. */
export const MOST_USAGE_DAYS = 366;

/** Query of the usage; times are in UTC to the microsecond, from the first on and before the last. */
export interface UsageQuery {
  readonly by: (typeof USAGE_GROUPS)[number];
  readonly limit: number;
  readonly from?: string;
  readonly to?: string;
}
