/**
 * Times as answers carry them: in UTC to the microsecond, which is how exactly the database compares them. A client
 * that sends a time back as it was answered neither misses a row nor gets a row twice; with times cut to milliseconds
 * both would happen.
 */

const EXACT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const MILLISECONDS_LENGTH = 23;

/** SQL that formats a column of times as answers carry times; null stays null. */
export function exactTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** Whether a text has the form of an exact time and names a time that exists. */
export function isExactTime(text: string): boolean {
  if (!EXACT.test(text)) return false;
  const at = new Date(text);
  // JavaScript reads a day that no month has as one of the next month, which the database does not do.
  return (
    !Number.isNaN(at.getTime()) &&
    at.toISOString().slice(0, MILLISECONDS_LENGTH) === text.slice(0, MILLISECONDS_LENGTH)
  );
}
