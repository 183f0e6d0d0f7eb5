import { expect } from 'chai';

import { showEnrichment } from '../../../src/cli/customer/docking/enrichment.ts';
import type { Client } from '../../../src/client/index.ts';

type Properties = Readonly<Record<string, string>>;

/** A client whose batch has these ligands; the best come first, and those without a score have failed. */
const clientOf = (ligands: readonly (readonly [number | null, Properties])[]): Client =>
  ({
    docking: {
      async *results() {
        for (const [score, properties] of ligands) {
          yield {
            status: score === null ? 'FAILED' : 'SUCCEEDED',
            best_affinity_kcal_mol: score,
            input_properties: properties,
          };
        }
        yield { status: 'CANCELLED', best_affinity_kcal_mol: null, input_properties: { active: '1' } };
        yield { status: 'RUNNING', best_affinity_kcal_mol: null, input_properties: { active: '1' } };
      },
    },
  }) as unknown as Client;

const MARKED = [
  [-9, { vendor: 'a', active: '1' }],
  [-8, { vendor: 'b', active: '0' }],
  [-7, { vendor: 'c', active: '1' }],
  [-6, { vendor: 'd', active: '0' }],
  [null, { vendor: 'e', active: '0' }],
  [null, { vendor: 'f' }],
] as const;

describe('batch enrichment', () => {
  const refusal = (ligands: Parameters<typeof clientOf>[0], actives?: string): Promise<unknown> =>
    showEnrichment(clientOf(ligands), 'b', actives).catch((error: unknown) => error);

  it('finds the column by itself, and counts what has ended', async () => {
    const { data, text } = await showEnrichment(clientOf(MARKED), 'b');
    expect(data).to.deep.include({ column: 'active', ligands: 5, actives: 2, unmarked: 1, rocAuc: 5 / 6 });
    expect(text).to.match(/^Actives +2 of 5 ligands, by the column active$/m);
    expect(text).to.match(/^ROC AUC +0\.833 \(95 %: 0\.\d{3} to 0\.\d{3}\)$/m);
  });

  it('takes the column that is named, and words for marks', async () => {
    const ligands = [
      [-9, { set: 'Active' }],
      [-8, { set: 'decoy' }],
    ] as const;
    const { data } = await showEnrichment(clientOf(ligands), 'b', 'set');
    expect(data).to.deep.include({ column: 'set', rocAuc: 1 });
  });

  it('is refused without a column, or with one class alone', async () => {
    expect(await refusal(MARKED, 'activ')).to.have.property(
      'message',
      'The library has no column activ. It has vendor, active.',
    );
    expect(await refusal([[-9, { vendor: 'a' }]]))
      .to.have.property('message')
      .that.includes('name one with --actives');
    expect(await refusal([[-9, {}]]))
      .to.have.property('message')
      .that.includes('no further columns');
    expect(await refusal([[-9, { active: '1' }]]))
      .to.have.property('message')
      .that.includes('marks all ligands as active');
    expect(await refusal([[-9, { vendor: 'a' }]], 'vendor'))
      .to.have.property('message')
      .that.includes('marks no ligand');
  });
});
