import { expect } from 'chai';

import { statementText } from '../../../src/domain/statement.ts';
import type { OpenStatement, StatementBalances, StatementLine } from '../../../src/domain/statement.ts';

const NONE: StatementBalances = {
  ...{ wallet_cents: 0, wallet_held_cents: 0, monthly_cents: 0, monthly_held_cents: 0, debt_cents: 0 },
};
const lineOf = (description: string, tier: string | null = null): StatementLine => ({
  ...{ id: 'i', created_at: '2026-11-01T00:00:00.000000Z', type: 'adjustment', job_id: null, tier_id: tier },
  ...{ reverses_id: null, description, ...NONE, wallet_cents: -5, paid_cents: -6 },
});
const statementOf = (...pages: StatementLine[][]): OpenStatement => ({
  head: {
    month: '2026-11',
    final: true,
    currency: 'GBP',
    opening: { ...NONE, wallet_cents: 5 },
    closing: NONE,
  },
  pages: (async function* () {
    yield* pages;
  })(),
});
const textOf = async (format: 'json' | 'csv', ...pages: StatementLine[][]): Promise<string> => {
  let text = '';
  for await (const piece of statementText(statementOf(...pages), format)) text += piece;
  return text;
};

describe('the text of a statement', () => {
  it('is the same JSON however its lines are cut into pages', async () => {
    const lines = ['a', 'b', 'c"\n'].map((text) => lineOf(text));
    const whole: unknown = JSON.parse(await textOf('json', lines));
    for (const pages of [[], [[]], lines.map((line) => [line]), [[], lines.slice(0, 1), [], lines.slice(1)]])
      expect(JSON.parse(await textOf('json', ...pages))).to.deep.equal(
        pages.flat().length === 0 ? { ...(whole as object), lines: [] } : whole,
      );
  });

  it('has in CSV the opening first and the closing last', async () => {
    const rows = (await textOf('csv', [lineOf('x')])).split('\r\n');
    expect(rows.slice(1)).to.deep.equal([
      ',opening,,,,,,5,0,0,0,0,',
      '2026-11-01T00:00:00.000000Z,adjustment,i,,,,x,-5,0,0,0,0,-6',
      ',closing,,,,,,0,0,0,0,0,',
      '',
    ]);
  });

  it('has in CSV no text that a spreadsheet would run as a formula, and keeps quotes, commas and ends of lines', async () => {
    const shown = async (text: string): Promise<string> =>
      (await textOf('csv', [lineOf(text)])).split(',i,,,,')[1]?.replace(/,-5,0,0,0,0,-6\r\n[^]*$/, '') ?? '';
    for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '|', '%'])
      expect(await shown(`${start}cmd("x")`)).to.equal(`"'${start}cmd(""x"")"`);
    expect(await shown('a, "b"\nc')).to.equal('"a, ""b""\nc"');
    expect(await shown('plain - text')).to.equal('plain - text');
    expect(await textOf('csv', [lineOf('x', '=T()')])).to.contain(`,"'=T()",`);
  });
});
