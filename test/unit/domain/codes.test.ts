import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { CODES_PAGE, renderCodesPage } from '../../../scripts/codes-page.ts';
import { repositoryRoot } from '../../../scripts/test-plan.ts';
import { ALL_GROUPS, factsOfCode } from '../../../src/cli/customer/explain/codes.ts';
import { CLIENT_CODES } from '../../../src/client/index.ts';
import { SERVICE_ERRORS, SERVICE_FAILURES, SERVICE_WARNINGS } from '../../../src/domain/codes/catalogue.ts';
import type { CodeGroup } from '../../../src/domain/codes/code.ts';
import { ERROR_CODES } from '../../../src/domain/codes/errors.ts';
import { CATALOGUE } from '../../../src/tools/catalogue.ts';
import { TOOLS } from '../../../src/tools/index.ts';

/** A capital letter, words, a full stop; one line without doubled spaces. */
const SENTENCES = /^[A-Z](?:(?! {2}).){8,}\.$/;

const codesOf = (groups: readonly CodeGroup[]): string[] => [
  ...new Set(groups.flatMap(({ codes }) => Object.keys(codes))),
];

/** The texts of all product source files, without the tables of codes and what is generated from them. */
function sources(...folders: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter(
      (path) =>
        /\.(py|ts)$/.test(path) &&
        !/noop|^src\/domain\/codes\/|^src\/tools\/[^/]+\/codes\.ts$|api-types/.test(path),
    )
    .map((path) => readFileSync(join(repositoryRoot, path), 'utf8'));
}

/** What a search refuses at submit, and may fail with as well. */
const SEARCH_CODES = [
  ...['QUERY_EMPTY', 'QUERY_INVALID', 'QUERY_TYPE_MISMATCH', 'QUERY_TOO_LARGE'],
  ...['TASK_COUNT_MISMATCH', 'DATABASE_TYPE_MISMATCH'],
];

describe('codes', () => {
  it('have a meaning and an advice in full sentences', () => {
    for (const { codes } of ALL_GROUPS) {
      for (const [code, { meaning, advice }] of Object.entries(codes)) {
        expect(code).to.match(/^[A-Z]+(?:_[A-Z]+)*$/);
        expect(meaning, code).to.match(SENTENCES);
        expect(advice, code).to.match(SENTENCES);
        expect(advice, code).not.to.equal(meaning);
      }
    }
  });

  it('are told in the same words wherever they are met, and no two mean the same', () => {
    const words = new Map<string, string>();
    for (const { codes } of ALL_GROUPS) {
      for (const [code, { meaning, advice }] of Object.entries(codes)) {
        const told = `${meaning} ${advice}`;
        expect(words.get(code) ?? told, code).to.equal(told);
        words.set(code, told);
      }
    }
    const meanings = new Map<string, string>();
    for (const { codes } of ALL_GROUPS)
      for (const [code, { meaning }] of Object.entries(codes)) {
        expect(meanings.get(meaning) ?? code, meaning).to.equal(code);
        meanings.set(meaning, code);
      }
  });

  it('stand in groups with a title and a note, apart by tool', () => {
    const titles = ALL_GROUPS.map(({ title }) => title);
    expect(new Set(titles).size).to.equal(titles.length);
    for (const { title, note, codes } of ALL_GROUPS) {
      expect(note, title).to.match(/^.{8,}\.$/);
      expect(Object.keys(codes), title).not.to.deep.equal([]);
    }
    const ofEveryJob = codesOf(CATALOGUE.groups.filter(({ tool }) => tool === null));
    const ofTools = codesOf(CATALOGUE.groups.filter(({ tool }) => tool !== null));
    // What an inspection answers as an error is a failure of docking, with one pair of words. What the beginning of a file
    // of queries shows is refused at submit, and what only the whole file shows fails the job with the same code.
    expect(ofTools.filter((code) => ofEveryJob.includes(code))).to.have.members([
      ...['RECEPTOR_NOT_FOUND', 'RECEPTOR_FETCH_FAILED', 'RECEPTOR_UNREADABLE', 'RECEPTOR_EMPTY'],
      ...SEARCH_CODES,
    ]);
  });

  it('list every failure and warning that tools and instances give', () => {
    const given = /(?:"code": |(?:Science|Input)Error\(\s*|warning\(\s*|code: )["']([A-Z]+(?:_[A-Z]+)+)["']/g;
    const found = sources(
      ...['science/*/src/*', 'src/tools', 'src/services/ligands', 'src/adapters/chemistry', 'src/instance'],
      ...['src/services/execution', 'src/domain'],
    ).flatMap((text) => [...text.matchAll(given)].map(([, code = '']) => code));
    expect(new Set(found).size).to.be.greaterThan(60);
    const known = new Set(codesOf(CATALOGUE.groups));
    expect(found.filter((code) => !known.has(code))).to.deep.equal([]);
    const told = new Set(codesOf([...CATALOGUE.failures, ...CATALOGUE.warnings]));
    const errors = Object.keys(CATALOGUE.errors);
    expect([...new Set(found)].filter((code) => !told.has(code) && !errors.includes(code))).to.deep.equal([
      'ATOMS_BUILT',
    ]);
  });

  it('are all given by something', () => {
    const text = sources('src', 'api', 'workflows', 'activities', 'science/*/src/*').join('\n');
    const unused = codesOf(CATALOGUE.groups).filter(
      (code) => !new RegExp(`['"]${code}['"]|_REFUSALS\\.${code}\\b`).test(text),
    );
    expect(unused).to.deep.equal([]);
  });

  it('are on the page that `npm run docs:codes` writes now', async () => {
    const committed = readFileSync(join(repositoryRoot, CODES_PAGE), 'utf8');
    expect(committed, 'run: npm run docs:codes').to.equal(renderCodesPage(repositoryRoot));
    for (const code of codesOf(ALL_GROUPS)) expect(committed).to.contain(`\n- \`${code}\``);
  });

  it('are known of everything that the client and the command line print', () => {
    const text = sources('src/cli', 'src/client', 'src/packs', 'src/tools').join('\n');
    const printed = [
      /new CommandProblem\(\s*[^,]+,\s*'([A-Z_]+)'/g,
      /new CommandRefusal\(\s*'([A-Z_]+)'/g,
      /\bcode: '([A-Z][A-Z_]+)'/g,
      /\bcode \?\? '([A-Z_]+)'/g,
    ].flatMap((pattern) => [...text.matchAll(pattern)].map(([, code = '']) => code));
    printed.push(...Object.values(CLIENT_CODES));
    expect(new Set(printed).size).to.be.greaterThan(35);
    expect(printed).to.include.members([
      ...['USAGE', 'USAGE_BOX', 'USAGE_LIGANDS', 'PRICE_ABOVE_MAXIMUM', 'UNSAFE_PATH', 'NOT_MIGRATED'],
      ...['CONNECTION_LOST', 'NO_TERMINAL'],
    ]);
    const known = new Set(codesOf(ALL_GROUPS));
    expect([...new Set(printed)].filter((code) => !known.has(code))).to.deep.equal([]);
  });

  it('advise nothing that only some tools have, unless in the name of the tool', () => {
    const readBySome = TOOLS.flatMap(({ request }) => request.reads ?? []);
    const words = new RegExp(
      `\\b(?:${[...new Set(readBySome)].join('|')}|box|ligands?|query|queries|pockets?)\\b`,
      'i',
    );
    for (const { codes, title } of [
      SERVICE_FAILURES,
      SERVICE_WARNINGS,
      { ...SERVICE_ERRORS, codes: ERROR_CODES },
    ])
      for (const [code, { meaning, advice }] of Object.entries(codes))
        expect(`${meaning} ${advice}`, `${title}: ${code}`).not.to.match(words);
    for (const { about, codes } of TOOLS)
      for (const [code, advice] of Object.entries(codes.advice ?? {})) {
        expect(codesOf([SERVICE_FAILURES]), about.id).to.include(code);
        expect(advice).to.match(SENTENCES);
      }
    const timeout = factsOfCode('ENGINE_TIMEOUT');
    expect(timeout?.advice).to.equal('Split the input, or ask for less work in each task.');
    expect(timeout?.toolAdvice).to.have.all.keys(
      'autodock-vina',
      'fpocket',
      'blastp',
      'blastn',
      'swan',
      'wavewatch3',
      'blender',
    );
    expect(timeout?.toolAdvice['autodock-vina']).to.contain('exhaustiveness');
  });
});
