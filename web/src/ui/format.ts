/** Numbers, money and times as people read them. Money is counted in pence, and nothing here computes a price. */
import { m } from '#messages';

const MINUS = '\u2212';
const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
const plain = new Intl.NumberFormat('en-GB');
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

const withMinus = (text: string): string => text.replace('-', MINUS);

/** Pence as pounds. */
export function money(pence: number): string {
  return withMinus(pounds.format(pence / 100));
}

/** An amount in units of any currency. */
export function amount(value: number, currency: string): string {
  return withMinus(
    new Intl.NumberFormat('en-GB', { style: 'currency', currency, maximumFractionDigits: 4 }).format(value),
  );
}

/** A number. */
export function number(value: number, digits?: number): string {
  return withMinus(digits === undefined ? plain.format(value) : value.toFixed(digits));
}

/** A number of bytes. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let at = 0;
  let left = value;
  while (left >= 1000 && at < units.length - 1) [left, at] = [left / 1000, at + 1];
  return `${at === 0 || left >= 100 ? Math.round(left) : left.toFixed(1)} ${units[at] ?? ''}`;
}

/** A time that has passed or is left, in its two largest units. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return m.ui_seconds({ n: whole });
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return m.ui_minutes({ n: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48)
    return minutes % 60 === 0
      ? m.ui_hours({ n: hours })
      : m.ui_hours_minutes({ h: hours, min: minutes % 60 });
  return m.ui_days({ n: Math.round(hours / 24) });
}

/** A point in time in the reader's zone. */
export function localTime(iso: string): string {
  return date.format(new Date(iso));
}

/** The time of day in the reader's zone. */
export function timeOfDay(ms: number): string {
  return clock.format(new Date(ms));
}

/** A point in time in UTC, for what is shown on hover. */
export function utcTime(iso: string): string {
  return `${utc.format(new Date(iso))} UTC`;
}
