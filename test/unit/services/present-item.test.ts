import { expect } from 'chai';

import { presentItem } from '../../../src/services/present-item.ts';

describe('presentItem', () => {
  const task = { kind: 'task', ordinal: 3, itemId: '7' } as const;

  it('names a task’s item in the field of the job’s unit, and in no other', () => {
    expect(presentItem('task', task)).to.deep.equal({ index: 3, id: '7', frame: null, ligandId: null });
    expect(presentItem('frame', task)).to.deep.equal({ index: 3, id: '7', frame: 7, ligandId: null });
    expect(presentItem('ligand', task)).to.deep.equal({ index: 3, id: '7', frame: null, ligandId: '7' });
  });

  it('names nothing for a step, and for what no job made', () => {
    const nothing = { index: null, id: null, frame: null, ligandId: null };
    for (const unit of ['task', 'frame', 'ligand'] as const) {
      for (const kind of ['prepare', 'control', 'merge', 'finish', null] as const)
        expect(presentItem(unit, { kind, ordinal: 0, itemId: '7' }), `${unit} ${String(kind)}`).to.deep.equal(
          nothing,
        );
    }
  });
});
