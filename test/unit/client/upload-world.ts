/** The client against the service of upload-service.ts, with files in a folder of each test's own. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient } from '../../../src/client/index.ts';
import type { Client, UploadOptions } from '../../../src/client/index.ts';
import { startUploadService } from './upload-service.ts';
import type { UploadService } from './upload-service.ts';

/** The size of the parts that the tests ask for. */
export const PART = 64 * 1024;

/** The service, the client and the files of a test; its functions do not use `this`. */
export interface UploadWorld {
  readonly service: UploadService;
  readonly client: Client;
  readonly folder: string;
  readonly stateFolder: string;
  /** Writes a file and answers its path. */
  readonly file: (bytes: Buffer, name?: string) => Promise<string>;
  readonly options: (more?: UploadOptions) => UploadOptions;
  /** The bytes of the newest upload. */
  readonly stored: () => Buffer | null;
  /** The names of the state files that are left. */
  readonly journals: () => Promise<string[]>;
}

/** Starts the service before the tests of a block, and gives each of them a folder of its own. */
export function uploadWorld(): UploadWorld {
  let service: UploadService;
  let client: Client;
  let folder = '';
  const stateFolder = (): string => join(folder, 'state');

  before(async () => {
    service = await startUploadService();
    client = createClient({
      apiUrl: service.url,
      apiKey: 'svc_live_x',
      retry: { attempts: 5, firstPauseMs: 1, longestPauseMs: 5 },
    });
  });
  after(() => service.close());
  beforeEach(async () => {
    service.reset();
    folder = await mkdtemp(join(tmpdir(), 'dockyard-upload-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return {
    get service() {
      return service;
    },
    get client() {
      return client;
    },
    get folder() {
      return folder;
    },
    get stateFolder() {
      return stateFolder();
    },
    file: async (bytes, name = 'scene.bin') => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      return path;
    },
    options: (more = {}) => ({ partSize: PART, stateFolder: stateFolder(), ...more }),
    stored: () => [...service.uploads.values()].at(-1)?.object ?? null,
    journals: async () => {
      const names = await readdir(stateFolder()).catch(() => []);
      return names.filter((name) => name.endsWith('.jsonl'));
    },
  };
}
