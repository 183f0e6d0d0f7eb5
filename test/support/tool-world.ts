// A vendor, a cache and a PATH for tests of how the set-up gets a tool: an HTTPS server on this machine whose
// certificate the set-up trusts, and an archive with a small program.
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { projectRoot } from '../../src/stack/tools.ts';
import { makeCertificate } from './certificate.ts';
import { until } from './until.ts';

/** Padding that makes the archive larger than one packet. */
const PADDING_BYTES = 300_000;
const GO_SUM = 'h1:pinned';

/** Differences of a set-up from the default. */
export interface SetUpOptions {
  readonly checkout?: string;
  readonly sha256?: string;
  readonly goSum?: string;
}

/** A set-up that runs or has ended. */
export class SetUp {
  stdout = '';
  stderr = '';
  readonly #process;

  constructor(args: readonly string[], environment: Readonly<Record<string, string>>) {
    this.#process = spawn(process.execPath, args, {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** The exit code, once the set-up has ended and everything that it printed is read. */
  async end(): Promise<number | null> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      await once(this.#process, 'close', { signal: AbortSignal.timeout(20_000) });
    }
    return this.#process.exitCode;
  }

  /** Presses Ctrl-C. */
  interrupt(): void {
    this.#process.kill('SIGINT');
  }

  /** Kills the set-up, so that it cannot tidy up. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.end();
  }

  /** Waits until the set-up has printed a text. */
  says(text: string): Promise<void> {
    return until(`the set-up says "${text}"`, () => this.stderr.includes(text));
  }
}

/** The vendor, the cache and the PATH of a test. */
export class ToolWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'dockyard-unit-tools-'));
  readonly bin = join(this.folder, 'bin');
  /** The folder of the tool in the cache. */
  readonly cache = join(this.folder, 'cache', 'dockyard', 'tools', 'fake');
  readonly cached = join(this.cache, '1.2.3', 'fake');
  /** The paths that the vendor was asked for. */
  readonly requests: string[] = [];
  archive: Buffer = Buffer.alloc(0);
  /** The answer of the vendor; by default the archive. */
  answer: (response: ServerResponse) => void = (response) => this.sendArchive(response);
  readonly #certificate: Awaited<ReturnType<typeof makeCertificate>>;
  readonly #server: Server;

  private constructor(certificate: Awaited<ReturnType<typeof makeCertificate>>) {
    this.#certificate = certificate;
    const [cert, key] = [readFileSync(certificate.certFile), readFileSync(certificate.keyFile)];
    this.#server = createServer({ cert, key }, (request, response) => {
      this.requests.push(request.url ?? '');
      this.answer(response);
    });
    mkdirSync(this.bin);
    this.archive = this.#pack();
  }

  /** Opens a world. */
  static async open(): Promise<ToolWorld> {
    const world = new ToolWorld(await makeCertificate());
    await new Promise<void>((resolve) => world.#server.listen(0, '127.0.0.1', resolve));
    return world;
  }

  /** Ends the vendor and removes every folder. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#certificate.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The address of the archive. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The vendor listens on no port.');
    return `https://127.0.0.1:${address.port}/fake.tar.gz`;
  }

  /** Answers with the archive. */
  sendArchive(response: ServerResponse): void {
    response.writeHead(200, { 'content-length': this.archive.length });
    response.end(this.archive);
  }

  /** Starts a set-up of the tool. */
  setUp({ checkout = projectRoot, sha256, goSum = GO_SUM }: SetUpOptions = {}): SetUp {
    const digest = createHash('sha256').update(this.archive).digest('hex');
    const tool = JSON.stringify({ url: this.url, sha256: sha256 ?? digest, goSum });
    return this.#run('get-tool.mjs', [checkout, tool]);
  }

  /** Starts a download of the archive that shows its progress after each piece. */
  showProgress(): SetUp {
    const digest = createHash('sha256').update(this.archive).digest('hex');
    return this.#run('show-progress.mjs', [projectRoot, this.url, join(this.folder, 'fetched'), digest]);
  }

  #run(name: string, args: readonly string[]): SetUp {
    const script = join(projectRoot, 'test', 'fixtures', 'setup', name);
    return new SetUp([script, ...args], {
      PATH: this.bin,
      HOME: this.folder,
      XDG_CACHE_HOME: join(this.folder, 'cache'),
      NODE_EXTRA_CA_CERTS: this.#certificate.certFile,
      // Without a Python the set-up fetches no Go, so no test asks the package index.
      DOCKYARD_PYTHON: join(this.folder, 'no-python'),
    });
  }

  /** Writes the program of the tool. While the file `hang` exists, the program does not answer. */
  program(file: string, version = '1.2.3'): void {
    const hang = join(this.folder, 'hang');
    this.#script(file, [
      `while [ -e '${hang}' ]; do /bin/sleep 0.05; done`,
      `case "$1" in --version) echo 'fake version ${version}';; *) echo 'usage: --serve';; esac`,
    ]);
  }

  /** Lets the programs answer, or lets them hang. */
  hang(isHanging: boolean): void {
    const file = join(this.folder, 'hang');
    if (isHanging) writeFileSync(file, '');
    else rmSync(file, { force: true });
  }

  /**
   * Puts a Go on PATH that builds the tool; with `compiler`, a Go whose compiler writes its process id into that file
   * and hangs.
   */
  installGo(compiler?: string): void {
    const source = join(this.folder, 'source');
    this.program(join(source, 'fake'));
    this.#script(join(this.bin, 'go'), [
      'case "$1" in',
      "version) echo 'go version go1.25.3 linux/amd64';;",
      `mod) echo 'go: downloading example.org/fake v1.2.3' >&2; echo '{"Sum":"${GO_SUM}","Dir":"${source}"}';;`,
      ...(compiler === undefined
        ? []
        : [
            `build) : > "\${GOTMPDIR:?}/object"; /bin/sh -c 'echo $$ > ${compiler}; exec /bin/sleep 60'; exit 1;;`,
          ]),
      `build) while [ "$1" != -o ]; do shift; done; /bin/cp '${join(source, 'fake')}' "$2";;`,
      'esac',
    ]);
  }

  /** The files below the cache's folder of the tool. */
  files(): string[] {
    const entries = readdirSync(this.cache, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  }

  /** The names in the cache's folder of the tool. */
  entries(): string[] {
    return readdirSync(this.cache);
  }

  #script(file: string, lines: readonly string[]): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(file, 0o755);
  }

  #pack(): Buffer {
    const folder = join(this.folder, 'vendor');
    this.program(join(folder, 'fake_1.2.3', 'fake'));
    writeFileSync(join(folder, 'fake_1.2.3', 'README'), randomBytes(PADDING_BYTES));
    const packed = spawnSync('tar', ['-czf', '-', '-C', folder, 'fake_1.2.3'], { maxBuffer: 10_000_000 });
    if (packed.status !== 0) throw new Error(`tar: ${String(packed.stderr)}`);
    return packed.stdout;
  }
}
