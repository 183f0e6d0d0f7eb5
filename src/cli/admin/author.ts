/** The operator at the command line, as the audit log names the operator. */
import { userInfo } from 'node:os';

import { operator } from '../../services/audit/index.ts';
import type { Author } from '../../services/audit/index.ts';

/** The operator by the name of the user of this machine; nameless where the system knows no name. */
export function thisOperator(): Author {
  try {
    return operator(userInfo().username);
  } catch {
    // A container may run under a number that no user has.
    return operator(null);
  }
}
