/** How much is free where a process writes, for Prometheus. */
import { statfs } from 'node:fs/promises';

import { Gauge, type Registry } from 'prom-client';

/** Registers the metric for folders by the names of their places, once per registry; a folder that is not there has no value. */
export function registerDiskMetrics(registry: Registry, folders: Readonly<Record<string, string>>): void {
  new Gauge({
    name: 'dockyard_disk_free_ratio',
    help: 'Share of the filesystem that is free where the process writes: of its bytes or of its files, whichever is less.',
    labelNames: ['place'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [place, folder] of Object.entries(folders)) {
        const free = await freeIn(folder).catch(() => null);
        if (free !== null) this.set({ place }, free);
      }
    },
  });
}

async function freeIn(folder: string): Promise<number> {
  const { bavail, bfree, blocks, ffree, files } = await statfs(folder);
  // As `df` says it: what is kept for root is neither free nor used. Some filesystems count no files, because there are as many as fit.
  return Math.min(bavail / (blocks - bfree + bavail), files === 0 ? 1 : ffree / files);
}
