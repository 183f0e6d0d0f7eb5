/** The proxies that the environment names (HTTPS_PROXY, HTTP_PROXY, NO_PROXY), for every call of the command line beyond this machine. */
import * as http from 'node:http';

import { messageOf } from './problems.ts';
import type { Environment } from './settings.ts';

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Has Node go through the proxies of the environment. A Node that cannot is told of where a call reaches nothing.
 * @returns what is wrong with the address of a proxy, or null.
 */
export function useProxies(env: Environment): string | null {
  const named = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  const excepted = [named, ...THIS_MACHINE].filter((host) => host !== '').join(',');
  try {
    // Node 20 and 22 have no such function, although the types say that there is one.
    if ('setGlobalProxyFromEnv' in http) http.setGlobalProxyFromEnv({ ...env, no_proxy: excepted });
    return null;
  } catch (error) {
    return `HTTP_PROXY or HTTPS_PROXY is no address of a proxy, and is not used (${messageOf(error)}).`;
  }
}
