/**
 * Finds the endpoint of a request without the router, by a tree of the parts of paths. It serves requests that are refused before
 * the router; the router decides for all others.
 */
import type { Endpoint } from './endpoint.ts';
import { wholePath } from './endpoint.ts';

/** Finds the endpoint of a method and a path; null where there is none. */
export type RouteIndex = (method: string, path: string) => Endpoint | null;

interface Branch {
  readonly literals: Map<string, Branch>;
  parameter: Branch | null;
  readonly endpoints: Map<string, Endpoint>;
}

/** Endpoints below a base path. */
export interface Based {
  readonly base: string;
  readonly endpoints: readonly Endpoint[];
}

/** Makes the index; of endpoints with the same method and path the first counts, as with the router. */
export function createRouteIndex(groups: readonly Based[]): RouteIndex {
  const root = branch();
  for (const { base, endpoints } of groups)
    for (const endpoint of endpoints) add(root, wholePath(base, endpoint), endpoint);
  return (method, path) => find(root, partsOf(path), 0, method === 'HEAD' ? 'GET' : method);
}

function branch(): Branch {
  return { literals: new Map(), parameter: null, endpoints: new Map() };
}

function add(root: Branch, path: string, endpoint: Endpoint): void {
  let at = root;
  for (const part of partsOf(path)) {
    const isParameter = part.startsWith(':');
    const next = (isParameter ? at.parameter : at.literals.get(part)) ?? branch();
    if (isParameter) at.parameter = next;
    else at.literals.set(part, next);
    at = next;
  }
  if (!at.endpoints.has(endpoint.method)) at.endpoints.set(endpoint.method, endpoint);
}

/** The parts of a path; one slash at its end says nothing, as with the router. */
function partsOf(path: string): readonly string[] {
  const end = path.length > 1 && path.endsWith('/') ? -1 : path.length;
  return path.slice(1, end).split('/');
}

function find(at: Branch, parts: readonly string[], index: number, method: string): Endpoint | null {
  const part = parts[index];
  if (part === undefined) return at.endpoints.get(method) ?? null;
  const literal = at.literals.get(part);
  const found = literal === undefined ? null : find(literal, parts, index + 1, method);
  if (found !== null || at.parameter === null || part === '') return found;
  return find(at.parameter, parts, index + 1, method);
}
