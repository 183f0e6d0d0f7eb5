/**
 * What the compose file asks of its host and of the environment file: every container is contained and bounded, what a managed service takes the
 * place of is left out by settings alone, and the example of the environment file has every variable that the compose file reads or passes on.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'yaml';

import { repositoryRoot } from '../../scripts/test-plan.ts';

interface Service {
  readonly profiles?: readonly string[];
  readonly image?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly cpus?: number | string;
  readonly pids_limit?: number;
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly environment?: Readonly<Record<string, string | number | null>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required?: boolean }>>;
}

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const text = read('docker-compose.yml');
const example = read('deploy/production.env.example');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
const all = Object.entries(services);
const ofProfile = (profile: string): string[] =>
  all.filter(([, { profiles }]) => profiles?.includes(profile)).map(([name]) => name);
/** Whose places managed services may take. */
const OWN = ['postgres', 'temporal', 'storage'];
/** Secrets that only a service of the compose file needs, so that they may be empty without it; each such service refuses to begin without. */
const OF_OWN = [
  ...['POSTGRES_PASSWORD', 'DOCKYARD_ROLE_PASSWORD', 'TEMPORAL_ROLE_PASSWORD'],
  ...['DOCKYARD_STORAGE_ACCESS_KEY_ID', 'DOCKYARD_STORAGE_SECRET_ACCESS_KEY'],
  ...['STORAGE_ROOT_ACCESS_KEY_ID', 'STORAGE_ROOT_SECRET_ACCESS_KEY'],
];

describe('the containers of docker-compose.yml', () => {
  for (const [name, service] of all)
    it(`${name} is contained, and may take no more of the host than is said`, () => {
      expect(service.cap_drop).to.deep.equal(['ALL']);
      // The sandbox of a tool has fewer rights than its container; to make one, the container's profiles must allow it.
      const sandboxes = ['seccomp=unconfined', 'apparmor=unconfined', 'systempaths=unconfined'];
      const more = name === 'compute' ? sandboxes : [];
      expect(service.security_opt).to.deep.equal(['no-new-privileges:true', ...more]);
      // The images of Temporal write their configuration into their own filesystem when they start.
      expect(service.read_only).to.equal(!['temporal', 'temporal-ui'].includes(name));
      // The image of the UI names a user of its own; and volumes that are new belong to root, who gives them away.
      if (name !== 'temporal-ui') expect(service.user).to.be.a('string');
      const givesAway = name === 'storage-volumes';
      expect(service.user?.startsWith('0') ?? false).to.equal(givesAway);
      expect(service.cap_add ?? []).to.deep.equal(givesAway ? ['CHOWN', 'DAC_OVERRIDE'] : []);
      expect(service.mem_limit).to.be.a('string');
      expect(service.cpus).to.not.equal(undefined);
      expect(service.pids_limit).to.be.a('number');
      expect(service.logging?.options).to.have.all.keys('max-size', 'max-file');
    });

  it('are without PostgreSQL, Temporal and a store of their own where managed ones take their place', () => {
    const started = all.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name);
    expect(started).to.have.members(['migrate', 'api', 'gateway', 'control', 'compute', 'limits']);
    expect(ofProfile('postgres')).to.deep.equal(['postgres']);
    expect(ofProfile('temporal')).to.have.members(['temporal', 'search-attributes', 'temporal-ui']);
    expect(ofProfile('storage')).to.have.members(['storage', 'storage-volumes', 'storage-user']);
    for (const [name, { depends_on: after = {}, profiles = [] }] of all)
      for (const [before, { required }] of Object.entries(after)) {
        const optional = services[before]?.profiles ?? [];
        if (optional.some((profile) => !profiles.includes(profile)))
          expect(required, `${name} after ${before}`).to.equal(false);
      }
    expect(/^COMPOSE_PROFILES=(.*)$/m.exec(example)?.[1]).to.equal(OWN.join(','));
  });

  it('of the control side reach managed services by settings alone', () => {
    for (const name of ['migrate', 'api', 'gateway', 'control', 'control-other']) {
      const { environment = {} } = services[name] ?? {};
      expect(environment['DOCKYARD_DATABASE_URL'], name).to.match(/^\$\{DOCKYARD_DATABASE_URL:-/);
      expect(environment['DOCKYARD_TEMPORAL_ADDRESS'], name).to.equal(
        '${DOCKYARD_TEMPORAL_ADDRESS:-temporal:7233}',
      );
      for (const setting of ['TLS', 'CERT_FILE', 'KEY_FILE', 'API_KEY_FILE'])
        expect(environment, name).to.include({ [`DOCKYARD_TEMPORAL_${setting}`]: null });
      for (const setting of ['REGION', 'BUCKET', 'ACCESS_KEY_ID'])
        expect(environment, name).to.include({ [`DOCKYARD_STORAGE_${setting}`]: null });
    }
  });

  it('never have the root of the store, but for those that are the store or make its user', () => {
    const knowing = all.filter(([, { environment }]) =>
      JSON.stringify(environment ?? {}).includes('STORAGE_ROOT'),
    );
    expect(knowing.map(([name]) => name)).to.have.members(['storage', 'storage-user']);
    const { error, status } = spawnSync('sh', [join(repositoryRoot, 'deploy/storage/user.sh')], { env: {} });
    expect([error, status === 0]).to.deep.equal([undefined, false]);
  });

  it('let Temporal have the shards of a large installation from its first start on', () => {
    expect(services['temporal']?.environment).to.include({ NUM_HISTORY_SHARDS: 512 });
  });

  it('of the control side do not start without a key that seals what Temporal keeps', () => {
    for (const name of ['migrate', 'api', 'gateway', 'control', 'control-other'])
      expect(services[name]?.environment, name).to.include({
        DOCKYARD_TEMPORAL_CODEC_KEYS: '${DOCKYARD_TEMPORAL_CODEC_KEYS:?}',
        DOCKYARD_TEMPORAL_CODEC_KEY: '${DOCKYARD_TEMPORAL_CODEC_KEY:?}',
      });
    expect(services['compute']?.environment).to.not.have.any.keys(
      'DOCKYARD_TEMPORAL_CODEC_KEYS',
      'DOCKYARD_TEMPORAL_CODEC_KEY',
    );
    expect(example).to.match(/^DOCKYARD_TEMPORAL_CODEC_KEYS=\nDOCKYARD_TEMPORAL_CODEC_KEY=$/m);
  });
});

describe('deploy/production.env.example', () => {
  const interpolated = [...text.replaceAll(/^\s*#.*$/gm, '').matchAll(/(?<!\$)\$\{([A-Z_]+)(:[?-])?/g)];
  const passedOn = all.flatMap(([, { environment = {} }]) =>
    Object.entries(environment).flatMap(([name, value]) => (value === null ? [name] : [])),
  );
  const required = interpolated.filter(([, , how]) => how === ':?').map(([, name = '']) => name);
  const listed = [...example.matchAll(/^(# )?([A-Z][A-Z0-9_]*)=/gm)];

  it('has every variable that the compose file reads or passes on, once, and no other', () => {
    const names = interpolated.map(([, name = '']) => name);
    const known = new Set([...names, ...passedOn, 'DOCKYARD_PACKS', 'COMPOSE_PROFILES']);
    expect(listed.map(([, , name]) => name)).to.have.members([...known]);
  });

  it('has at most sixty, in five groups, and what is required first', () => {
    expect(listed.length).to.be.at.most(60);
    const groups = example.split(/^# --- (?=\d\. )/m).slice(1);
    expect(groups.map((group) => group.slice(0, 2))).to.deep.equal(['1.', '2.', '3.', '4.', '5.']);
    expect(groups.map((group) => /^[A-Z][A-Z0-9_]*=/m.test(group))).to.deep.equal([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('asks for what is required, and gives no secret a value', () => {
    const asked = listed.filter(([, hash]) => hash === undefined).map(([, , name]) => name);
    expect(asked).to.have.members([...new Set([...required, ...OF_OWN, 'COMPOSE_PROFILES'])]);
    const given = [...example.matchAll(/^([A-Z][A-Z0-9_]*)=(.+)$/gm)].map(([, name]) => name);
    expect(given).to.deep.equal(['COMPOSE_PROFILES']);
  });
});
