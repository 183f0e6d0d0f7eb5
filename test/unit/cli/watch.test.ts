import { expect } from 'chai';

import { createJobDisplay } from '../../../src/cli/customer/display.ts';
import { explainJob } from '../../../src/cli/customer/explain/job.ts';
import { followJob } from '../../../src/cli/customer/follow.ts';
import { jobText } from '../../../src/cli/customer/job-text.ts';
import { partLines, rankingOf, rankingText, UNRANKED, viewsOf } from '../../../src/cli/customer/ranking.ts';
import { createClient } from '../../../src/client/index.ts';
import type { JobStatusResponse } from '../../../src/client/types.ts';
import { controlLine, dockingFactsOf } from '../../../src/tools/autodock-vina/status-text.ts';
import { TOOLS } from '../../../src/tools/index.ts';
import type { SeenTask } from '../../../src/tools/shown.ts';

const VIEWS = viewsOf(TOOLS, 'ligand');
const NOTE = 'Scores rank ligands against each other; they are not measured affinities.';

const STATUS = {
  jobId: '01890a5d-ac96-774b-bcce-b302099a8057',
  jobType: 'simulation',
  jobName: null,
  status: 'RUNNING',
  execution: 1,
  provider: 'local',
  statusReason: null,
  pauseReason: null,
  cancelReason: null,
  queue: null,
  progress: { unit: 'ligand', total: 4, completed: 1, failed: 0, running: 2, percent: 25, etaSeconds: 100 },
  recovery: {
    mode: 'standard',
    resumable: false,
    resumableReason: 'The tool keeps no checkpoints.',
    recoveries: 0,
    tasksSetBack: 0,
    secondsLost: 0,
    chargedCents: 0,
    events: [],
  },
  instances: [],
  cost: {
    estimatedCost: 1,
    accruedCost: 0,
    currency: 'USD',
    creditCurrency: 'GBP',
    fxRate: 0.79,
    heldCents: 79,
    chargedCents: 0,
    releasedCents: 0,
    limitCents: null,
    ...{ forecast: null, toFinishCents: null, toFinishAdvice: null, toFinishFailsAgain: false },
  },
  failures: [],
  warnings: [],
  docking: null,
  render: null,
  outputsAvailable: false,
  submittedAt: '2026-01-01T00:00:00.000Z',
  startedAt: null,
  updatedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: null,
} satisfies JobStatusResponse;

const scored = (id: string, bestAffinityKcalMol: unknown, state = 'SUCCEEDED'): SeenTask => ({
  id,
  state,
  summary: { bestAffinityKcalMol },
});

describe('a job that has stopped', () => {
  const cost = {
    ...STATUS.cost,
    ...{ limitCents: 500, toFinishCents: 120, toFinishAdvice: 'Top up at least £0.70, then resume the job.' },
  };
  const paused: JobStatusResponse = { ...STATUS, status: 'PAUSED', pauseReason: 'CREDITS', cost };

  it('says what finishing takes and what to do, in its status, when it is watched and when it is explained', () => {
    for (const text of [jobText(paused, []), explainJob(paused).text])
      expect(text)
        .to.match(/To finish +£1\.20\n/)
        .and.match(/What to do +Top up at least £0\.70, then resume the job\.\n/)
        .and.match(/Limit +£5\.00\n/);
    let drawn = '';
    const screen = { isTTY: false, columns: 80, write: (text: string) => void (drawn += text) };
    createJobDisplay(screen).show(paused, UNRANKED);
    expect(drawn).to.include('PAUSED (CREDITS)\nTop up at least £0.70, then resume the job.\n');
  });

  it('is explained by its state and the reason of its pause; one that goes on has no price to finish', () => {
    const { text, data } = explainJob(paused);
    expect(text).to.match(/CREDITS +The credits do not cover what is left\.\n/);
    expect(data).to.have.nested.property('codes[1].code', 'CREDITS');
    const running = explainJob(STATUS).text;
    expect(running)
      .to.match(/RUNNING +\S/)
      .and.match(/What to do +\S/)
      .and.not.include('To finish');
  });
});

describe('a job whose instances boot', () => {
  it('is shown as such, with what to do', () => {
    const booting: JobStatusResponse = {
      ...STATUS,
      status: 'PROVISIONING',
      statusReason: 'INSTANCE_STARTING',
    };
    expect(jobText(booting, [])).to.include('PROVISIONING: instance starting');
    expect(explainJob(booting).text).to.match(
      /INSTANCE_STARTING +The instances of the job were launched and boot/,
    );
  });
});

describe('a job of many instances', () => {
  it('has one line for all that are alike', () => {
    const facts = { generation: 1, gpus: 0, since: '2026-11-20T10:00:00Z' };
    const cloud = {
      ...facts,
      type: 'c7i.xlarge',
      market: 'ON_DEMAND',
      zone: 'us-west-2a',
      state: 'WORKING',
    } as const;
    const spot = { ...cloud, market: 'SPOT', zone: null, state: 'STARTING' } as const;
    const local = { ...cloud, type: null, zone: null };
    const instances = [cloud, spot, cloud, local, cloud].map((one, slot) => ({ ...one, slot }));
    expect(jobText({ ...STATUS, instances }, []).match(/^Instance .*$/gm)).to.deep.equal([
      'Instance  3 × c7i.xlarge, on demand, us-west-2a, working',
      'Instance  c7i.xlarge, spot, starting',
    ]);
  });
});

describe('the ranking of a job', () => {
  it('has the lowest score first, ties by id, and only what is docked', () => {
    const tasks = [
      scored('b', -7),
      scored('z', -9.5),
      scored('a', -7),
      scored('running', -12, 'RUNNING'),
      scored('odd', 'low'),
      { id: 'none', state: 'SUCCEEDED' as const, summary: null },
    ];
    const ranking = rankingOf(VIEWS, tasks);
    expect(
      ranking.tasks.map(({ data }) => `${String(data['rank'])} ${String(data['ligandId'])}`),
    ).to.deep.equal(['1 z', '2 a', '3 b']);
    expect(rankingText(ranking))
      .to.match(/^RANK +LIGAND +SCORE kcal\/mol/)
      .and.contain('   1  z ');
    expect(rankingText(rankingOf(VIEWS, []))).to.equal('');
  });

  it('says what a score is worth for the size, and whether the best pose is plausible', () => {
    const told = (id: string, bestPoseFailedChecks?: number): SeenTask => ({
      id,
      state: 'SUCCEEDED',
      summary: {
        bestAffinityKcalMol: -8,
        ligandEfficiency: 0.4,
        sizeIndependentEfficiency: 3.257,
        ...(bestPoseFailedChecks === undefined ? {} : { bestPoseFailedChecks }),
      },
    });
    expect(rankingText(rankingOf(VIEWS, [told('a', 0), told('b', 2), told('c')])).split('\n')).to.deep.equal([
      'RANK  LIGAND  SCORE kcal/mol  PER ATOM  PER N^0.3  CHECKS',
      '   1  a                -8.00     0.400      3.257  passed',
      '   2  b                -8.00     0.400      3.257  2 failed',
      '   3  c                -8.00     0.400      3.257  -',
      NOTE,
      '',
    ]);
  });
});

describe('what a job of a tool without a ranking has found', () => {
  const pockets = (summary: unknown): readonly SeenTask[] => [
    { id: 'structure', state: 'SUCCEEDED', summary },
  ];
  const queries = (count: number): SeenTask => ({
    ...{ id: '0', state: 'SUCCEEDED', summary: { queries: count, queriesWithHits: 1, hits: 7, best: [] } },
  });
  const VIEWS_OF_TASKS = viewsOf(TOOLS, 'task');

  it('is told in one line, in the words of its tool', () => {
    const found = rankingOf(VIEWS_OF_TASKS, pockets({ pocketsFound: 12, bestScore: 0.81249, pockets: [] }));
    expect(found).to.deep.equal({ line: '12 pockets found, best score 0.812', view: null, tasks: [] });
    expect(rankingText(found)).to.equal('12 pockets found, best score 0.812\n');
    const none = rankingOf(VIEWS_OF_TASKS, pockets({ pocketsFound: 0, bestScore: null }));
    expect(none.line).to.equal('0 pockets found');
    expect(rankingOf(VIEWS_OF_TASKS, [queries(3), queries(4)]).line).to.equal(
      '7 queries done, 2 with hits, 14 hits',
    );
    for (const summary of [null, {}, { pocketsFound: 'many', bestScore: 1 }, { queries: -1 }])
      expect(rankingOf(VIEWS_OF_TASKS, pockets(summary))).to.equal(UNRANKED);
  });

  it('is there for every tool that customers ask for', () => {
    const silent = TOOLS.filter(({ about, shown }) => about.audience === 'customers' && !shown.live);
    expect(silent.map(({ about }) => about.id)).to.deep.equal([]);
  });

  it('stands below the bar, and is a line of its own whenever it changes where nothing is drawn over', () => {
    let [drawn, lines] = ['', ''];
    const terminal = createJobDisplay({ isTTY: true, columns: 120, write: (text) => (drawn += text) });
    terminal.show(STATUS, rankingOf(VIEWS_OF_TASKS, [queries(3)]));
    expect(drawn).to.match(/left\n3 queries done, 1 with hits, 7 hits\n$/);
    const log = createJobDisplay({ isTTY: false, columns: 60, write: (text) => (lines += text) });
    for (const tasks of [[], [queries(3)], [queries(3)], [queries(3), queries(4)]])
      log.show(STATUS, rankingOf(VIEWS_OF_TASKS, tasks));
    expect(lines.split('\n').filter((line) => line.includes('done'))).to.deep.equal([
      '3 queries done, 1 with hits, 7 hits',
      '7 queries done, 2 with hits, 14 hits',
    ]);
  });
});

describe('the display of a job', () => {
  const ranking = rankingOf(VIEWS, [scored('x', -8), scored('y\u001b[31m', -7)]);

  it('is drawn over itself on a terminal, below the states that it had', () => {
    let screen = '';
    const display = createJobDisplay({ isTTY: true, columns: 60, write: (text) => (screen += text) });
    display.show({ ...STATUS, status: 'QUEUED', queue: { position: 2, reason: 'Waiting.' } }, UNRANKED);
    display.show(STATUS, ranking);
    display.show({ ...STATUS, progress: { ...STATUS.progress, percent: 50 } }, ranking);
    display.end();
    expect(screen).to.match(/^QUEUED \(Waiting\.\)\n░{18}|^QUEUED/);
    expect(screen)
      .to.contain('\u001b[1A\u001b[0JRUNNING\n██████░')
      .and.contain('\u001b[3A\u001b[0J████████████░');
    expect(screen).to.contain('   1    -8.00  x\n').and.not.contain('y\u001b');
    for (const line of screen.split('\n'))
      expect(line.replace(/^(\u001b\[\w+)+/, '').length).to.be.below(60 + 8);
  });

  it('is a line for each change where nothing can be drawn over', () => {
    let screen = '';
    const display = createJobDisplay({ isTTY: false, columns: 80, write: (text) => (screen += text) });
    for (const percent of [25, 26, 27]) {
      display.show({ ...STATUS, progress: { ...STATUS.progress, percent } }, ranking);
    }
    expect(screen.split('\n')).to.deep.equal([
      'RUNNING',
      '1 of 4 ligands, 2 running, about 2 min left',
      'best so far: x -8.00 kcal/mol',
      '',
    ]);
  });
});

describe('following a job', () => {
  it('ranks while it runs, asks for tasks only when one has ended, and ends with the last ranking', async () => {
    const asked: string[] = [];
    const steps = [0, 1, 1, 2].map((completed, index) => ({
      ...STATUS,
      status: index === 3 ? ('SUCCEEDED' as const) : ('RUNNING' as const),
      progress: { ...STATUS.progress, completed },
    }));
    let step = 0;
    const answer = (url: URL): { readonly body: unknown; readonly etag?: string } => {
      if (url.pathname.endsWith('/status')) return { body: steps[step++], etag: `"${step}"` };
      const tasks = [scored('a', -5), scored('b', -6)].slice(0, steps[step - 1]?.progress.completed);
      return { body: { tasks, nextCursor: null } };
    };
    const client = createClient({
      apiUrl: 'http://service',
      apiKey: 'k',
      fetch: (input) => {
        const url = new URL(input instanceof Request ? input.url : input);
        asked.push(url.pathname.split('/').at(-1) ?? '');
        const { body, etag } = answer(url);
        return Promise.resolve(Response.json(body, { headers: etag === undefined ? {} : { etag } }));
      },
    });
    const seen: string[] = [];
    const followed = await followJob(client, STATUS.jobId, {
      display: {
        show: (status, known) => seen.push(`${status.status} ${known.tasks.length}`),
        end: () => undefined,
      },
      terminal: { onInterrupt: () => () => undefined },
      minIntervalMs: 1,
    });
    expect(seen).to.deep.equal(['RUNNING 0', 'RUNNING 1', 'RUNNING 1', 'SUCCEEDED 1', 'SUCCEEDED 2']);
    expect(asked.filter((path) => path === 'tasks')).to.have.length(2);
    expect(followed.ranking.map(({ ligandId }) => ligandId)).to.deep.equal(['b', 'a']);
    expect(followed.hasEnded).to.equal(true);
  });
});

describe('the text of a job', () => {
  const validation = {
    component_id: 'STR',
    rmsd_top_angstrom: 6.42,
    rmsd_best_angstrom: 0.39,
    best_mode: 3,
    passed: false,
  };

  it('tells the control as it is, and stays silent about what a job does not say', () => {
    const facts = dockingFactsOf({ validation });
    expect(facts?.control).to.include({ passed: false, bestMode: 3 });
    if (facts?.control == null) throw new Error('no control');
    expect(controlLine(facts.control)).to.equal(
      'STR docked again: mode 1 lies 6.42 Å from the crystal pose (NOT within 2.0 Å); closest is mode 3 with 0.39 Å',
    );
    const undone = dockingFactsOf({ validation: { component_id: 'STR', passed: false } })?.control;
    expect(undone).to.include({ rmsdTopAngstrom: null, passed: false });
    for (const docking of [null, undefined, 'x', { validation: null }, { box: { centerAngstrom: [1] } }])
      expect(dockingFactsOf(docking)?.control ?? null).to.equal(null);
  });

  it('has what the tools say of their parts of the status, in the words of the tool', () => {
    const docking = {
      box: { centerAngstrom: [1, 2, 3], sizeAngstrom: [18, 18, 22.46] },
      receptor: { heavyAtoms: 2012, cacheHit: true },
      validation: null,
    };
    expect(jobText(STATUS, partLines(TOOLS, { ...STATUS, docking })))
      .to.contain('Receptor  2012 heavy atoms, prepared before and used again\n')
      .and.contain('Box       centre 1.0, 2.0, 3.0 Å, size 18.0, 18.0, 22.5 Å\n');
    expect(partLines(TOOLS, STATUS)).to.deep.equal([]);
  });

  it('counts the failures that are not listed, unless one stands for all', () => {
    const failure = { index: 0, id: 'a', code: 'LIGAND_PARSE_FAILED', message: 'no\u001b[2J', attempts: 1 };
    const progress = { ...STATUS.progress, failed: 3 };
    expect(jobText({ ...STATUS, progress, failures: [failure] }, []))
      .to.contain('... and 2 more')
      .and.not.contain('\u001b');
    const whole = jobText({ ...STATUS, progress, failures: [{ ...failure, index: null, id: null }] }, []);
    expect(whole).to.contain('the whole job').and.not.contain('more');
  });
});
