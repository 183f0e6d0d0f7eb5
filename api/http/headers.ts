/** Headers of every answer: nothing is sniffed, framed or cached unless a handler says so; browsers may read limits. */
import type { Context, Middleware } from './context.ts';

const EXPOSED = [
  'X-Request-Id',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'Idempotency-Replayed',
  'Location',
  'ETag',
  'Content-Range',
  'Deprecation',
  'Sunset',
  'Link',
].join(', ');

const ALLOWED = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'Range',
  'X-Request-Id',
].join(', ');

/** The headers that every answer begins with. */
export const EVERY_ANSWER = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
} as const;

/** The header of every answer over HTTPS. */
export const OVER_HTTPS = { 'Strict-Transport-Security': 'max-age=31536000' } as const;

const ALWAYS = Object.entries(EVERY_ANSWER);

/** Sets one header of an answer that has not begun; Koa's own setter makes several lists for each header. */
export function setHeader({ res }: Context, name: string, value: string): void {
  if (!res.headersSent) res.setHeader(name, value);
}

/**
 * Security headers, CORS and preflight answers. A page of any origin may call, because a browser never adds a bearer key
 * by itself. Cookies are not allowed across origins.
 */
export function headers(): Middleware {
  return (context, next) => {
    for (const [name, value] of ALWAYS) setHeader(context, name, value);
    if (context.secure) context.set(OVER_HTTPS);
    if (context.method !== 'OPTIONS' || context.get('Access-Control-Request-Method') === '') return next();
    context.set({
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE',
      'Access-Control-Allow-Headers': ALLOWED,
      'Access-Control-Max-Age': '86400',
    });
    context.status = 204;
    return Promise.resolve();
  };
}
