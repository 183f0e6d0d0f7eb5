/** Examples of the API document, so that a table over all endpoints needs no sample of an endpoint that any fitting request shows. */
import { readFileSync } from 'node:fs';

import { wholePath } from '../../api/http/endpoint.ts';
import type { Endpoint } from '../../api/http/endpoint.ts';

/** A value of unknown shape. */
type Loose = ReturnType<typeof JSON.parse>;

const { paths, servers }: Loose = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
);

/** A request that the schemas of an endpoint accept: the body, or null without one, and the places of its path by their names. */
export function documentedRequest(endpoint: Endpoint): {
  readonly body: unknown;
  readonly params: Readonly<Record<string, string>>;
} {
  const path = wholePath(servers[0].url, endpoint).replace(servers[0].url, '');
  const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')][endpoint.method.toLowerCase()];
  const places = (operation.parameters ?? []).filter((one: Loose) => one.in === 'path');
  return {
    body: operation.requestBody?.content['application/json'].example ?? null,
    params: Object.fromEntries(places.map(({ name, example }: Loose) => [name, String(example)])),
  };
}
