import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import { allFields } from '../../../src/cli/customer/explain/fields.ts';
import { ALL_CODES, ALL_GROUPS, listCodes } from '../../../src/cli/customer/explain/codes.ts';
import { explain, toolDefaults } from '../../../src/cli/customer/explain/answer.ts';
import { CLIENT_CODES } from '../../../src/client/index.ts';
import { JOB_STATES } from '../../../src/domain/job-state.ts';
import { CATALOGUE } from '../../../src/tools/catalogue.ts';
import { searchOf } from '../../../src/tools/autodock-vina/parameters.ts';
import { TOOLS } from '../../../src/tools/index.ts';

describe('dockyard explain', () => {
  it('tells meaning, unit, bound and default of a field, by its path or its name', () => {
    for (const word of ['simulationParams.exhaustiveness', 'exhaustiveness', 'EXHAUSTIVENESS']) {
      const { text } = explain(word);
      expect(text).to.match(/^simulationParams\.exhaustiveness\n/);
      expect(text).to.contain('Number of independent searches per ligand');
      expect(text)
        .to.match(/Unit +count\n/)
        .and.match(/Bound +1 to 128\n/)
        .and.match(/Default +8 with autodock-vina\n/);
    }
    expect(explain('boxSizeAngstrom').text)
      .to.match(/Unit +Å\n/)
      .and.match(/Bound +1 to 100; 3 items\n/);
    expect(explain('ligandLibrary[0].source.smiles').text).to.match(/Bound +1 to 4096 characters\n/);
    expect(explain('recovery.mode').text)
      .to.match(/One of +standard, resumable\n/)
      .and.match(/Default +"standard"\n/);
    expect(explain('progress.etaSeconds').text).to.contain('JobStatusResponse').and.not.to.contain('Default');
  });

  it('says what the API document says of every field', () => {
    const document: unknown = JSON.parse(readFileSync(join(repositoryRoot, 'docs', 'openapi.json'), 'utf8'));
    const texts = JSON.stringify(document);
    const fields = allFields();
    expect(fields.length).to.be.greaterThan(100);
    // Where requests and answers share a name, the meaning in requests is shown.
    const sent = fields.filter(({ foundIn }) => foundIn.some((name) => name.endsWith('Request')));
    for (const { path, meaning } of sent) {
      expect(texts, path).to.contain(JSON.stringify(meaning).slice(1, -1));
      expect(explain(path).text, path).to.contain(meaning.replaceAll(/\p{Cc}/gu, '\ufffd'));
    }
  });

  it('has the defaults of docking that docking has', () => {
    const applied = searchOf({});
    const told = allFields().flatMap(({ path }) =>
      toolDefaults(TOOLS, path).flatMap(([id, value]) => (id === 'autodock-vina' ? [[path, value]] : [])),
    );
    expect(Object.fromEntries(told)).to.deep.equal({
      'simulationParams.exhaustiveness': applied.exhaustiveness,
      'simulationParams.numModes': applied.numModes,
      'simulationParams.energyRangeKcalMol': applied.energyRangeKcalMol,
      'simulationParams.scoringFunction': applied.scoringFunction ?? 'vina',
    });
    expect(explain('simulationParams.exhaustiveness').data).to.have.nested.property(
      'fields[0].toolDefaults.autodock-vina',
      8,
    );
  });

  it('explains every error of the service and of the client, every state and every reason', () => {
    for (const [code, { meaning, advice, status, retryable }] of Object.entries(CATALOGUE.errors)) {
      const { data, text } = explain(code);
      expect(data).to.deep.include({ code, kind: 'error', meaning, advice, status, retryable });
      expect(text).to.contain(`${code}: error (HTTP ${status}`);
    }
    for (const code of Object.values(CLIENT_CODES))
      expect(explain(code).data).to.include({ code, kind: 'error of the client' });
    const pauses = ['COST_LIMIT', 'CREDITS', 'LICENSE', 'OPERATOR'];
    const waits = ['ACCOUNT_LIMIT', 'CAPACITY'];
    const losses = ['OUTPUTS_MISSING', 'INSTANCE_GONE', 'INSTANCE_SILENT', 'WORKER_ERROR', 'NO_PROGRESS'];
    for (const code of [...JOB_STATES, ...pauses, ...waits, ...losses]) expect(ALL_CODES).to.include(code);
    expect(explain('ligand-unsupported-atom').text).to.match(/^LIGAND_UNSUPPORTED_ATOM: failure\n/);
  });

  it('tells the meaning and the advice of every code from the one table, and where it is met', () => {
    for (const { title, codes } of CATALOGUE.groups) {
      for (const [code, { meaning, advice }] of Object.entries(codes)) {
        const { data, text } = explain(code);
        expect(data, code).to.include({ code, meaning, advice });
        expect(text, code).to.contain(`Meaning  ${meaning}\n`).and.to.contain(`Advice   ${advice}\n`);
        expect(text, code).to.match(new RegExp(`Met in .*${title}`));
      }
    }
    expect(explain('RECEPTOR_EMPTY').data).to.deep.include({
      kind: 'error',
      metIn: ['Errors', 'Failures of docking', 'Failures of the search for pockets'],
    });
  });

  it('lists every code with its meaning, group by group', () => {
    const { data, text } = listCodes();
    expect(data).to.deep.equal({ codes: ALL_CODES.map((code) => explain(code).data) });
    for (const { title, note, codes } of ALL_GROUPS) {
      expect(text).to.contain(`${title}\n${note}\n`);
      for (const [code, { meaning }] of Object.entries(codes))
        expect(
          text.split('\n').some((line) => line.startsWith(`  ${code} `) && line.endsWith(` ${meaning}`)),
        ).to.equal(true, code);
    }
  });

  it('suggests what was nearly typed, and refuses the rest', () => {
    const refusals: readonly (readonly [string, RegExp])[] = [
      ['exhaustivness', /Did you mean .*simulationParams\.exhaustiveness/],
      ['simulationParams.sede', /simulationParams\.seed/],
      ['INSUFICIENT_CREDITS', /INSUFFICIENT_CREDITS/],
      ['qwertyuiop', /lists all fields and codes/],
    ];
    for (const [word, message] of refusals) {
      expect(() => explain(word), word)
        .to.throw(message)
        .with.property('exitCode', 2);
    }
  });
});
