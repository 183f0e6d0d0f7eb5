/** Points in time as fields of forms have them: in the zone of the reader, to the minute. */

const MINUTE_MS = 60_000;
const FIELD_LENGTH = 'yyyy-mm-ddThh:mm'.length;

/** The text that a field shows for a time; nothing for a text that is no time. */
export function fieldTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, FIELD_LENGTH);
}

/** The time that a field shows; null for none. */
export function isoOf(field: string): string | null {
  const at = new Date(field);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
