// The policy of `deploy/aws.md` allows the control worker what the provider of EC2 asks of AWS, and no more.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { TAGS } from '../../src/adapters/instances/ec2/described.ts';
import { repositoryRoot } from '../../scripts/test-plan.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: { readonly StringEquals?: Readonly<Record<string, string>> };
}

const page = readFileSync(join(repositoryRoot, 'deploy', 'aws.md'), 'utf8');
const policy: { readonly Statement: readonly Statement[] } = JSON.parse(
  /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '',
);
const listOf = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;
const statementsOf = (action: string): readonly Statement[] =>
  policy.Statement.filter(({ Action }) => listOf(Action).includes(action));
/** A launch tags in the same call, which is a right of its own. */
const OF_TAGS = 'ec2:CreateTags';

describe('the policy for AWS', () => {
  it('has the actions that are called, and what goes with them', () => {
    const called = globSync('src/adapters/instances/ec2/*.ts', { cwd: repositoryRoot }).flatMap((file) =>
      [
        ...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(
          /import \{([^}]*)\} from '@aws-sdk\/client-(ec2|ssm)'/g,
        ),
      ].flatMap(([, names = '', service = '']) =>
        [...names.matchAll(/(\w+)Command\b/g)].map(([, action = '']) => `${service}:${action}`),
      ),
    );
    const allowed = new Set(policy.Statement.flatMap(({ Action }) => listOf(Action)));
    expect([...allowed].sort()).to.deep.equal([...new Set([...called, OF_TAGS])].sort());
    expect(policy.Statement.every(({ Effect }) => Effect === 'Allow')).to.equal(true);
    expect(JSON.stringify(policy)).to.not.match(/"(ec2|ssm):[^"]*\*/);
  });

  it('lets it launch and end instances with the tag of the deployment alone', () => {
    const tag = { [`aws:ResourceTag/${TAGS.deployment}`]: 'DEPLOYMENT' };
    expect(
      statementsOf('ec2:TerminateInstances').map(({ Condition }) => Condition?.StringEquals),
    ).to.deep.equal([tag]);
    const launches = statementsOf('ec2:RunInstances').filter(({ Resource }) =>
      listOf(Resource).some((resource) => /:(instance|volume)\//.test(resource)),
    );
    expect(launches.map(({ Condition }) => Condition?.StringEquals)).to.deep.equal([
      { [`aws:RequestTag/${TAGS.deployment}`]: 'DEPLOYMENT' },
    ]);
    expect(statementsOf(OF_TAGS).map(({ Condition }) => Condition?.StringEquals)).to.deep.equal([
      { 'ec2:CreateAction': 'RunInstances' },
    ]);
  });
});
