/** How the app is built, and served while it is worked on (`npm run web`). */
import { join } from 'node:path';

import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

import { documentPlugin } from './document.ts';
import { dist, web } from './paths.ts';

/** The configuration; a development server hands what is the service's to `apiUrl`. */
export function configOf(apiUrl?: string): InlineConfig {
  return {
    root: web,
    configFile: false,
    cacheDir: join(web, '.cache/vite'),
    plugins: [react(), documentPlugin()],
    resolve: { alias: { 'dockyard-client/browser': join(web, '../src/client/browser.ts') } },
    build: {
      outDir: dist,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
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
