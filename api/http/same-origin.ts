/**
 * Writes of browsers come from our own pages. A browser adds the cookie of a session by itself, whatever page has made it
 * call; so a write of a session must prove that a page of ours asked for it. Browsers say so in Origin, or in Sec-Fetch-Site,
 * which no page can set. A call without a session, such as the sign-in itself, must not come from another page; programs
 * send neither header.
 */
import { AppError } from '../../src/domain/errors.ts';
import type { Context, Middleware } from './context.ts';
import type { Endpoint } from './endpoint.ts';

/** Whether the browser says that a page of ours has asked; null where nothing was said. */
function isOwnPage(context: Context, publicOrigin: string): boolean | null {
  const origin = context.get('Origin');
  const site = context.get('Sec-Fetch-Site');
  if (origin === '' && site === '') return null;
  return site === 'same-origin' || (origin !== '' && origin === publicOrigin);
}

/** Refuses writes that another site's page asks for. @throws CROSS_SITE_REQUEST. */
export function refuseOtherSites(endpoint: Endpoint, publicOrigin: string): Middleware {
  return (context, next) => {
    const { actor } = context.state;
    if (endpoint.method !== 'GET' && actor?.kind !== 'key') {
      const isOwn = isOwnPage(context, publicOrigin);
      if (isOwn === false || (isOwn === null && actor !== null))
        throw new AppError(
          'CROSS_SITE_REQUEST',
          'A session writes only from a page of this service: the browser must send its Origin, or Sec-Fetch-Site: same-origin.',
        );
    }
    return next();
  };
}
