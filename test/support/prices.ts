/** Arguments for tests of prices: verified tasks, and jobs without inputs whose sizes matter. */
import type { VerifiedTasks } from '../../src/domain/pricing.ts';
import type { InputSizes } from '../../src/tools/tool.ts';

/** The sizes of a job whose price does not depend on its inputs. */
export const NO_SIZES: InputSizes = { bytes: new Map(), totalBytes: 0 };

/** Verified tasks of the only price class. */
export function verified(tasks: number, meteredMs = 0): readonly VerifiedTasks[] {
  return [{ priceClass: null, tasks, meteredMs }];
}
