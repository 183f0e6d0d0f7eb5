/** Headers of answers, as components of the document. */
import type { JsonObject } from './http/in-document.ts';

/** Every header that answers share. */
export const HEADERS: JsonObject = {
  'X-Request-Id': { description: 'Id of the request; report it with a problem.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'Quota (q) and its window (w) in seconds.', schema: { type: 'string' } },
  RateLimit: {
    description: 'Requests that remain (r), and seconds until the quota is full (t).',
    schema: { type: 'string' },
  },
  Deprecation: {
    description: 'Second (Unix time, after @) from which on what the request used is deprecated.',
    schema: { type: 'string' },
  },
  Sunset: { description: 'Time (HTTP date) at which it goes.', schema: { type: 'string' } },
  Link: { description: 'What takes its place, with rel="successor-version".', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
};

/** The headers of an answer, as references: those that every answer has, and others by name. */
export function headersOf(others: readonly string[] = []): JsonObject {
  const names = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit', ...others];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
