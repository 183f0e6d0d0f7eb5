/** What a search costs: the sizes that an estimate is told give the price of the submit with files of these sizes. */
import { expect } from 'chai';

import { AppError } from '../../../src/domain/errors.ts';
import { quote } from '../../../src/domain/pricing.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { blastp } from '../../../src/tools/blastp/index.ts';
import type { InputSizes, PlannableRequest } from '../../../src/tools/tool.ts';

const LIMITS = { maxInstances: 1, slotsPerInstance: 2, vcpusPerInstance: 2 };
const [QUERIES, DATABASE] = [7_500_000, 92_500_000];
const TOTAL = QUERIES + DATABASE;

function heldPence(parameters: Readonly<Record<string, string>>, inputs: InputSizes): number {
  const book = loadPriceBook();
  const request: PlannableRequest = { jobType: 'simulation', simulator: 'blastp', parameters };
  const plan = blastp.planning.plan(request, LIMITS);
  const pricing = blastp.planning.price(request, plan, book, inputs);
  return quote(book.version, 790_000, pricing, plan.taskCount).heldPence;
}

describe('the price of a search', () => {
  const submitted = heldPence({}, { bytes: new Map([['queries', QUERIES]]), totalBytes: TOTAL });

  it('is the same at estimate and at submit when the estimate is told the bytes of the queries', () => {
    const told = { queryBytes: String(QUERIES) };
    expect(heldPence(told, { bytes: null, totalBytes: TOTAL }))
      .to.equal(submitted)
      .and.above(50);
    expect(heldPence({}, { bytes: null, totalBytes: TOTAL })).to.be.below(submitted / 10);
  });

  it('does not depend on what a submit says of its queries', () => {
    const inputs = { bytes: new Map([['queries', QUERIES]]), totalBytes: TOTAL };
    expect(heldPence({ queryBytes: '1' }, inputs)).to.equal(submitted);
  });

  it('is refused for bytes that are no number', () => {
    for (const queryBytes of ['', '-1', '1e3', 'many', '1'.repeat(16)])
      expect(
        () =>
          blastp.request.check(
            { jobType: 'simulation', simulator: 'blastp', parameters: { queryBytes } },
            true,
          ),
        queryBytes,
      )
        .to.throw(AppError, 'parameters.queryBytes')
        .with.property('code', 'VALIDATION_ERROR');
  });
});
