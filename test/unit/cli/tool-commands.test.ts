/** The commands that tools bring: one way from files to a job and what it found, against a service that only answers. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { Command } from 'commander';

import type { CommandContext } from '../../../src/cli/command.ts';
import { addToolCommands } from '../../../src/cli/customer/tool-commands.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { TOOL_COMMANDS } from '../../../src/tools/commands.ts';
import { TOOLS } from '../../../src/tools/index.ts';
import { toy } from '../../fixtures/toy-tool/index.ts';

const JOB = '01890a5d-ac96-774b-bcce-b302099a8057';
const BOX = { centerAngstrom: [1, 2, 3], sizeAngstrom: [18, 20.5, 40] };
const REPORT = JSON.stringify({
  pockets: [
    {
      ...{ rank: 1, score: 0.5, druggabilityScore: 0.25, volumeAngstrom3: 501.6 },
      ...{ centerAngstrom: [1, 2, 3], box: BOX, residues: [{ chain: 'A' }] },
    },
  ],
});
const REPORT_OUTPUT = {
  ...{ name: 'pockets.json', kind: 'pockets', byteSize: Buffer.byteLength(REPORT) },
  sha256: createHash('sha256').update(REPORT).digest('hex'),
};

describe('the commands of tools', () => {
  let server: Server;
  let folder: string;
  let url: string;
  /** What estimates answer, one after the other, instead of 12 pence; and the quote that comes too late. */
  let prices: number[] = [];
  let lateQuote: string | null = null;
  /** What estimates warn of. */
  let told: { readonly code: string; readonly message: string }[] = [];
  let asked: { readonly path: string; readonly body: Record<string, unknown> }[] = [];

  const answerTo = async (request: IncomingMessage): Promise<object> => {
    const { pathname: path, searchParams } = new URL(request.url ?? '', url);
    if (path === '/store/report') return JSON.parse(REPORT) as object;
    const body = request.method === 'POST' ? ((await json(request)) as Record<string, unknown>) : {};
    asked.push({ path: path.replace('/api/v1', ''), body });
    if (path.endsWith('/estimate'))
      return {
        ...{ heldCents: prices.shift() ?? 12, quoteId: `quote-${asked.length}`, currency: 'GBP' },
        warnings: told,
      };
    if (path.endsWith('/submit') && body['quoteId'] === lateQuote)
      return { error: 'Late.', code: 'QUOTE_EXPIRED' };
    if (path.endsWith('/submit')) return { jobId: JOB, status: 'SUBMITTED', message: 'Held £0.12.' };
    const outputs =
      searchParams.get('kind') === 'pockets' ? [{ ...REPORT_OUTPUT, url: `${url}/store/report` }] : [];
    return { outputs, nextCursor: null };
  };

  before((done) => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-commands-'));
    server = createServer((request, response) => {
      void answerTo(request).then((answer) => {
        if ('code' in answer) response.statusCode = 422;
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
      });
    }).listen(0, '127.0.0.1', () => {
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      done();
    });
  });
  beforeEach(() => {
    asked = [];
    prices = [];
    lateQuote = null;
  });
  after((done) => {
    rmSync(folder, { recursive: true, force: true });
    server.closeAllConnections();
    server.close(done);
  });

  const run = async (...argv: string[]) => {
    let [out, err] = ['', ''];
    const code = await runCommandLine(argv, {
      env: { DOCKYARD_API_URL: url, DOCKYARD_API_KEY: 'svc_live_x', HOME: folder },
      folder,
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  };

  it('price, agree, submit and show what was found, each pocket with its box', async () => {
    const { code, out, err } = await run(
      'pockets',
      '1HPV',
      '--yes',
      '--name',
      'mine',
      '--max-pockets',
      '5',
      '--json',
    );
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(JSON.parse(out)).to.deep.include({ jobId: JOB });
    expect(JSON.parse(out).pockets).to.deep.equal([
      {
        ...{ rank: 1, score: 0.5, druggabilityScore: 0.25, volumeAngstrom3: 501.6 },
        ...{ centerAngstrom: [1, 2, 3], box: BOX, residueCount: 1 },
      },
    ]);
    expect(asked.map(({ path }) => path)).to.deep.equal([
      ...['/jobs/estimate', '/jobs/submit', `/jobs/${JOB}/outputs`],
    ]);
    expect(asked[1]?.body).to.deep.equal({
      ...{ jobType: 'simulation', simulator: 'fpocket', jobName: 'mine', quoteId: 'quote-1' },
      simulationParams: { receptorPdbId: '1HPV', maxPockets: 5 },
    });
    const shown = await run('pockets', '1HPV', '--yes');
    expect(shown.err).to.match(/^Structure +PDB entry 1HPV, assembly 1\n/);
    expect(shown.err).to.contain('Price      at most £0.12; nothing when the search fails\n');
    expect(shown.out).to.contain('   1  0.500         0.250');
  });

  it('show what the estimate warns of before they ask', async () => {
    told = [{ code: 'PARAMETER_UNUSED', message: 'x is not used.' }];
    const shown = await run('pockets', '1HPV');
    told = [];
    expect(shown.code).to.equal(2);
    expect(shown.err).to.match(/^Price .*\nWarning PARAMETER_UNUSED: x is not used\.\n[^]*nobody to ask/m);
    expect(asked.map(({ path }) => path)).to.deep.equal(['/jobs/estimate']);
  });

  it('spend nothing that was not agreed to', async () => {
    const unasked = await run('pockets', '1HPV', '--json');
    expect([unasked.code, JSON.parse(unasked.err).code]).to.deep.equal([2, 'CONFIRMATION_REQUIRED']);
    const dear = await run('pockets', '1HPV', '--yes', '--max-price', '0.11', '--json');
    expect([dear.code, JSON.parse(dear.err).code]).to.deep.equal([2, 'PRICE_ABOVE_MAXIMUM']);
    expect(new Set(asked.map(({ path }) => path))).to.deep.equal(new Set(['/jobs/estimate']));
  });

  it('submit at the price that was agreed to: a late quote is made anew, and must not be dearer', async () => {
    lateQuote = 'quote-1';
    prices = [12, 11];
    const cheaper = await run('pockets', '1HPV', '--yes', '--json');
    expect(cheaper.code).to.equal(0);
    expect(asked.map(({ body }) => body['quoteId']).filter(Boolean)).to.deep.equal(['quote-1', 'quote-3']);
    asked = [];
    prices = [12, 13];
    const dearer = await run('pockets', '1HPV', '--yes', '--json');
    expect([dearer.code, JSON.parse(dearer.err).code]).to.deep.equal([2, 'PRICE_ABOVE_MAXIMUM']);
    expect(asked.filter(({ path }) => path.endsWith('/submit'))).to.have.length(1);
  });

  it('refuse what a tool cannot read before the service is asked', async () => {
    writeFileSync(join(folder, 'q.fasta'), '>q\nMKV\n');
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [['pockets', 'no.pdb'], 'USAGE_INPUT'],
      [['blast', '--query', 'no.fasta', '--db', 'swissprot'], 'USAGE_INPUT'],
      [['blast', '--query', 'q.fasta', '--db', 'no.fasta'], 'USAGE_INPUT'],
      [['blast', '--query', 'q.fasta', '--db', 'x', '--evalue', '1e4'], 'USAGE'],
      [['blast', '--query', 'q.fasta', '--db', 'x', '--program', 'tblastn'], 'USAGE'],
      [['pockets', '1HPV', '--chains', 'A,,B'], 'USAGE'],
      [['pockets', '1HPV', '--max-pockets', '21'], 'USAGE'],
    ];
    for (const [argv, code] of wrong) {
      const ending = await run(...argv, '--json');
      expect([ending.code, ending.out, JSON.parse(ending.err).code], argv.join(' ')).to.deep.equal([
        2,
        '',
        code,
      ]);
    }
    expect(asked).to.deep.equal([]);
  });

  it('are those of the tools there are, each once where tools share it', () => {
    const namesOf = (commands: typeof TOOL_COMMANDS): string[] => {
      const program = new Command();
      addToolCommands(program, {} as unknown as CommandContext, commands);
      return program.commands.map((command) => command.name());
    };
    expect(namesOf(TOOL_COMMANDS)).to.deep.equal(['dock', 'pockets', 'blast', 'waves', 'render']);
    const ofTools = TOOLS.flatMap(({ command }) => (command === undefined ? [] : [command]));
    expect(TOOL_COMMANDS).to.deep.equal([...new Set(ofTools)]);
    expect(toy.command === undefined ? [] : namesOf([toy.command])).to.deep.equal(['play']);
  });
});
