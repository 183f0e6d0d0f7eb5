/** Cookies of this host alone: sent over HTTPS for every path, not readable by scripts, and not sent with the requests of other pages. */

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** The value of a cookie of a request; null without one, where it is too long, and where several differ. */
export function readCookie(header: string | undefined, name: string, longest: number): string | null {
  const values = new Set(
    (header ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1)),
  );
  const [value, ...others] = values;
  return value === undefined || others.length > 0 || value.length > longest ? null : value;
}

/** The header that gives a browser a cookie; with no seconds the header takes the cookie away. */
export function cookieHeader(
  name: string,
  value: string,
  maxAgeSeconds: number,
): Readonly<Record<string, string>> {
  return { 'Set-Cookie': `${name}=${value}; Max-Age=${maxAgeSeconds}; ${ATTRIBUTES}` };
}
