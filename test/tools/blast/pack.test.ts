// The real BLAST+ of Debian's packages: it runs from the cache of this user, and refuses what is not pinned.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { installPack } from '../../../src/packs/install.ts';
import type { InstalledPack } from '../../../src/packs/pack.ts';
import { blastPack } from '../../../src/tools/blast/pack.ts';
import { realPack } from '../../support/real-packs.ts';

const SEQUENCE =
  'MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSLAKWKRQTLGQHDFSAGEGLYTHMKALRPDEDRLSPLHSVYVDQWDWE';

describe('the pack of BLAST+', function () {
  this.timeout(300_000);
  let pack: InstalledPack;
  let folder: string;
  before(async function () {
    const found = await realPack(blastPack);
    if (found === null) return this.skip();
    pack = found;
    folder = await mkdtemp(join(tmpdir(), 'dockyard-blast-'));
  });
  after(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });
  const run = (program: string, ...args: string[]) =>
    execFileSync(pack.programs[program] ?? '', args, {
      cwd: folder,
      env: pack.environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const failureOf = async (
    environment: Record<string, string | undefined>,
    from?: string,
  ): Promise<Error> => {
    const progress = { step: () => undefined, bytes: () => undefined, detail: () => undefined };
    const options = { folder: join(folder, 'packs'), environment, from, progress };
    const error: unknown = await installPack(blastPack, options).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error instanceof Error) return error;
    throw new Error('It went well.');
  };

  it('makes a database and finds a sequence in it', async () => {
    await writeFile(join(folder, 'one.fasta'), `>one\n${SEQUENCE}\n`);
    run('makeblastdb', '-in', 'one.fasta', '-dbtype', 'prot', '-out', 'db');
    expect(run('blastp', '-query', 'one.fasta', '-db', 'db', '-outfmt', '6')).to.match(
      /^one\tone\t100\.000\t/,
    );
  });

  it('takes a title that begins with a question mark for a title only behind a blank', async () => {
    for (const [head, found] of [
      ['>?12 a', `Query_1\t${SEQUENCE.length + 12}\t13`],
      ['> ?12 a', `?12\t${SEQUENCE.length}\t1`],
    ] as const) {
      await writeFile(join(folder, 'marked.fasta'), `${head}\n${SEQUENCE}\n`);
      const hits = run('blastp', '-query', 'marked.fasta', '-db', 'db', '-outfmt', '6 qseqid qlen qstart');
      expect(hits, head).to.equal(`${found}\n`);
    }
  });

  it('cannot be fetched without a network, and names the packages with their versions', async () => {
    // Every address is reached through a proxy that is not there.
    const config = join(folder, 'apt.conf');
    await writeFile(
      config,
      'Acquire::http::Proxy "http://127.0.0.1:9";\nAcquire::https::Proxy "http://127.0.0.1:9";\n',
    );
    const error = await failureOf({ ...process.env, APT_CONFIG: config });
    expect(error.name).to.equal('PackMissingError');
    expect(Reflect.get(error, 'command'))
      .to.contain('apt-get download ncbi-blast+=2.12.0')
      .and.contain('--from');
  });

  it('takes no file that is not pinned, and says which are missing', async () => {
    await writeFile(join(folder, 'ncbi-blast+_2.12.0+ds-3+b1_amd64.deb'), 'another file');
    const error = await failureOf(process.env, folder);
    expect(error.name).to.equal('PackRefusedError');
    expect(error.message).to.contain('ncbi-blast+ 2.12.0+ds-3+b1').and.contain('libpcre3');
  });
});
