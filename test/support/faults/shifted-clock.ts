/**
 * The configuration of a stack whose compute processes have clocks that are wrong: `NODE_OPTIONS` loads a module that shifts
 * what `Date` says, in the processes of compute alone. The clock that intervals are measured by stays as it is.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MODULE = (shiftMs: number): string => `
if (/\\/src\\/bin\\/(compute|instance)\\.ts$/.test(process.argv[1] ?? '')) {
  const RealDate = Date;
  const shifted = () => RealDate.now() + ${String(shiftMs)};
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      if (given.length === 0) super(shifted());
      else super(...given);
    }
    static now() {
      return shifted();
    }
  };
}
`;

/** A module that shifts the clocks of compute by so many milliseconds, as the value of NODE_OPTIONS. */
export async function shiftedClock(shiftMs: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-clock-'));
  const file = join(folder, 'clock.mjs');
  await writeFile(file, MODULE(shiftMs));
  return `${process.env['NODE_OPTIONS'] ?? ''} --import=${file}`.trim();
}
