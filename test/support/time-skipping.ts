/**
 * A Temporal server whose clock jumps over timers. The server is looked for in this order: in the cache of this
 * machine; by the SDK's own download; by Maven, which copies the server's jar into the cache, where Java runs it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

import { TestWorkflowEnvironment } from '@temporalio/testing';

const VERSION = '1.38.0';
const MAIN_CLASS = 'io.temporal.testserver.TestServer';
const START_ATTEMPTS = 4;
const HOW =
  'Install Java 11 or newer with Maven (Debian: apt-get install default-jre-headless maven), then run this test again.';

/** Starts a server for one suite. @throws Error that says what to install. */
export async function openTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const cached = cachedServer();
  if (cached !== null) return startAt(cached);
  let download: unknown;
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'cached-download', downloadDir: toolFolder('sdk'), ttl: '30 days' } },
    });
  } catch (error) {
    download = error;
  }
  const built = buildServer();
  if (built.path !== null) return startAt(built.path);
  throw new Error(`No time-skipping Temporal server: ${built.problem} ${HOW}`, { cause: download });
}

/** The folder of the tools that the set-up fetches. */
function cacheRoot(): string {
  const { XDG_CACHE_HOME: xdg, HOME: home } = process.env;
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(home ?? homedir(), '.cache');
  return join(base, 'dockyard');
}

/** The SDK waits for five seconds, and Java may need longer on a busy machine, so the start is tried more than once. */
async function startAt(path: string): Promise<TestWorkflowEnvironment> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path } },
      });
    } catch (error) {
      if (attempt === START_ATTEMPTS)
        throw new Error(`The time-skipping server at ${path} does not start. ${HOW}`, { cause: error });
    }
  }
}

function toolFolder(kind: string): string {
  const folder = join(cacheRoot(), 'tools', `temporal-test-server-${kind}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function launcher(): string {
  return join(cacheRoot(), 'tools', `temporal-test-server-${VERSION}`, 'server.sh');
}

function cachedServer(): string | null {
  return existsSync(launcher()) ? launcher() : null;
}

/**
 * Copies the server and its libraries into a folder that a rename puts in place, so that a cached server is complete.
 */
function buildServer(): { readonly path: string | null; readonly problem: string } {
  const tools = join(cacheRoot(), 'tools');
  mkdirSync(tools, { recursive: true });
  const work = mkdtempSync(join(tools, 'building-'));
  try {
    writeFileSync(join(work, 'pom.xml'), POM);
    const copied = spawnSync('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], {
      cwd: work,
      encoding: 'utf8',
      timeout: 240_000,
    });
    if (copied.error !== undefined)
      return { path: null, problem: `Maven does not run (${copied.error.message}).` };
    if (copied.status !== 0)
      return { path: null, problem: `Maven did not get it: ${copied.stdout.slice(0, 500)}` };
    const java = spawnSync('java', ['-version']);
    if (java.error !== undefined) return { path: null, problem: 'Java does not run.' };
    if (readdirSync(join(work, 'lib')).length === 0) return { path: null, problem: 'Maven copied nothing.' };
    const script = `#!/bin/sh\nexec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$(dirname "$0")/lib/*" ${MAIN_CLASS} "$1" 2>"$(dirname "$0")/server.log"\n`;
    writeFileSync(join(work, 'server.sh'), script, { mode: 0o755 });
    const place = join(launcher(), '..');
    rmSync(place, { recursive: true, force: true });
    renameSync(work, place);
    return { path: launcher(), problem: '' };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const POM = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>dockyard</groupId>
  <artifactId>time-skipping</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${VERSION}</version>
      <scope>runtime</scope>
    </dependency>
  </dependencies>
</project>
`;
