import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SETTINGS_PAGE, renderSettingsPage } from '../../scripts/settings-page.ts';
import { repositoryRoot } from '../../scripts/test-plan.ts';
import { describeConfig, describeTuning } from '../../src/config.ts';

const committed = readFileSync(join(repositoryRoot, SETTINGS_PAGE), 'utf8');

describe('docs/settings.md', () => {
  const all = [...describeConfig(), ...describeTuning()];

  it('has a row for each variable and each lease', () => {
    const rows = [...committed.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(rows).to.have.members(all.map(({ name }) => name));
  });

  it('is what `npm run docs:settings` writes now', () => {
    expect(committed).to.equal(renderSettingsPage(repositoryRoot));
  });

  it('says of each what it is for', () => {
    for (const { name, description } of all) expect(description, name).to.match(/^\S.{8,}\.$/);
  });
});
