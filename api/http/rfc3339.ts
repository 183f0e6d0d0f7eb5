/**
 * Times as clients send them: RFC 3339 `date-time`, every one of them and nothing else, so that the format in the OpenAPI
 * document is exact. A zone is required: a time without one would be read in the zone of whichever server answers.
 */

/** A time in UTC to the microsecond, or why the text is none. */
export type ReadTime =
  | { readonly ok: true; readonly time: string }
  | { readonly ok: false; readonly why: 'form' | 'unreal' };

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Digits after the point, as many as were sent. */
  readonly fraction: string;
  /** Hours and minutes of the zone, both with its sign. */
  readonly zoneHours: number;
  readonly zoneMinutes: number;
}

const FORM =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[Tt](?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d+))?(?:[Zz]|(?<sign>[+-])(?<zoneHours>\d\d):(?<zoneMinutes>\d\d))$/;
const FIRST = '1970-01-01T00:00:00.000000Z';
const LAST = '9999-12-31T23:59:59.999999Z';
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59);
const SECONDS_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length;
const MICROSECOND_DIGITS = 6;
const MINUTES_A_DAY = 24 * 60;
const MS_A_MINUTE = 60_000;

/**
 * Reads a time. Digits beyond the microsecond are cut off. A time before 1970 or after 9999 counts as the first or last
 * microsecond between: nothing happened there, so no comparison comes out otherwise. A leap second, which RFC 3339 allows in the
 * last minute of a day in UTC alone, counts as the second after it: the clocks of databases have none.
 */
export function readTime(text: string): ReadTime {
  const parts = partsOf(text);
  if (parts === null) return { ok: false, why: 'form' };
  if (!isDay(parts) || !isClock(parts)) return { ok: false, why: 'unreal' };
  const local = midnightOf(parts).setUTCHours(parts.hour, parts.minute, parts.second);
  const at = local - zoneOf(parts) * MS_A_MINUTE;
  if (at < 0) return { ok: true, time: FIRST };
  if (at > LAST_SECOND) return { ok: true, time: LAST };
  const micros = parts.fraction.slice(0, MICROSECOND_DIGITS).padEnd(MICROSECOND_DIGITS, '0');
  return { ok: true, time: `${new Date(at).toISOString().slice(0, SECONDS_LENGTH)}.${micros}Z` };
}

function partsOf(text: string): Parts | null {
  const found = FORM.exec(text)?.groups;
  if (found === undefined) return null;
  const number = (name: string): number => Number(found[name] ?? 0);
  const sign = found['sign'] === '-' ? -1 : 1;
  return {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
    fraction: found['fraction'] ?? '',
    zoneHours: sign * number('zoneHours'),
    zoneMinutes: sign * number('zoneMinutes'),
  };
}

/** JavaScript reads a day that its month does not have, such as 30 February, as a day of the next month. */
function isDay(parts: Parts): boolean {
  const midnight = midnightOf(parts);
  return midnight.getUTCMonth() === parts.month - 1 && midnight.getUTCDate() === parts.day;
}

function isClock(parts: Parts): boolean {
  const { hour, minute, second, zoneHours, zoneMinutes } = parts;
  if (hour > 23 || minute > 59 || Math.abs(zoneHours) > 23 || Math.abs(zoneMinutes) > 59) return false;
  if (second < 60) return true;
  const minuteOfDay = (hour * 60 + minute - zoneOf(parts) + 2 * MINUTES_A_DAY) % MINUTES_A_DAY;
  return second === 60 && minuteOfDay === MINUTES_A_DAY - 1;
}

/** The time is not made by `Date.UTC`, which takes the years 0 to 99 for 1900 to 1999. */
function midnightOf({ year, month, day }: Parts): Date {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  return midnight;
}

/** Minutes that the zone is ahead of UTC. */
function zoneOf({ zoneHours, zoneMinutes }: Parts): number {
  return zoneHours * 60 + zoneMinutes;
}
