/** Molecular projects: versions rise by one, no revision ever changes, shares stay what they were. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import fc from 'fast-check';

import { withStoredContent } from '../../api/projects/content.ts';
import { AppError } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { KeyActor } from '../../src/domain/access.ts';
import { closeAccount } from '../../src/services/identity/index.ts';
import { createProjects, sweepProjects } from '../../src/services/projects/index.ts';
import type { Changed } from '../../src/services/projects/index.ts';
import { createSecretBox } from '../../src/services/secret-box.ts';
import { operator } from '../../src/services/audit/index.ts';
import { rotateSettings } from '../../src/services/settings/index.ts';
import { canonicalJson, canonicalSha256 } from '../../src/tools/canonical.ts';
import { newOwner } from '../support/actors.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventsOf } from '../support/events-of.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';

const scene = (label: string): JsonObject => ({
  scene: { kind: 'single', metadata: { version: '1', title: label }, root: { kind: 'root' } },
  notes: 'α-helix',
  unknown: [1.5],
});

const PUBLIC_URL = 'https://dockyard.example.org';

describe('molecular projects', () => {
  let test: TestDatabase;
  let projects: ReturnType<typeof createProjects>;
  let owner: KeyActor;
  before(async () => {
    test = await openTestDatabase();
    projects = createProjects({
      db: test.db,
      box: createSecretBox(`a:${'0a'.repeat(32)}`),
      publicUrl: PUBLIC_URL,
    });
  });
  beforeEach(async () => {
    owner = await newOwner(test.db);
  });
  after(() => test.close());

  const keyed = <Body extends object>(body: Body, idempotencyKey: string = randomUUID()) => ({
    ...{ body, idempotencyKey },
    fingerprint: canonicalSha256(body),
  });
  const withContent = <Body extends { readonly content: JsonObject }>(sent: Body, key?: string) => {
    const { value, identity } = withStoredContent(sent);
    return { ...keyed(identity, key), body: value };
  };
  const create = async (content = scene('first'), key?: string): Promise<Changed> =>
    projects.create(owner, withContent({ name: 'Kinase', content }, key));
  const save = async (
    id: string,
    expectedVersion: number,
    content = scene('next'),
    key?: string,
  ): Promise<Changed> => projects.save(owner, id, withContent({ content, expectedVersion }, key));
  const revisionsOf = async (id: string): Promise<number[]> =>
    (await projects.listRevisions(owner, id, { limit: 100 })).revisions.map(({ version }) => version);
  const tokenOf = ({ project }: Changed): string => project.share?.token ?? expect.fail('not shared');

  it('keep every content that was saved, byte for byte in canonical form', async () => {
    const { project } = await create();
    expect(project).to.include({
      name: 'Kinase',
      currentVersion: 1,
      contentSha256: canonicalSha256(scene('first')),
    });
    const { project: next } = await save(project.id, 1, scene('first'));
    expect(next, 'equal content is a revision, too').to.include({ currentVersion: 2 });
    for (const version of [1, 2]) {
      const { record, content } = await projects.readRevision(owner, { projectId: project.id, version });
      expect(content.toString()).to.equal(canonicalJson(scene('first')));
      expect(record).to.include({ version, byteSize: content.byteLength, sourceVersion: null });
    }
    const [{ stored } = { stored: 0 }] = await test.db.query<{ readonly stored: number }[]>(
      'select count(*)::int as stored from molecular_contents where account_id = $1',
      [owner.accountId],
    );
    expect(stored).to.equal(1);
  });

  it('save one of fifty successors of the same version, and answer one of fifty equal requests', async () => {
    const { project } = await create();
    const fifty = Array.from({ length: 50 }, (_, index) => index);
    const conflicts = await Promise.all(
      fifty.map((index) => refusalOf(save(project.id, 1, scene(`by ${index}`)))),
    );
    const refused = conflicts.filter((error) => error instanceof AppError);
    expect(refused.map(({ code, currentVersion }) => [code, currentVersion])).to.deep.equal(
      Array.from({ length: 49 }, () => ['VERSION_CONFLICT', 2]),
    );
    const answers = await Promise.all(fifty.map(() => save(project.id, 2, scene('same'), 'one key for all')));
    expect(answers.filter(({ replayed }) => !replayed)).to.have.length(1);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.project))).size).to.equal(1);
    expect(await revisionsOf(project.id)).to.deep.equal([3, 2, 1]);
  });

  it('answer a repeated request as the first time, also after the head has moved on and the share has ended', async () => {
    const first = await create(scene('a'), 'create once');
    const { id } = first.project;
    const share = keyed({ expectedVersion: 1 }, 'share once');
    const shared = await projects.share(owner, id, share);
    await save(id, 1);
    await projects.revoke(owner, id, { expectedVersion: 2 });
    expect(await create(scene('a'), 'create once')).to.deep.equal({ ...first, replayed: true });
    expect(await projects.share(owner, id, share)).to.deep.equal({ ...shared, replayed: true });
    expect(await codeOf(create(scene('b'), 'create once'))).to.equal('IDEMPOTENCY_KEY_REUSED');
    const rows = await test.db.query<unknown[]>('select * from idempotency_keys where account_id = $1', [
      owner.accountId,
    ]);
    expect(JSON.stringify(rows), 'no token is stored in the clear').to.not.include(tokenOf(shared));
    const rotated = createSecretBox(`b:${'0b'.repeat(32)},a:${'0a'.repeat(32)}`);
    await rotateSettings(test.db, rotated, operator('tests'));
    projects = createProjects({
      db: test.db,
      box: createSecretBox(`b:${'0b'.repeat(32)}`),
      publicUrl: PUBLIC_URL,
    });
    expect(
      await projects.share(owner, id, share),
      'also when the key of the installation has changed',
    ).to.deep.equal({ ...shared, replayed: true });
  });

  it('free the key of a request that was refused', async () => {
    const { project } = await create();
    expect(await codeOf(save(project.id, 7, scene('x'), 'again later'))).to.equal('VERSION_CONFLICT');
    expect((await save(project.id, 1, scene('x'), 'again later')).replayed).to.equal(false);
  });

  it('restore a copy of an earlier revision, and rewrite nothing', async () => {
    const { project } = await create();
    await save(project.id, 1);
    const { project: restored } = await projects.restore(
      owner,
      { projectId: project.id, version: 1 },
      keyed({ expectedVersion: 2, message: 'back' }),
    );
    expect(restored).to.include({ currentVersion: 3, contentSha256: project.contentSha256 });
    const { record } = await projects.readRevision(owner, { projectId: project.id, version: 3 });
    expect(record).to.include({ sourceVersion: 1, message: 'back' });
    const missing = projects.restore(
      owner,
      { projectId: project.id, version: 9 },
      keyed({ expectedVersion: 3 }),
    );
    expect(await codeOf(missing)).to.equal('NOT_FOUND');
    for (const statement of [
      'update molecular_revisions set message = $2 where project_id = $1',
      'delete from molecular_revisions where project_id = $1 and $2::text is not null',
    ])
      expect(String(await refusalOf(test.db.query(statement, [project.id, 'x'])))).to.include(
        'never changes',
      );
  });

  it('show by a share the revision of its moment for ever, until the share or its project ends', async () => {
    const { project } = await create();
    const { id } = project;
    const first = await projects.share(owner, id, keyed({ expectedVersion: 1 }));
    const second = await projects.share(
      owner,
      id,
      withContent({ expectedVersion: 1, content: scene('second') }),
    );
    expect(second.project).to.include({ currentVersion: 2 });
    expect(second.project.shares.map(({ version }) => version)).to.deep.equal([2, 1]);
    await save(id, 2, scene('private'));
    const shown = await projects.readShared(tokenOf(first));
    expect(shown.record).to.include({ version: 1, name: 'Kinase', contentSha256: project.contentSha256 });
    expect(shown.content.toString()).to.equal(canonicalJson(scene('first')));
    const { shareId = '' } = second.project.share ?? {};
    const left = await projects.revoke(owner, id, { expectedVersion: 3, shareId });
    expect(left.share).to.include({ version: 1 });
    expect(await codeOf(projects.readShared(tokenOf(second)))).to.equal('SHARE_REVOKED');
    expect(await codeOf(projects.revoke(owner, id, { expectedVersion: 3, shareId }))).to.equal('NOT_FOUND');
    await projects.remove(owner, id, 3);
    expect(await codeOf(projects.readShared(tokenOf(first)))).to.equal('SHARE_REVOKED');
    expect(await codeOf(projects.readShared(`${tokenOf(first).slice(0, -1)}_`))).to.equal('NOT_FOUND');
    expect(await codeOf(projects.read(owner, id))).to.equal('NOT_FOUND');
    const told = await eventsOf(test.db, owner.accountId, 'project.');
    const { shareId: firstShare } = first.project.share ?? {};
    expect(
      told.flatMap(({ type, subject, payload }) => (subject === id ? [[type, payload]] : [])),
    ).to.deep.equal([
      ['project.saved', { version: 1 }],
      ['project.shared', { version: 1, shareId: firstShare }],
      ['project.saved', { version: 2 }],
      ['project.shared', { version: 2, shareId }],
      ['project.saved', { version: 3 }],
      ['project.share_revoked', { version: 2, shareId }],
      ['project.deleted', { version: 3 }],
    ]);
  });

  it('end the shares of an account that is closed', async () => {
    const { project } = await create();
    const shared = await projects.share(owner, project.id, keyed({ expectedVersion: 1 }));
    await closeAccount(test.db, { accountId: owner.accountId, reason: null });
    expect(await codeOf(projects.readShared(tokenOf(shared)))).to.equal('SHARE_REVOKED');
  });

  it('are unknown to every other account', async () => {
    const { project } = await create();
    const stranger = await newOwner(test.db);
    const body = { expectedVersion: 1, content: scene('theirs') };
    const tried = [
      projects.read(stranger, project.id),
      projects.readRevision(stranger, { projectId: project.id, version: 1 }),
      projects.listRevisions(stranger, project.id, { limit: 1 }),
      projects.save(stranger, project.id, withContent(body)),
      projects.share(stranger, project.id, withContent(body)),
      projects.restore(stranger, { projectId: project.id, version: 1 }, keyed(body)),
      projects.revoke(stranger, project.id, body),
      projects.remove(stranger, project.id, 1),
    ];
    expect(await Promise.all(tried.map(codeOf))).to.deep.equal(tried.map(() => 'NOT_FOUND'));
    expect((await projects.list(stranger, { limit: 10 })).projects).to.deep.equal([]);
  });

  it('are listed newest first, page by page', async () => {
    const made: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) made.unshift((await create(scene(name))).project.id);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await projects.list(owner, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.projects.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).to.deep.equal(made);
    expect(await codeOf(projects.list(owner, { limit: 2, cursor: 'forged' }))).to.equal('VALIDATION_ERROR');
  });

  it('refuse more than five mebibytes in canonical form', async () => {
    expect(await codeOf(create({ notes: 'n'.repeat(5 * 1024 * 1024) }))).to.equal('PAYLOAD_TOO_LARGE');
    expect((await create({ notes: 'n'.repeat(5 * 1024 * 1024 - 12) })).project.currentVersion).to.equal(1);
  });

  it('tell each change by an event of its transaction', async () => {
    const { project } = await create();
    const { id } = project;
    await projects.share(owner, id, withContent({ expectedVersion: 1, content: scene('b') }));
    await projects.revoke(owner, id, { expectedVersion: 2 });
    await projects.remove(owner, id, 2);
    const events = await test.db.query<
      { readonly kind: string; readonly payload: { readonly version: number } }[]
    >('select kind, payload from events where subject = $1 order by entry', [id]);
    expect(events.map(({ kind, payload }) => `${kind} ${payload.version}`)).to.deep.equal([
      ...[
        'project.saved 1',
        'project.saved 2',
        'project.shared 2',
        'project.share_revoked 2',
        'project.deleted 2',
      ],
    ]);
  });

  it('leave nothing thirty days after their deletion but the contents that others have, too', async () => {
    const [gone, kept] = [await create(scene('common')), await create(scene('common'))];
    await save(gone.project.id, 1, scene('alone'));
    await projects.remove(owner, gone.project.id, 2);
    expect(await sweepProjects(test.db)).to.equal(0);
    await test.db.query(
      `update molecular_projects set deleted_at = now() - interval '31 days' where id = $1`,
      [gone.project.id],
    );
    expect(await sweepProjects(test.db)).to.equal(1);
    const contents = await test.db.query<unknown[]>(
      'select sha256 from molecular_contents where account_id = $1',
      [owner.accountId],
    );
    expect(contents).to.deep.equal([{ sha256: canonicalSha256(scene('common')) }]);
    expect((await projects.read(owner, kept.project.id)).content.toString()).to.equal(
      canonicalJson(scene('common')),
    );
  });

  it('stay what a model says, whatever four clients do at once', async function () {
    this.timeout(60_000);
    const change = fc.constantFrom(
      ...([
        'save',
        'share',
        'save and share',
        'restore',
        'revoke',
        'revoke one',
        'repeat',
        'remove',
      ] as const),
    );
    const oneStep = fc.record({ change, stale: fc.boolean(), source: fc.nat(9) });
    type Step = typeof oneStep extends fc.Arbitrary<infer One> ? One : never;
    const steps = fc.array(oneStep, { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 4 }), async (clients) => {
        const { project } = await create();
        const { id } = project;
        const history = new Map<number, string>([[1, project.contentSha256]]);
        const pinned = new Map<string, number>();
        let number = 0;
        const note = ({ project: made, replayed }: Changed): void => {
          expect(replayed).to.equal(false);
          const known = history.get(made.currentVersion);
          expect(known === undefined || known === made.contentSha256, 'no revision changes').to.equal(true);
          history.set(made.currentVersion, made.contentSha256);
          for (const { token, version } of made.shares) {
            expect(pinned.get(token) ?? version).to.equal(version);
            pinned.set(token, version);
          }
        };
        const act = async (step: Step, mine: { last?: () => Promise<Changed>; answer?: Changed }) => {
          if (step.change === 'repeat') {
            if (mine.last !== undefined)
              expect(await mine.last()).to.deep.equal({ ...mine.answer, replayed: true });
            return;
          }
          const { record } = await projects.read(owner, id);
          const expectedVersion = record.currentVersion - (step.stale ? 1 : 0);
          const body = { expectedVersion, content: scene(`content ${(number += 1)}`) };
          const version = 1 + (step.source % record.currentVersion);
          const shareId = record.shares[step.source % Math.max(1, record.shares.length)]?.shareId;
          if (step.change === 'revoke') return projects.revoke(owner, id, { expectedVersion });
          if (step.change === 'revoke one')
            return projects.revoke(owner, id, { expectedVersion, ...(shareId !== undefined && { shareId }) });
          if (step.change === 'remove')
            return step.source > 7 ? projects.remove(owner, id, expectedVersion) : undefined;
          const made = {
            save: () => projects.save(owner, id, sent),
            share: () => projects.share(owner, id, bare),
            'save and share': () => projects.share(owner, id, sent),
            restore: () => projects.restore(owner, { projectId: id, version }, bare),
          };
          const [sent, bare] = [withContent(body), keyed({ expectedVersion })];
          const last = made[step.change];
          const answer = await last();
          note(answer);
          Object.assign(mine, { last, answer });
        };
        await Promise.all(
          clients.map(async (wanted) => {
            const mine = {};
            for (const step of wanted)
              await act(step, mine).catch((error: unknown) => {
                if (!(error instanceof AppError)) throw error;
                expect(error.code).to.be.oneOf(['VERSION_CONFLICT', 'NOT_FOUND']);
              });
          }),
        );
        const revisions = await test.db.query<{ version: number; sha256: string; bytes: Buffer }[]>(
          `select r.version, r.content_sha256 as sha256, c.bytes from molecular_revisions r
           join molecular_contents c on c.account_id = r.account_id and c.sha256 = r.content_sha256
           where r.project_id = $1 order by r.version`,
          [id],
        );
        expect(revisions.map(({ version }) => version)).to.deep.equal(revisions.map((_, index) => index + 1));
        for (const { version, sha256, bytes } of revisions) {
          expect(history.get(version)).to.equal(sha256);
          expect(canonicalSha256(JSON.parse(bytes.toString()))).to.equal(sha256);
        }
        for (const [token, version] of pinned) {
          const shown = await projects.readShared(token).catch((error: unknown) => error);
          if (shown instanceof AppError) expect(shown.code).to.equal('SHARE_REVOKED');
          else expect(shown).to.have.nested.property('record.version', version);
        }
      }),
      { numRuns: 8, seed: 35 },
    );
  });
});
