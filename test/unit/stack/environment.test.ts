import { expect } from 'chai';
import { readBy, roleEnvironment } from '../../../src/stack/environment.ts';
import { scienceSettings, ToolMissingError } from '../../../src/stack/tools.ts';

const science = {
  DOCKYARD_SCIENCE_PYTHON: '/opt/science/bin/python',
  DOCKYARD_CCD: '/opt/science/ccd.sqlite',
};
const settings = {
  ...science,
  DOCKYARD_DATABASE_URL: 'postgresql://dockyard@127.0.0.1/dockyard',
  DOCKYARD_SECRET: 'aa'.repeat(32),
  DOCKYARD_STORAGE_SECRET_ACCESS_KEY: 'secret',
};

describe('environment of a process of the stack', () => {
  it('tells compute where the science code finds its Python, and no secret of the control side', () => {
    const told = roleEnvironment('compute', { health: 8191 }, settings, { PATH: '/usr/bin', OTHER: 'thing' });
    expect(told).to.include({ ...science, PATH: '/usr/bin', DOCKYARD_HEALTH_PORT: '8191' });
    expect(Object.keys(told).filter((name) => /DATABASE|SECRET|STORAGE|OTHER/.test(name))).to.deep.equal([]);
  });

  it('differs for those alone who read what has changed', () => {
    const differs = (name: string): string[] =>
      (['api', 'gateway', 'control', 'compute'] as const).filter(
        (role) => readBy(role, { [name]: 'one' }) !== readBy(role, { [name]: 'another' }),
      );
    expect(differs('DOCKYARD_TEMPORAL_ADDRESS')).to.deep.equal(['api', 'gateway', 'control']);
    expect(differs('DOCKYARD_GATEWAY_URL')).to.include.members(['control', 'compute']);
    expect(differs('DOCKYARD_API_PORT')).to.deep.equal(['api']);
  });

  it('keeps compiled modules from one start to the next, where the environment says', () => {
    const environmentOf = (environment: NodeJS.ProcessEnv): Record<string, string> =>
      roleEnvironment('compute', { health: 8191 }, settings, environment);
    expect(environmentOf({})['NODE_COMPILE_CACHE']).to.match(/node-compile$/);
    expect(environmentOf({ NODE_COMPILE_CACHE: '/elsewhere' })['NODE_COMPILE_CACHE']).to.equal('/elsewhere');
  });

  it('has glibc keep little of what a process has given back, where the environment says nothing else', () => {
    const keptIn = (environment: NodeJS.ProcessEnv): (string | undefined)[] => {
      const own = roleEnvironment('control', { health: 8190 }, settings, environment);
      return [own['MALLOC_ARENA_MAX'], own['MALLOC_TRIM_THRESHOLD_']];
    };
    expect(keptIn({})).to.deep.equal(['2', '131072']);
    expect(keptIn({ MALLOC_ARENA_MAX: '8', MALLOC_TRIM_THRESHOLD_: '65536' })).to.deep.equal(['8', '65536']);
    const ofApi = roleEnvironment('api', { health: 8190 }, settings, {});
    expect(ofApi).to.include({ MALLOC_TRIM_THRESHOLD_: '16777216', MALLOC_MMAP_THRESHOLD_: '8388608' });
  });

  it('takes what the environment names, and asks the set-up for what it does not', () => {
    expect(scienceSettings(science)).to.deep.equal(science);
    const empty = { PATH: process.env['PATH'], XDG_CACHE_HOME: '/nonexistent', HOME: '/nonexistent' };
    expect(() => scienceSettings(empty)).to.throw(ToolMissingError, 'npm run setup');
  });
});
