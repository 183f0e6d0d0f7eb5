/** Addresses and their pages. What follows the `?` are plain texts; a name that is repeated is a list. */
import type { ReactNode } from 'react';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';

import { askAccount } from '../api/account.ts';
import { Broken } from './broken.tsx';
import { NotFound } from './not-found.tsx';
import { routes } from './routes.ts';

type Search = Readonly<Record<string, string | readonly string[]>>;

function parseSearch(text: string): Search {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = found[name];
    found[name] = before === undefined ? value : [...[before].flat(), value];
  }
  return found;
}

function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== '') text.append(name, String(one));
  return text.size === 0 ? '' : `?${text}`;
}

/** The router; `Root` is drawn around every page. */
export function makeRouter(Root: () => ReactNode) {
  const root = createRootRoute({ component: Root, notFoundComponent: NotFound });
  const children = routes.map(({ path, load, open = false }) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: lazyRouteComponent(load, 'Page'),
      staticData: { open },
      loader: ({ location }) => {
        if (open || !askAccount()) return;
        void load().then(
          ({ ask }) => ask?.(location.search),
          () => undefined,
        );
      },
    }),
  );
  return createRouter({
    routeTree: root.addChildren(children),
    defaultErrorComponent: Broken,
    defaultPreload: 'intent',
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
  });
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly open?: boolean;
  }
}
