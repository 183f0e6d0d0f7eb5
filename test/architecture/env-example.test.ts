import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { renderEnvExample } from '../../scripts/env-example.ts';
import { repositoryRoot } from '../../scripts/test-plan.ts';
import { describeConfig } from '../../src/config.ts';

const committed = readFileSync(join(repositoryRoot, '.env.example'), 'utf8');

describe('.env.example', () => {
  it('lists each variable of the configuration once, with its default', () => {
    const listed = [...committed.matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map((match) => [
      match[1],
      match[2],
    ]);
    const known = describeConfig().map(({ name, default: fallback }) => [name, fallback ?? '']);
    expect(listed).to.deep.equal(known);
  });

  it('is what `node scripts/env-example.ts` writes now', () => {
    expect(committed).to.equal(renderEnvExample(describeConfig()));
  });

  it('says of each variable what it is for', () => {
    for (const { name, description } of describeConfig()) {
      expect(description, name).to.match(/^\S.{8,}\.$/);
    }
  });
});
