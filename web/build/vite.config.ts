/** How the app is built, and served while it is worked on (`npm run web`). */
import { join } from 'node:path';

import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

import { documentPlugin } from './document.ts';
import { dist as usualDist, web } from './paths.ts';

/** Where the app goes and its messages come from, and the service of a development server. */
export interface BuildOptions {
  readonly apiUrl?: string;
  readonly dist?: string;
  /** Module of the compiled messages, where they are not the usual ones. */
  readonly messages?: string;
}

/** The configuration; a development server hands what is the service's to `apiUrl`. */
export function configOf({ apiUrl, dist = usualDist, messages }: BuildOptions = {}): InlineConfig {
  return {
    root: web,
    configFile: false,
    cacheDir: join(web, '.cache/vite'),
    plugins: [react(), documentPlugin()],
    resolve: {
      alias: {
        'dockyard-client/browser': join(web, '../src/client/browser.ts'),
        ...(messages === undefined ? {} : { '#messages': messages }),
      },
    },
    build: {
      outDir: dist,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        // What every page needs is one file: a browser asks for six at once, and each turn costs the latency of the link.
        output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
        onLog(_level, log, tell) {
          // A page that is part of another one needs no chunk of its own; whatever else is told is a fault.
          if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') return;
          tell(log.code === 'IMPORT_IS_UNDEFINED' ? 'error' : 'warn', log);
        },
      },
    },
    logLevel: 'warn',
    ...(apiUrl === undefined
      ? {}
      : { server: { proxy: Object.fromEntries(SERVICE.map((path) => [path, { target: apiUrl }])) } }),
  };
}

const SERVICE = ['/api', '/docs', '/.well-known', '/healthz'];
