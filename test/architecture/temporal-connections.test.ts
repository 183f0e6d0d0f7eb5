/** Every connection to Temporal is made in one place, so that none is made without the TLS and the API key of the settings. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';

/** The files that connect: clients, the workers of the SDK, and the gateway's calls in bytes. */
const FACTORIES = [
  'src/adapters/temporal/connection.ts',
  'src/adapters/temporal/native.ts',
  'src/adapters/temporal/frontend.ts',
];
const CONNECTS = /\b(?:Native)?Connection\s*\.\s*(?:connect|create|lazy)\b|\bnew (?:Client|WorkflowClient)\(/;

describe('connections to Temporal', () => {
  it('are made by the factories alone', () => {
    const files = ['src', 'api', 'activities'].flatMap((folder) =>
      readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file)),
    );
    const connecting = files.filter((file) => {
      const text = readFileSync(join(repositoryRoot, file), 'utf8');
      return /@temporalio\/|@grpc\//.test(text) && CONNECTS.test(text);
    });
    expect(connecting).to.have.members(FACTORIES);
  });
});
