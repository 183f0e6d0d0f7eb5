/**
 * The cookie of a session. Its name makes browsers keep it to this one host, over HTTPS and for every path; scripts cannot
 * read it, and other sites send it with nothing but links that are followed.
 */

const NAME = '__Host-dockyard-session';
/** Browsers keep the cookie for as long as a session can live at most; the service ends a session that is not used. */
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';
const LONGEST = 300;

/** The value of the session cookie of a request; null without one, and where several differ. */
export function readSessionCookie(header: string | undefined): string | null {
  const values = new Set(
    (header ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${NAME}=`))
      .map((pair) => pair.slice(NAME.length + 1)),
  );
  const [value, ...others] = values;
  return value === undefined || others.length > 0 || value.length > LONGEST ? null : value;
}

/** The header that gives a browser its session. */
export function setSessionCookie(value: string): Readonly<Record<string, string>> {
  return { 'Set-Cookie': `${NAME}=${value}; Max-Age=${MAX_AGE_SECONDS}; ${ATTRIBUTES}` };
}

/** The header that takes the session from a browser. */
export const CLEAR_SESSION_COOKIE: Readonly<Record<string, string>> = {
  'Set-Cookie': `${NAME}=; Max-Age=0; ${ATTRIBUTES}`,
};
