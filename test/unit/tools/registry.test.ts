import { expect } from 'chai';

import { AppError } from '../../../src/domain/errors.ts';
import type { JobType } from '../../../src/domain/requests.ts';
import { CONTRACT_SIMULATORS } from '../../../src/domain/simulators.ts';
import { noop } from '../../fixtures/noop-tool/index.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { TEST_TOOLS } from '../../support/test-tools.ts';

const refusal = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};

describe('tool registry', () => {
  const product = createToolRegistry({ testTools: '' });
  const tests = createToolRegistry({ testTools: TEST_TOOLS });
  const simulation = (simulator?: string) => ({
    jobType: 'simulation' as JobType,
    ...(simulator === undefined ? {} : { simulator }),
  });

  it('folds case, underscores, spaces and common aliases', () => {
    for (const [sent, canonical] of [
      ['Vina', 'autodock-vina'],
      ['AutoDock Vina', 'autodock-vina'],
      ['autodock_vina', 'autodock-vina'],
      ['alphafold2', 'alphafold'],
      ['AF2', 'alphafold'],
      ['ww3', 'wavewatch3'],
      ['noop', 'noop'],
    ] as const) {
      expect(tests.canonical(sent), sent).to.equal(canonical);
    }
  });

  it('finds the noop tool only where test tools are on', () => {
    expect(tests.resolve(simulation('NOOP'))).to.include({ simulator: 'noop' });
    expect(tests.find('noop').about.id).to.equal('noop');
    expect(refusal(() => product.resolve(simulation('noop')))).to.equal('UNSUPPORTED_SIMULATOR');
    expect(product.ids()).to.not.include('noop');
  });

  it('finds the tools that have landed, by any of their names', () => {
    for (const sent of ['autodock-vina', 'AutoDock Vina', 'VINA']) {
      const { tool, simulator } = product.resolve(simulation(sent));
      expect([tool.about.id, simulator], sent).to.deep.equal(['autodock-vina', 'autodock-vina']);
    }
  });

  it('refuses simulators whose tool has not landed, unknown and ambiguous ones', () => {
    for (const simulator of [
      ...CONTRACT_SIMULATORS.filter((name) => !product.ids().includes(name)),
      'gromacs',
      'blast',
      '__proto__',
      'constructor',
      'x'.repeat(10_000),
    ]) {
      expect(
        refusal(() => tests.resolve(simulation(simulator))),
        simulator,
      ).to.equal('UNSUPPORTED_SIMULATOR');
    }
  });

  it('says what is missing where a session is started and the Python side is not installed', () => {
    const { work } = product.find('autodock-vina');
    const nowhere = { python: null, ccd: null };
    expect(() => work.session('/nowhere', nowhere)).to.throw('DOCKYARD_SCIENCE_PYTHON');
    const science = { python: '/venv/bin/python', ccd: '/venv/ccd.sqlite' };
    const command = work.session('/nowhere', science);
    expect(command).to.deep.include({
      file: science.python,
      args: ['-m', 'dockyard_session', '--tool', 'dockyard_science.vina_tool'],
    });
    expect(command.env).to.include({ DOCKYARD_CCD: science.ccd, OMP_NUM_THREADS: '1', PYTHONHASHSEED: '0' });
    const packages = command.env['PYTHONPATH']
      ?.split(':')
      .map((path) => /science\/(.+)\/src$/.exec(path)?.[1]);
    expect(packages).to.deep.equal(['session', 'structures', 'autodock-vina']);
    const inspecting = product.find('receptor-inspect').work.session('/nowhere', science);
    expect(inspecting).to.deep.equal({
      ...command,
      args: [...command.args.slice(0, -1), 'dockyard_science.inspect_tool'],
    });
  });

  it('asks for the simulator of a simulation', () => {
    expect(refusal(() => tests.resolve(simulation()))).to.equal('VALIDATION_ERROR');
    expect(refusal(() => tests.resolve(simulation('  ')))).to.equal('UNSUPPORTED_SIMULATOR');
  });

  it('refuses job types whose tool has not landed, and pipelines', () => {
    expect(refusal(() => tests.resolve({ jobType: 'render', metadata: { software: 'maya' } }))).to.equal(
      'JOB_TYPE_UNAVAILABLE',
    );
    expect(refusal(() => tests.resolve({ jobType: 'molecular' }))).to.equal('JOB_TYPE_UNAVAILABLE');
    expect(refusal(() => tests.resolve({ jobType: 'pipeline' }))).to.equal('PIPELINE_DISABLED');
  });

  it('finds the tool of a render by its software, of several that render', () => {
    const renderer = (id: string, aliases: readonly string[]): Tool => ({
      ...noop,
      about: { ...noop.about, id, aliases, jobType: 'render', audience: 'customers' },
    });
    const [first, second] = [renderer('povray', ['pov-ray']), renderer('blender', ['cycles', 'blender-4'])];
    const tools = createToolRegistry({ testTools: '', tools: [first, noop, second] });
    const named = (metadata?: { readonly software?: string; readonly renderer?: string }) => () =>
      tools.resolve({ jobType: 'render', ...(metadata === undefined ? {} : { metadata }) });
    for (const software of ['blender', ' Blender', 'BLENDER 4', 'cycles'])
      expect(named({ software })(), software).to.deep.equal({ tool: second, simulator: null });
    expect(named({ renderer: 'cycles' })().tool).to.equal(second);
    expect(named({ software: 'POV_Ray', renderer: 'cycles' })().tool).to.equal(first);
    for (const none of [undefined, {}, { software: '' }]) expect(named(none)().tool).to.equal(first);
    for (const software of ['maya', 'noop', '__proto__', 'x'.repeat(10_000)])
      expect(refusal(named({ software })), software).to.equal('JOB_TYPE_UNAVAILABLE');
    expect(named({ software: 'blender-5.0' })).to.throw(
      'blender-5.0. Use one of: povray, pov-ray, blender, cycles, blender-4.',
    );
    expect(refusal(() => tools.resolve({ jobType: 'molecular' }))).to.equal('JOB_TYPE_UNAVAILABLE');
  });
});
