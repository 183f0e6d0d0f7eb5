// Proves that the import rules bite: each forbidden import stands alone in one file of a trial tree; the rule that is
// meant for the import must report the file, and no other rule may. One run of dependency-cruiser checks all files, so
// the test stays quick.
import { createRequire } from 'node:module';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { cruise } from 'dependency-cruiser';
import type { ICruiseOptions, ICruiseResult, IFlattenedRuleSet } from 'dependency-cruiser';
import { CLEAN_TREE, writeTree } from '../support/boundary-tree.ts';

const repositoryRoot = join(import.meta.dirname, '..', '..');
const require = createRequire(import.meta.url);
const { SERVICE_FLOORS } = require('../../.dependency-folders.cjs') as {
  SERVICE_FLOORS: readonly (readonly string[])[];
};
const { forbidden, options } = require('../../.dependency-cruiser.cjs') as {
  forbidden: NonNullable<IFlattenedRuleSet['forbidden']>;
  options: ICruiseOptions;
};

/** One forbidden import. */
interface Trespass {
  /** The folder into which the file with the import is put. */
  readonly from: string;
  /** The import: a path from the root of the tree, or a package. */
  readonly imports: string;
  /** The rule that must report the import; two names, separated by a comma, where both rules must. */
  readonly rule: string;
  readonly typeOnly?: boolean;
}

const FOLDERS = '(api|workflows|activities|entities|migrations|src|scripts)';

const TRESPASSES: readonly Trespass[] = [
  { from: 'workflows', imports: 'activities/credits.ts', rule: 'workflows-types-only' },
  { from: 'workflows', imports: 'src/services/jobs.ts', rule: 'workflows-imports' },
  { from: 'workflows', imports: 'src/adapters/storage/storage.ts', rule: 'workflows-imports' },
  { from: 'workflows', imports: 'node:fs', rule: 'workflows-builtins' },
  { from: 'workflows', imports: '@temporalio/client', rule: 'workflows-packages' },
  { from: 'workflows', imports: 'typeorm', rule: 'workflows-packages' },
  { from: 'api', imports: 'src/services/jobs.ts', rule: 'api-types-only' },
  { from: 'api', imports: 'entities/job.ts', rule: 'api-imports' },
  { from: 'api', imports: 'src/adapters/storage/storage.ts', rule: 'api-imports', typeOnly: true },
  { from: 'api', imports: 'workflows/job.ts', rule: 'api-imports' },
  { from: 'api', imports: '@temporalio/client', rule: 'api-packages' },
  { from: 'api', imports: 'typeorm', rule: 'api-packages' },
  { from: 'src/domain', imports: 'src/contracts/job.ts', rule: 'domain-imports', typeOnly: true },
  { from: 'src/domain', imports: 'src/adapters/storage/storage.ts', rule: 'domain-imports' },
  { from: 'src/domain', imports: 'typeorm', rule: 'domain-packages' },
  { from: 'src/domain', imports: 'node:crypto', rule: 'domain-builtins' },
  { from: 'src/scenes', imports: 'src/contracts/job.ts', rule: 'scenes-imports', typeOnly: true },
  { from: 'src/scenes', imports: 'molstar/lib/extensions/mvs/mvs-data.js', rule: 'scenes-packages' },
  { from: 'src/scenes', imports: 'node:crypto', rule: 'scenes-builtins' },
  {
    from: 'src/adapters/chemistry',
    imports: 'molstar/lib/mol-io/reader/cif.js',
    rule: 'parser-of-molecules-in-its-own-process',
  },
  { from: 'src/contracts', imports: 'src/services/jobs.ts', rule: 'contracts-imports' },
  { from: 'src/contracts', imports: 'node:crypto', rule: 'contracts-builtins' },
  { from: 'src/services/docking', imports: 'workflows/job.ts', rule: 'services-imports' },
  { from: 'src/services/docking', imports: 'api/app.ts', rule: 'services-imports' },
  { from: 'src/services/docking', imports: 'koa', rule: 'services-packages' },
  { from: 'src/services/docking', imports: '@aws-sdk/client-s3', rule: 'services-packages' },
  { from: 'activities', imports: 'api/app.ts', rule: 'activities-imports' },
  { from: 'activities', imports: 'workflows/job.ts', rule: 'activities-imports' },
  { from: 'activities', imports: 'src/bin/api.ts', rule: 'activities-imports,entry-points-are-the-top' },
  {
    from: 'src/instance',
    imports: 'src/services/jobs.ts',
    rule: 'guests-never-reach-the-inside,instance-imports',
  },
  {
    from: 'src/instance',
    imports: 'entities/job.ts',
    rule: 'guests-never-reach-the-inside,instance-imports',
  },
  { from: 'src/instance', imports: 'pg', rule: 'instance-packages' },
  {
    from: 'src/local-host',
    imports: 'src/adapters/database/data-source.ts',
    rule: 'guests-never-reach-the-inside,local-host-imports',
  },
  {
    from: 'src/local-host',
    imports: 'src/adapters/storage/storage.ts',
    rule: 'guests-never-reach-the-inside,local-host-imports',
  },
  {
    from: 'src/local-host',
    imports: 'activities/credits.ts',
    rule: 'guests-never-reach-the-inside,local-host-imports',
  },
  { from: 'src/tools', imports: 'src/adapters/temporal/client.ts', rule: 'tools-imports' },
  { from: 'src/tools', imports: 'src/packs/install.ts', rule: 'tools-imports' },
  { from: 'src/tools', imports: 'src/cli/commands.ts', rule: 'tools-imports' },
  { from: 'src/tools', imports: 'src/client/http.ts', rule: 'tools-imports', typeOnly: true },
  { from: 'src/tools', imports: 'src/client/types.ts', rule: 'tools-types-only' },
  { from: 'src/packs', imports: 'src/tools/noop.ts', rule: 'packs-imports' },
  { from: 'src/packs', imports: 'pino', rule: 'packs-packages' },
  {
    from: 'src/adapters/storage',
    imports: 'src/adapters/temporal/client.ts',
    rule: 'adapters-not-each-other',
  },
  { from: 'src/adapters/storage', imports: 'entities/job.ts', rule: 'adapters-imports' },
  { from: 'src/adapters/storage', imports: 'koa', rule: 'adapters-packages' },
  { from: 'src/adapters/temporal', imports: '@aws-sdk/client-s3', rule: 'storage-sdk-only-in-storage' },
  { from: 'src/adapters/instances', imports: '@temporalio/client', rule: 'temporal-sdk-only-in-temporal' },
  { from: 'src/adapters/identity', imports: 'stripe', rule: 'stripe-only-in-payments' },
  { from: 'src/adapters/rates', imports: 'stripe', rule: 'stripe-only-in-payments', typeOnly: true },
  { from: 'src/adapters/database', imports: 'src/services/jobs.ts', rule: 'adapters-database-imports' },
  { from: 'entities', imports: 'src/domain/state.ts', rule: 'entities-imports', typeOnly: true },
  { from: 'migrations', imports: 'entities/job.ts', rule: 'migrations-imports' },
  { from: 'web/src', imports: 'src/services/jobs.ts', rule: 'web-imports' },
  { from: 'web/src', imports: 'src/client/http.ts', rule: 'web-imports' },
  { from: 'web/src', imports: 'joi', rule: 'web-packages' },
  { from: 'web/src', imports: 'node:fs', rule: 'web-builtins' },
  { from: 'src/client', imports: 'src/domain/state.ts', rule: 'client-imports' },
  { from: 'src/client', imports: 'src/services/jobs.ts', rule: 'client-imports' },
  { from: 'src/stack', imports: 'src/services/jobs.ts', rule: 'stack-imports' },
  { from: 'src/stack', imports: 'src/client/http.ts', rule: 'stack-imports' },
  { from: 'src/cli', imports: 'api/app.ts', rule: 'cli-imports' },
  { from: 'src/gateway', imports: 'src/adapters/storage/storage.ts', rule: 'gateway-imports' },
  { from: 'src/contracts', imports: 'typeorm', rule: 'contracts-packages' },
  { from: 'src/gateway', imports: 'typeorm', rule: 'gateway-packages' },
  { from: 'activities', imports: 'koa', rule: 'activities-packages' },
  { from: 'src/local-host', imports: '@aws-sdk/client-s3', rule: 'local-host-packages' },
  { from: 'src/tools', imports: 'undici', rule: 'tools-packages' },
  { from: 'entities', imports: 'pg', rule: 'entities-packages' },
  { from: 'entities', imports: 'node:fs', rule: 'entities-builtins' },
  { from: 'migrations', imports: 'pg', rule: 'migrations-packages' },
  { from: 'src/adapters/database', imports: 'joi', rule: 'adapters-database-packages' },
  { from: 'src/config', imports: 'src/services/jobs.ts', rule: 'config-imports' },
  { from: 'src/config', imports: 'typeorm', rule: 'config-packages' },
  { from: 'src/logging', imports: 'src/config.ts', rule: 'plumbing-imports' },
  { from: 'src/logging', imports: 'typeorm', rule: 'plumbing-packages' },
  { from: 'src/tracing', imports: 'src/adapters/temporal/client.ts', rule: 'tracing-imports' },
  { from: 'src/tracing', imports: 'pino', rule: 'tracing-packages' },
  { from: 'src/client', imports: 'koa', rule: 'client-packages' },
  { from: 'src/stack', imports: 'typeorm', rule: 'stack-packages' },
  { from: 'src/cli', imports: 'typeorm', rule: 'cli-packages' },
  { from: 'src/elsewhere', imports: 'src/domain/state.ts', rule: 'no-folder-without-rules' },
  { from: 'src/services/docking', imports: './no-such-file.ts', rule: 'no-unresolvable' },
  { from: 'src/services/elsewhere', imports: 'src/domain/state.ts', rule: 'no-service-without-floor' },
  ...SERVICE_FLOORS.flatMap(upwards),
];

/** Each room of a floor of services importing its neighbour of the same floor, where it has one, and one of each higher floor. */
function upwards(rooms: readonly string[], floor: number): Trespass[] {
  const above = SERVICE_FLOORS.slice(floor + 1).map(([room]) => room ?? '');
  const rule = `services-floor-${String(floor)}`;
  return rooms.flatMap((room, place) =>
    [...rooms.slice(place === 0 ? 1 : place - 1, place === 0 ? 2 : place), ...above].map((other) => ({
      from: `src/services/${room}`,
      imports: `src/services/${other}/room.ts`,
      rule,
      typeOnly: true,
    })),
  );
}

/** The path of the file with import number `index`. */
const pathOf = (trespass: Trespass, index: number): string => `${trespass.from}/trespass-${String(index)}.ts`;

function sourceOf(trespass: Trespass): string {
  const depth = trespass.from.split('/').length;
  const isOwn = new RegExp(`^${FOLDERS}/`).test(trespass.imports);
  const specifier = isOwn ? `${'../'.repeat(depth)}${trespass.imports}` : trespass.imports;
  const clause = trespass.typeOnly === true ? 'import type * as thing' : 'import * as thing';
  const use = trespass.typeOnly === true ? 'export type Use = typeof thing;' : 'export const use = thing;';
  return `${clause} from ${JSON.stringify(specifier)};\n${use}\n`;
}

/** Runs the repository's own rules over a tree; answers the names of the broken rules, by file. */
async function violationsOf(root: string): Promise<Map<string, Set<string>>> {
  const folders = ['api', 'workflows', 'activities', 'entities', 'migrations', 'src', 'scripts', 'web/src'];
  const answer = await cruise(folders, {
    ...options,
    exclude: { path: '(^|/)dist/' },
    baseDir: root,
    validate: true,
    ruleSet: { forbidden },
  });
  const byFile = new Map<string, Set<string>>();
  for (const violation of (answer.output as ICruiseResult).summary.violations) {
    const rules = byFile.get(violation.from) ?? new Set<string>();
    byFile.set(violation.from, rules.add(violation.rule.name));
  }
  return byFile;
}

describe('import rules', () => {
  const root = join(repositoryRoot, '.cache', `boundaries-${String(process.pid)}`);
  after(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('leave a tree alone that keeps them', async () => {
    writeTree(root, CLEAN_TREE);
    expect(
      [...(await violationsOf(root))].map(([file, rules]) => `${file}: ${[...rules].join()}`),
    ).to.deep.equal([]);
  });

  describe('report', () => {
    let reported: Map<string, Set<string>>;

    before(async () => {
      writeTree(root, CLEAN_TREE);
      const extra: Record<string, string> = {
        'src/domain/lonely.ts': 'export const alone = 1;\n',
        'src/domain/chicken.ts': 'import { egg } from "./egg.ts";\nexport const chicken = () => egg;\n',
        'src/domain/egg.ts': 'import { chicken } from "./chicken.ts";\nexport const egg = () => chicken;\n',
        'scripts/trespass.mjs': 'import joi from "joi";\nexport const use = joi;\n',
        // The lock itself, with an import that an old Node cannot load.
        'src/client/lock.mjs': 'import { get } from "./http.ts";\nexport const lock = get;\n',
      };
      for (const { imports } of TRESPASSES)
        if (imports.endsWith('/room.ts')) extra[imports] = 'export const room = 1;\n';
      TRESPASSES.forEach((trespass, index) => {
        extra[pathOf(trespass, index)] = sourceOf(trespass);
      });
      for (const [path, text] of Object.entries(extra)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      reported = await violationsOf(root);
    });

    const rulesAt = (path: string): string => [...(reported.get(path) ?? [])].sort().join();

    TRESPASSES.forEach((trespass, index) => {
      const kind = trespass.typeOnly === true ? 'type of ' : '';
      it(`${trespass.from} importing ${kind}${trespass.imports}`, () => {
        expect(rulesAt(pathOf(trespass, index))).to.equal(trespass.rule);
      });
    });

    it('a cycle', () => {
      expect(rulesAt('src/domain/chicken.ts')).to.equal('no-cycles');
    });
    it('a module that nothing uses', () => {
      expect(rulesAt('src/domain/lonely.ts')).to.equal('no-orphans');
    });
    it('a package in a script that must run before anything is installed', () => {
      expect(rulesAt('scripts/trespass.mjs')).to.equal('scripts-run-on-old-node');
    });
    it('TypeScript in the lock, which the same scripts load', () => {
      expect(rulesAt('src/client/lock.mjs')).to.equal('scripts-run-on-old-node');
    });
    it('nothing else', () => {
      const offenders = new Set([
        ...TRESPASSES.map((trespass, index) => pathOf(trespass, index)),
        'src/domain/lonely.ts',
        'src/domain/chicken.ts',
        'src/domain/egg.ts',
        'scripts/trespass.mjs',
        'src/client/lock.mjs',
      ]);
      expect([...reported.keys()].filter((file) => !offenders.has(file))).to.deep.equal([]);
    });
  });

  it('have each a test that breaks them', () => {
    const broken = new Set(TRESPASSES.flatMap(({ rule }) => rule.split(',')));
    for (const name of ['no-cycles', 'no-orphans', 'scripts-run-on-old-node']) broken.add(name);
    const untested = forbidden
      .map(({ name }) => name)
      .filter((name) => name !== undefined && !broken.has(name));
    expect(untested).to.deep.equal([]);
  });
});
