/** A filesystem of one MiB, which a test can fill: in a namespace of its own, so it needs no rights and ends with its process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Mounts the filesystem. @throws Error where the system lets nobody make namespaces. */
export async function openTinyDisk(): Promise<{ readonly folder: string; close(): Promise<unknown> }> {
  const mount = 'mount -t tmpfs -o size=1m none /mnt && echo mounted && exec cat';
  const child = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', mount], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const isMounted = await Promise.race([
    once(child.stdout, 'data').then(() => true),
    ended.then(() => false),
  ]);
  if (!isMounted) throw new Error('unshare: no filesystem; are user namespaces switched off?');
  return {
    folder: `/proc/${String(child.pid)}/root/mnt`,
    close() {
      child.stdin.end();
      return ended;
    },
  };
}
