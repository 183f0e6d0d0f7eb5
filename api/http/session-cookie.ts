/**
 * The cookie of a session. The cookie's name makes browsers keep the cookie to this one host, over HTTPS and for every path; scripts cannot
 * read it, and other sites send it with nothing but links that are followed.
 */
import { cookieHeader, readCookie } from './cookies.ts';

const NAME = '__Host-dockyard-session';
/** Browsers keep the cookie for as long as a session can live at most; the service ends a session that is not used. */
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;
const LONGEST = 300;

/** The value of the session cookie of a request; null without one, and where several differ. */
export function readSessionCookie(header: string | undefined): string | null {
  return readCookie(header, NAME, LONGEST);
}

/** The header that gives a browser its session. */
export function setSessionCookie(value: string): Readonly<Record<string, string>> {
  return cookieHeader(NAME, value, MAX_AGE_SECONDS);
}

/** The header that takes the session from a browser. */
export const CLEAR_SESSION_COOKIE: Readonly<Record<string, string>> = cookieHeader(NAME, '', 0);
