/** A browser on a stack that is measured, signed in as the owner of an account, on a link and a processor of a customer's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CDPSession, Page } from 'playwright-core';

import { launchChromium } from '../test/support/chromium.ts';
import { sessionOf } from '../test/support/session-of.ts';
import type { BenchAccount, BenchStack } from './stack.ts';

/** A link of a customer's. */
export interface Link {
  readonly bitsPerSecond: number;
  readonly latencyMs: number;
}

/** How much slower than this machine the processor of a customer's is. */
export const SLOWER = 4;

/** A page that is measured. */
export interface Visit {
  readonly page: Page;
  readonly devtools: CDPSession;
  close(): Promise<void>;
}

/** A browser. */
export interface BenchBrowser {
  /** Opens a page that nothing is cached for, on a slower processor, perhaps behind a link. */
  visit(account: BenchAccount, link?: Link): Promise<Visit>;
  close(): Promise<void>;
}

/** Starts the browser. */
export async function openBenchBrowser(bench: BenchStack): Promise<BenchBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-bench-web-'));
  const browser = await launchChromium(folder);
  const { apiUrl } = bench.stack;
  return {
    async visit({ accountId }, link) {
      const { headers } = await sessionOf(bench, accountId);
      const [name = '', value = ''] = headers.cookie.split('=');
      const context = await browser.newContext({ baseURL: apiUrl, viewport: { width: 1280, height: 800 } });
      await context.addCookies([
        {
          name,
          value,
          url: apiUrl.replace('http:', 'https:'),
          secure: true,
          httpOnly: true,
          sameSite: 'Lax',
        },
      ]);
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
      if (link !== undefined) {
        const bytesPerSecond = link.bitsPerSecond / 8;
        await devtools.send('Network.enable');
        await devtools.send('Network.emulateNetworkConditions', {
          ...{ offline: false, latency: link.latencyMs },
          ...{ downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond },
        });
      }
      return {
        page,
        devtools,
        close: () => context.close(),
      };
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
