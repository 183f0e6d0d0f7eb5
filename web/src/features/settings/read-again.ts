/** Has an answer read again that was changed here. The change has its entry in the audit log, so that is read again as well. */
import type { PathOf } from 'dockyard-client/browser';

import { answers } from '../../api/queries.ts';

export async function readAgain(path: PathOf<'get'>): Promise<void> {
  await Promise.all([path, '/audit'].map((each) => answers.invalidateQueries({ queryKey: [each] })));
}
