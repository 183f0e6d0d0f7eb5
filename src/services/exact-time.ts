/**
 * Times as answers carry them: in UTC to the microsecond, which is how exactly the database compares them. A client that
 * sends a time back as it was answered then neither misses a row nor gets one again; one cut to milliseconds would do both.
 */

const EXACT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const MILLISECONDS_LENGTH = 23;

/** SQL of a column of times as answers carry them; null stays null. */
export function exactTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** Whether a text has the form of such a time and names one that exists. */
export function isExactTime(text: string): boolean {
  if (!EXACT.test(text)) return false;
  const at = new Date(text);
  // JavaScript reads a day that no month has as one of the next month, which the database does not do.
  return (
    !Number.isNaN(at.getTime()) &&
    at.toISOString().slice(0, MILLISECONDS_LENGTH) === text.slice(0, MILLISECONDS_LENGTH)
  );
}
