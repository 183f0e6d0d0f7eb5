import { expect } from 'chai';

import { JOB_STATES, isTerminal, settlesHold } from '../../../src/domain/job-state.ts';
import { SETTLED_SQL, TERMINAL_SQL } from '../../../src/services/job-state-sql.ts';

describe('job states as SQL', () => {
  it('are exactly those of the state machine', () => {
    const states = (sql: string): string[] => [...sql.matchAll(/'(\w+)'/g)].map(([, state]) => state ?? '');
    expect(states(TERMINAL_SQL)).to.have.members(JOB_STATES.filter(isTerminal));
    expect(states(SETTLED_SQL)).to.have.members(JOB_STATES.filter(settlesHold));
    expect(SETTLED_SQL).to.match(/^\('\w+'(, '\w+')*\)$/);
  });
});
