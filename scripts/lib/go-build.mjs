// Builds a tool from its Go module. The module's own checksum is pinned in tools.mjs and the build is made inside the
// module with its go.sum, so every line of source that goes into the binary is pinned, even where Go's checksum
// database cannot be reached.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The version of Go on this machine, or undefined. */
export function goVersion() {
  const printed = spawnSync('go', ['version'], { encoding: 'utf8', timeout: 20_000 });
  if (printed.error || printed.status !== 0) return undefined;
  const match = /go(\d+\.\d+(\.\d+)?)/.exec(printed.stdout);
  return match ? match[1] : undefined;
}

/** The command a person would type to get the same tool. */
export function goInstallCommand(tool) {
  return 'go install ' + tool.go.module + tool.go.package.slice(1) + '@v' + tool.version;
}

/**
 * Builds the tool into `file` with the `go` on PATH or the one that is given. What Go writes on the way stays in the folder
 * of `file` and is removed with that folder. Throws with the last lines that Go printed.
 */
export async function goBuild(tool, file, step, program = 'go') {
  const module = tool.go.module + '@v' + tool.version;
  step.update('fetching the module');
  const temporary = path.join(path.dirname(file), 'go');
  fs.mkdirSync(temporary);
  const fetched = await go(program, ['mod', 'download', '-json', module], process.cwd(), temporary, step);
  const facts = JSON.parse(fetched.stdout);
  if (facts.Sum !== tool.go.sum) {
    throw new Error(
      'the module ' + module + ' has the checksum ' + facts.Sum + ', not the pinned ' + tool.go.sum,
    );
  }
  const build = ['build', '-v', '-mod=readonly', '-buildvcs=false', '-ldflags', tool.go.ldflags];
  await go(program, [...build, '-o', file, tool.go.package], facts.Dir, temporary, step);
}

/** Runs Go; each line it prints (a module fetched, a package compiled) counts as progress. */
function go(program, args, folder, temporary, step) {
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, GOWORK: 'off', GOTMPDIR: temporary };
    // A group of its own, so that the compilers it runs end with it.
    const options = { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true };
    const child = spawn(program, args, options);
    const stop = () => endGroup(child.pid);
    // Before the folder of the build is removed.
    process.prependOnceListener('exit', stop);
    let stdout = '';
    let tail = [];
    let fetched = 0;
    let compiled = 0;
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => {
      const lines = String(chunk).split('\n').filter(Boolean);
      tail = [...tail, ...lines].slice(-8);
      for (const line of lines) {
        if (line.startsWith('go: downloading')) fetched += 1;
        else if (/^[\w.-]+(\/[\w.~-]+)*$/.test(line)) compiled += 1;
      }
      step.update(fetched + ' modules fetched, ' + compiled + ' packages compiled');
    });
    child.on('error', reject);
    child.on('close', (code) => {
      process.removeListener('exit', stop);
      if (code === 0) resolve({ stdout });
      else reject(new Error(goFailure(stdout, tail)));
    });
  });
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}

function goFailure(stdout, tail) {
  // `go mod download -json` reports its errors as JSON on stdout.
  const match = /"Error":\s*("(?:[^"\\]|\\.)*")/.exec(stdout);
  return match ? JSON.parse(match[1]) : tail.join('\n') || 'go failed';
}
