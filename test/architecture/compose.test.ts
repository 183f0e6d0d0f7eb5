// A test run has no container engine, so the compose file is read instead: the programs that it starts exist, the
// variables that it sets are known, every variable that a process needs is set, and no process gets a variable that its
// role does not read.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { frameOf } from '../../src/adapters/instances/user-data.ts';
import { describeConfig, loadConfig } from '../../src/config.ts';
import type { ProcessRole } from '../../src/config.ts';
import { PACKS_FROM } from '../../src/packs/pack.ts';
import { SESSION_LOG } from '../../src/stack/postgres.ts';
import { POLLS_AT_ONCE, SEARCH_ATTRIBUTES } from '../../src/stack/temporal.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { packsOf } from '../../src/tools/packs.ts';
import { repositoryRoot } from '../../scripts/test-plan.ts';
import { tuned } from '../support/tuning.ts';

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly target: string; readonly args?: readonly string[] };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly env_file?: readonly object[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: { readonly replicas?: number };
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
}

/** The role whose settings each Dockyard service reads. */
const ROLES: Readonly<Record<string, ProcessRole>> = {
  migrate: 'cli',
  api: 'api',
  gateway: 'gateway',
  control: 'control',
  'control-other': 'control',
  compute: 'compute',
};
const THIRD_PARTY = [
  ...['postgres', 'temporal', 'search-attributes', 'temporal-ui', 'limits'],
  ...['storage', 'storage-volumes', 'storage-user'],
  ...['prometheus', 'grafana'],
];
/** The services that do their work and then end. */
const ONE_SHOT = ['migrate', 'search-attributes', 'storage-volumes', 'storage-user'];

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const text = read('docker-compose.yml');
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const settings = describeConfig();
const ours = Object.entries(compose.services).filter(([, { image }]) => /:-dockyard\b/.test(image ?? ''));
const built = ours.filter(([, service]) => service.build !== undefined);
const namesIn = (service: Service): string[] => Object.keys(service.environment ?? {});
/** What the AWS SDK finds by itself, for those who launch instances. */
const isOfAws = (name: string): boolean => name.startsWith('AWS_');
const isSetting = (name: string): boolean => name.startsWith('DOCKYARD_');

describe('docker-compose.yml', () => {
  it('starts each process of the production shape, api and control twice', () => {
    expect(Object.keys(compose.services)).to.have.members([...Object.keys(ROLES), ...THIRD_PARTY]);
    expect(ours.map(([name]) => name)).to.have.members(Object.keys(ROLES));
    expect(compose.services['api']?.deploy?.replicas).to.equal(2);
    expect(compose.services['control']?.deploy?.replicas).to.equal(2);
  });

  for (const [name, service] of ours) {
    const role = ROLES[name];
    describe(name, () => {
      it('is started by an entry file that exists and is in the image', () => {
        const [program, entry] = service.command ?? [];
        expect(program).to.equal('node');
        expect(entry).to.match(/^src\/bin\/[a-z-]+\.ts$/);
        expect(existsSync(join(repositoryRoot, entry ?? '')), `${String(entry)} exists`).to.equal(true);
      });

      it('is told only what its role reads', () => {
        const known = settings
          .filter(({ roles }) => role !== undefined && roles.includes(role))
          .map((s) => s.name);
        const unknown = namesIn(service).filter((variable) => !known.includes(variable));
        expect(unknown.filter((variable) => role !== 'control' || !isOfAws(variable))).to.deep.equal([]);
      });

      it('is told everything its role requires', () => {
        const required = settings.filter((s) => s.required && role !== undefined && s.roles.includes(role));
        expect(namesIn(service)).to.include.members(required.map((s) => s.name));
      });

      it('can be told every other setting of its role, unless it is a guest', () => {
        expect(service.env_file ?? null).to.deep.equal(
          role === 'compute' ? null : [{ path: 'deploy/further.env', required: false }],
        );
      });

      it('never has the test tools or other settings for tests', () => {
        expect(namesIn(service)).to.not.include('DOCKYARD_TEST_TOOLS');
        expect(namesIn(service)).to.not.include('DOCKYARD_VALIDATE_ANSWERS');
      });
    });
  }

  it('gives each process that stays up a port for its metrics, which is published nowhere', () => {
    for (const [name, { environment }] of ours.filter(([each]) => !ONE_SHOT.includes(each))) {
      expect(environment, name).to.include({ DOCKYARD_HEALTH_HOST: '0.0.0.0', DOCKYARD_HEALTH_PORT: 9090 });
    }
    const published = Object.values(compose.services).flatMap(({ ports = [] }) => ports);
    expect(published.filter((mapping) => mapping.endsWith(':9090'))).to.deep.equal([]);
  });

  it('gives compute no secret of the database, the store or the control side', () => {
    const compute = compose.services['compute'];
    const told = JSON.stringify(compute?.environment);
    expect(told).to.not.match(/DATABASE|STORAGE|DOCKYARD_SECRET|postgres|temporal/i);
    expect(Object.keys(compute?.depends_on ?? {})).to.not.include.members(['postgres']);
    expect(Object.keys(compute?.depends_on ?? {})).to.not.include.members(['storage']);
  });

  it('lets compute reach the gateway, the store and whoever asks compute, and nobody else', () => {
    const reach = (name: string): readonly string[] => compose.services[name]?.networks ?? ['default'];
    expect(reach('compute')).to.deep.equal(['instances']);
    const beside = Object.keys(compose.services).filter((name) => reach(name).includes('instances'));
    expect(beside).to.have.members([
      'compute',
      'gateway',
      'storage',
      'control',
      'control-other',
      'prometheus',
    ]);
  });

  it('builds each service from a stage that the Dockerfile has, and only those that ask it with Python', () => {
    const stages = new Map(
      [...read('Dockerfile').matchAll(/^FROM (\S+) AS (\w+)$/gm)].map(([, base, name]) => [name, base]),
    );
    for (const [name, { build }] of built) {
      expect([...stages.keys()], name).to.include(build?.target);
      const hasPython = ['compute', 'api', 'control'].includes(name);
      expect(build?.target, name).to.equal(hasPython ? name : 'process');
      if (hasPython) expect(stages.get(name), name).to.equal('tools');
    }
  });

  it('watches the health of each service that stays up, and starts it again', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      if (ONE_SHOT.includes(name)) {
        expect(service.restart).to.equal('no');
        continue;
      }
      expect(service.restart, `${name} restarts`).to.equal('unless-stopped');
      // The image of the UI has no program that could ask for its health, and no service depends on the UI.
      if (name !== 'temporal-ui') expect(service.healthcheck?.test, `${name} health`).to.be.an('array');
    }
  });

  it('lets the API, gateway and control wait for what is set up once', () => {
    for (const name of ['api', 'gateway', 'control', 'control-other']) {
      for (const first of ONE_SHOT.filter((each) => each !== 'storage-volumes')) {
        const condition = compose.services[name]?.depends_on?.[first]?.condition;
        expect(condition, `${name} after ${first}`).to.equal('service_completed_successfully');
      }
    }
  });

  it('registers the search attributes that the embedded stack has', () => {
    const script = read('deploy/temporal/search-attributes.sh');
    const registered = [...script.matchAll(/--name (\w+) --type (\w+)/g)].map((match) => [
      match[1],
      match[2],
    ]);
    expect(Object.fromEntries(registered)).to.deep.equal(SEARCH_ATTRIBUTES);
  });

  it('lets Temporal hold as many polls as the embedded stack does', () => {
    const { temporal } = compose.services;
    const file = '/etc/temporal/config/dynamicconfig/dockyard.yaml';
    expect(temporal?.environment?.['DYNAMIC_CONFIG_FILE_PATH']).to.equal(file.slice('/etc/temporal/'.length));
    expect(temporal?.volumes).to.include(`./deploy/temporal/dynamic-config.yaml:${file}:ro`);
    expect(parse(read('deploy/temporal/dynamic-config.yaml'))).to.deep.equal({
      'frontend.namespaceCount': [{ value: POLLS_AT_ONCE }],
    });
  });

  it('only depends on services, and mounts only volumes and files, that exist', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(Object.keys(compose.services), name).to.include.members(Object.keys(service.depends_on ?? {}));
      for (const mount of service.volumes ?? []) {
        const source = mount.split(':')[0] ?? '';
        const exists = source.startsWith('./')
          ? existsSync(join(repositoryRoot, source))
          : source in compose.volumes;
        expect(exists, `${name}: ${source}`).to.equal(true);
      }
    }
  });

  it('pins the version of each image of others', () => {
    for (const name of THIRD_PARTY) {
      expect(compose.services[name]?.image, name).to.match(/:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
    }
    expect(read('Dockerfile')).to.match(/NODE_IMAGE=node:\d+\.\d+\.\d+-/);
  });

  it('runs the Node that the project pins', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    expect(read('Dockerfile')).to.include(`NODE_IMAGE=node:${String(dependencies['node'])}-`);
  });

  it('lets the processes of the API share their limits, and keeps nothing of them on disk', () => {
    expect(compose.services['api']?.environment).to.include({ DOCKYARD_REDIS_URL: 'redis://limits:6379' });
    expect(compose.services['limits']?.command?.join(' ')).to.include('--save  --appendonly no');
    expect(
      Object.keys(compose.services['api']?.depends_on ?? {}),
      'the API starts without it',
    ).to.not.include('limits');
  });

  it('lets PostgreSQL log no data of customers, and its own warnings all the same', () => {
    const roles = read('deploy/postgres/init.sh');
    for (const role of ['dockyard', 'temporal'])
      for (const setting of SESSION_LOG)
        expect(roles).to.include(`ALTER ROLE ${role} SET ${setting.replace('=', ' = ')};`);
    expect(compose.services['postgres']?.command ?? []).to.deep.equal([]);
  });

  it('lets the API believe the load balancer in front, which is all that reaches it', () => {
    const api = compose.services['api'];
    expect(api?.environment).to.include({ DOCKYARD_TRUST_PROXY: 'true' });
    expect(text).to.match(/- 127\.0\.0\.1:\d+-\d+:8080/);
  });

  it('names only variables that the configuration knows', () => {
    const known = settings.map(({ name }) => name);
    const set = ours.flatMap(([, service]) => namesIn(service)).filter(isSetting);
    expect(set.filter((name) => !known.includes(name))).to.deep.equal([]);
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const stageOf = (name: string): string =>
    new RegExp(`^FROM \\S+ AS ${name}$([\\s\\S]*?)(?=^FROM |(?![\\s\\S]))`, 'm').exec(
      lines.join('\n'),
    )?.[1] ?? '';

  it('copies only what exists', () => {
    const sources = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(/\s+/).slice(1, -1));
    expect(sources.filter((source) => !existsSync(join(repositoryRoot, source)))).to.deep.equal([]);
  });

  it('lets nothing else into the build context', () => {
    const ignore = read('.dockerignore').split('\n');
    expect(ignore).to.include('*');
    const sources = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(/\s+/).slice(1, -1));
    expect(ignore).to.include.members(sources.map((source) => `!${source}`));
  });

  it('builds the web app of what its stage has', () => {
    const stage = stageOf('web');
    const folder = mkdtempSync(join(tmpdir(), 'dockyard-image-web-'));
    try {
      for (const [, copied = ''] of stage.matchAll(/^COPY (.*)$/gm)) {
        const places = copied.split(' ');
        const to = places.pop() ?? '';
        for (const from of places) {
          const target = to.endsWith('/') ? join(to, basename(from)) : to;
          const filter = (path: string): boolean => !/\/web\/(node_modules|dist|\.cache)$/.test(path);
          cpSync(join(repositoryRoot, from), join(folder, target), { recursive: true, filter });
        }
      }
      symlinkSync(join(repositoryRoot, 'web/node_modules'), join(folder, 'web/node_modules'));
      const [, program = ''] = /^RUN node (.*)$/m.exec(stage) ?? [];
      const { status, stderr } = spawnSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' });
      expect(status, stderr).to.equal(0);
      expect(existsSync(join(folder, 'web/dist/files.json'))).to.equal(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }).timeout(60_000);

  it('tells its processes where Python and the component dictionary are, by settings that they read', () => {
    const [, told = ''] = /^ENV (DOCKYARD_.*)$/m.exec(lines.join('\n')) ?? [];
    const names = told.split(' ').map((setting) => setting.split('=')[0]);
    expect(names).to.have.members(['DOCKYARD_SCIENCE_PYTHON', 'DOCKYARD_CCD']);
    for (const name of names) {
      expect(settings.find((setting) => setting.name === name)?.roles).to.include.members([
        'api',
        'compute',
        'instance',
      ]);
    }
  });

  it('compiles the modules of each process that its images start, as the user and with the options of that process', () => {
    const roles = (stage: string): string[] =>
      [...stageOf(stage).matchAll(/^RUN .*--compile-only.*$/gm)].flatMap(([line]) =>
        line.includes('for role in')
          ? (/for role in ([^;]*);/.exec(line)?.[1] ?? '').split(' ')
          : [...line.matchAll(/src\/bin\/(\w+)\.ts/g)].map(([, role = '']) => role),
      );
    expect(roles('process')).to.deep.equal(['control', 'gateway']);
    expect(roles('api')).to.deep.equal(['api']);
    expect(roles('compute')).to.deep.equal(['compute', 'instance', 'machine']);
    for (const stage of ['process', 'compute'])
      expect(stageOf(stage).indexOf('USER node'), stage).to.be.within(
        0,
        stageOf(stage).indexOf('--compile-only'),
      );
    for (const role of ['process', 'api', 'compute'].flatMap(roles))
      expect(read(`src/bin/${role}.ts`), role).to.match(
        /^endWhenOnlyCompiling\(\);\n(\/\/.*\n)*const config = loadConfig/m,
      );
  });

  it('installs the Python that the science code asks for, and exactly the locked packages', () => {
    const text = lines.join('\n');
    expect(read('science/pyproject.toml')).to.include('requires-python = ">=3.11,<3.12"');
    expect(text).to.include('python3.11 -m venv').and.include('--require-hashes');
    expect(text).to.match(/NODE_IMAGE=node:\S+-bookworm-slim/);
  });

  it('builds the packs that it is told of into compute alone, and proves them where they will run', () => {
    const text = lines.join('\n');
    expect(stageOf('packs')).to.contain('ARG DOCKYARD_PACKS=""\n');
    expect(stageOf('packs')).to.match(
      /for pack in \$\{DOCKYARD_PACKS\}; do node src\/bin\/dockyard\.ts tools install/,
    );
    const [, place] = /^COPY --from=packs (\S+) \1$/m.exec(stageOf('compute')) ?? [];
    for (const name of ['packs', 'compute'])
      expect(stageOf(name), name).to.contain(`ENV XDG_CACHE_HOME=${String(place)}\n`);
    const [copied, proved] = ['COPY --from=packs', 'dockyard.ts tools verify'].map((each) =>
      stageOf('compute').indexOf(each),
    );
    expect(copied)
      .to.be.greaterThan(0)
      .and.below(proved ?? 0);
    expect(compose.services['compute']?.build?.args).to.deep.equal(['DOCKYARD_PACKS']);
    expect(ours.filter(([, { build }]) => build?.args !== undefined).map(([name]) => name)).to.deep.equal([
      'compute',
    ]);
    expect(
      packsOf(TOOLS)
        // The images have one Python, and packs of another come in as programs.
        .filter(({ way }) => way !== null && (!('interpreter' in way) || way.interpreter === '3.11'))
        .map(({ name }) => name)
        .toSorted()
        .join(' '),
    ).to.equal(/such as "([^"]+)"/.exec(text)?.[1]);
    // The sandbox is the system's own there.
    expect(stageOf('compute')).to.match(/apt-get install [^&]* bubblewrap /);
  });

  it('takes the programs that a site has built from a folder, and proves them with the others', () => {
    // A build context of this name takes the place of the stage.
    expect(stageOf('programs').trim().split('\n')[0]).to.equal('COPY deploy/programs /');
    expect(read('deploy/programs/.gitignore').split('\n')).to.include('*');
    const [copy, place] = /^COPY --from=programs \/ (\S+)$/m.exec(stageOf('compute')) ?? [];
    expect(stageOf('compute')).to.contain(`ENV ${PACKS_FROM}=${String(place)}\n`);
    expect(stageOf('compute').indexOf(String(copy)))
      .to.be.greaterThan(0)
      .and.below(stageOf('compute').indexOf('dockyard.ts tools verify'));
  });

  it('has in compute what a machine in the cloud starts, with all that its worker must be told', () => {
    const gatewayUrl = 'https://gateway.example.org';
    const userData = frameOf({
      image: `registry.example.org/dockyard-compute@sha256:${'0'.repeat(64)}`,
      ...{ gpus: 0, deadManMinutes: 30, lifetimeMinutes: 60 },
      settings: { DOCKYARD_GATEWAY_URL: gatewayUrl, ...tuned({ contactSeconds: 3 }) },
    });
    const [, program, entry = ''] = /"\$image" (node) (\S+)/.exec(userData) ?? [];
    expect([program, entry]).to.deep.equal(['node', 'src/bin/machine.ts']);
    expect(existsSync(join(repositoryRoot, entry)), `${entry} exists`).to.equal(true);
    // The path is below the folder in which the command of the container begins, and every stage of the image has the sources.
    expect(stageOf('process')).to.include('WORKDIR /app').and.include('COPY src ./src');
    expect(stageOf('compute')).to.not.match(/^(WORKDIR|ENTRYPOINT)/m);
    const [, told = ''] = /<<'ENVIRONMENT'\n([\s\S]*?)\nENVIRONMENT/.exec(userData) ?? [];
    const variables = Object.fromEntries(
      told.split('\n').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
    );
    const read = settings.filter(({ roles }) => roles.includes('instance')).map(({ name }) => name);
    expect(read).to.include.members(Object.keys(variables));
    expect(loadConfig('instance', variables)).to.include({ gatewayUrl, contactSeconds: 3 });
    // The worker is no root, and its folders are those of the machine that it may write to.
    for (const folder of ['/run/dockyard/life', '/var/lib/dockyard'])
      expect(userData).to.match(new RegExp(`:${folder}"`));
    expect(userData).to.include('chmod 1777 "$home/life" "$home/work"');
  });

  it('does not run as root', () => {
    const user = lines.findLastIndex((line) => line.startsWith('USER '));
    expect(lines[user]).to.equal('USER node');
    // What only compiles modules runs as the user whose modules they are; everything else is made by root and cannot be changed.
    const after = lines.slice(user).filter((line) => line.startsWith('RUN '));
    expect(after.filter((line) => !line.includes('--compile-only'))).to.deep.equal([]);
  });
});
