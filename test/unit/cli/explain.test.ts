import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import { allFields } from '../../../src/cli/customer/explain/fields.ts';
import { DOCKING_DEFAULTS, explain } from '../../../src/cli/customer/explain/index.ts';
import { CLIENT_CODES } from '../../../src/client/index.ts';
import { JOB_CODES } from '../../../src/cli/customer/explain/job-codes.ts';
import { ERROR_CODES } from '../../../src/domain/errors.ts';
import { JOB_STATES } from '../../../src/domain/job-state.ts';
import { searchOf } from '../../../src/tools/vina/parameters.ts';

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
    expect(DOCKING_DEFAULTS).to.deep.equal({
      'simulationParams.exhaustiveness': applied.exhaustiveness,
      'simulationParams.numModes': applied.numModes,
      'simulationParams.energyRangeKcalMol': applied.energyRangeKcalMol,
      'simulationParams.scoringFunction': applied.scoringFunction ?? 'vina',
    });
  });

  it('explains every error of the service and of the client, every state and every reason', () => {
    for (const [code, { meaning, status }] of Object.entries(ERROR_CODES)) {
      expect(explain(code).data).to.deep.include({ code, kind: 'error', meaning, status });
    }
    for (const code of Object.values(CLIENT_CODES))
      expect(explain(code).data).to.include({ code, kind: 'error of the client' });
    const pauses = ['COST_LIMIT', 'CREDITS', 'LICENSE', 'OPERATOR'];
    const waits = ['ACCOUNT_LIMIT', 'CAPACITY'];
    const losses = ['OUTPUTS_MISSING', 'INSTANCE_GONE', 'INSTANCE_SILENT', 'WORKER_ERROR', 'NO_PROGRESS'];
    for (const code of [...JOB_STATES, ...pauses, ...waits, ...losses])
      expect(Object.keys(JOB_CODES)).to.include(code);
    expect(explain('ligand-unsupported-atom').text).to.match(/^LIGAND_UNSUPPORTED_ATOM: failure\n/);
  });

  it('explains every failure and warning that the tools give', () => {
    const sources = execFileSync(
      'git',
      [
        'ls-files',
        '-co',
        '--exclude-standard',
        'science/src',
        'src/tools',
        'src/services/ligands',
        'src/adapters/chemistry',
        'src/instance',
        'src/local-host',
      ],
      {
        cwd: repositoryRoot,
        encoding: 'utf8',
      },
    )
      .split('\n')
      .filter((path) => /\.(py|ts)$/.test(path) && !path.includes('noop'));
    const found = new Set<string>();
    for (const path of sources) {
      const text = readFileSync(join(repositoryRoot, path), 'utf8');
      const codes = text.matchAll(
        /(?:"code": |(?:Science|Input)Error\(\s*|warning\(\s*|code: )["']([A-Z]+(?:_[A-Z]+)+)["']/g,
      );
      for (const [, code = ''] of codes) found.add(code);
    }
    expect(found.size).to.be.greaterThan(20);
    const known = new Set([...Object.keys(JOB_CODES), ...Object.keys(ERROR_CODES)]);
    expect([...found].filter((code) => !known.has(code))).to.deep.equal([]);
  });

  it('suggests what was nearly typed, and refuses the rest', () => {
    const refusals: readonly (readonly [string, RegExp])[] = [
      ['exhaustivness', /Did you mean simulationParams\.exhaustiveness\?/],
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
