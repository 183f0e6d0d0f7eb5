/** A tool that is added as one folder and one line is resolved, refused, documented, explained and shown with no other code. */
import { expect } from 'chai';

import { jobRulesOf } from '../../../api/jobs/job-fields.ts';
import { summaryOf } from '../../../api/jobs/result-schemas.ts';
import { simulationParamsOf } from '../../../api/jobs/simulation-params.ts';
import { codeText, factsOfCode } from '../../../src/cli/customer/explain/codes.ts';
import { AppError } from '../../../src/domain/errors.ts';
import {
  catalogueOf,
  fieldNotes,
  namePattern,
  statusPartSchemas,
  taskSummaries,
  toolRules,
} from '../../../src/tools/catalogue.ts';
import { TOOLS } from '../../../src/tools/index.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import { toolFor } from '../../../src/services/jobs/offer.ts';
import { toy } from '../../fixtures/toy-tool/index.ts';

const tools = [...TOOLS, toy];
const registry = createToolRegistry({ testTools: '', tools });
const request = (taskCount: number) =>
  ({ jobType: 'simulation', simulator: 'Plaything', taskCount }) as const;

describe('a tool that is one folder and one line', () => {
  it('is found by its id and aliases, and named where another one is refused', () => {
    expect(toolFor(registry, request(3), false)).to.include({ tool: toy, simulator: 'toy' });
    expect(() => registry.resolve({ jobType: 'simulation', simulator: 'gromacs' })).to.throw(/, toy\.$/);
    expect(registry.lookUp('noop'), 'the tools for tests are off').to.equal(null);
  });

  it('refuses with its own code and status, which submit and estimate declare', () => {
    let refused: unknown;
    try {
      toolFor(registry, request(4), true);
    } catch (error) {
      refused = error;
    }
    expect(refused).to.be.instanceOf(AppError);
    expect(refused).to.include({ code: 'TOY_TOO_MANY', status: 422, retryable: false });
    const { errors, refusedAtSubmit, refusedAtEstimate } = catalogueOf(tools);
    expect(refusedAtSubmit).to.include('TOY_TOO_MANY');
    expect(refusedAtEstimate).to.include('TOY_TOO_MANY').and.not.include('BOX_MISSING');
    expect(errors['TOY_TOO_MANY']).to.include({ status: 422 });
  });

  it('has its failures explained in the words of its folder', () => {
    const catalogue = catalogueOf(tools);
    const facts = factsOfCode('TOY_BROKEN', catalogue) ?? expect.fail('it is not known');
    expect(facts).to.include({ kind: 'failure', tool: 'toy', meaning: 'The toy is broken in two.' });
    expect(codeText(facts)).to.contain('Mend the toy with glue.').and.contain('Failures of toys');
    expect(factsOfCode('TOY_BROKEN'), 'without the line').to.equal(null);
  });

  it('adds its part to the status, null for jobs of other tools', () => {
    expect(Object.keys(statusPartSchemas(tools))).to.include.members(['docking', 'toy']);
    expect(registry.statusParts('toy', { prepare: {} })).to.deep.equal({
      docking: null,
      render: null,
      toy: { colour: 'red' },
    });
    expect(registry.statusParts('autodock-vina', { prepare: {} })).to.deep.equal({
      docking: null,
      render: null,
      toy: null,
    });
    expect(registry.statusParts('gone', {})).to.deep.equal({ docking: null, render: null, toy: null });
  });

  it('stands in the API document: its fields, its bounds and what its tasks say', () => {
    const params = simulationParamsOf([...tools, { ...toy, request: { ...toy.request, reads: ['seed'] } }]);
    expect(params.describe().keys.seed.flags.description).to.match(/ Used by autodock-vina and toy\.$/);
    expect(fieldNotes(tools, 'taskCount')).to.equal(
      ' With autodock-vina at most 10000, where it equals the number of ligands. With toy at most 3.',
    );
    const [, bounds] = toolRules(tools);
    expect(bounds).to.deep.equal({
      if: {
        properties: {
          simulator: { pattern: namePattern(toy.about) },
        },
      },
      then: { properties: { taskCount: { maximum: 3 } } },
    });
    expect(jobRulesOf(tools)).to.have.nested.property('then.allOf').with.length(2);
    expect(new RegExp(namePattern(toy.about)).test(' PlayThing ')).to.equal(true);
    expect(taskSummaries(tools).map(({ name }) => name)).to.deep.equal([
      ...['DockedLigandSummary', 'PocketsSummary', 'SearchSummary', 'SwanSummary', 'Wavewatch3Summary'],
      ...['FrameSummary', 'ToySummary'],
    ]);
    expect(summaryOf(tools).validate({ weightGrams: 1 }).error).to.equal(undefined);
  });
});
