/** The document says with which credentials each operation is called. */
import { expect } from 'chai';

import { endpoints } from '../../../api/endpoints.ts';
import type { Access, Endpoint } from '../../../api/http/endpoint.ts';
import { buildOpenApi } from '../../../api/openapi.ts';
import type { Loose } from './samples.ts';

/** The document of one endpoint with this access. */
function documentOf(access: Access): Loose {
  const [some] = endpoints;
  if (some === undefined) return expect.fail('there is no endpoint');
  return buildOpenApi([{ ...some, access } satisfies Endpoint]);
}

const securityOf = (access: Access): unknown => {
  const document = documentOf(access);
  const [path] = Object.values<Loose>(document.paths);
  const [operation] = Object.values<Loose>(path);
  return operation.security ?? document.security;
};

describe('security of the document', () => {
  it('declares a bearer key and the cookie of a session', () => {
    const { apiKey, session } = documentOf('any').components.securitySchemes;
    expect(apiKey).to.include({ type: 'http', scheme: 'bearer' });
    expect(session).to.include({ type: 'apiKey', in: 'cookie' });
    expect(session.name).to.match(/^__Host-/);
  });

  it('names for each operation the credentials that its access takes', () => {
    const [key, session] = [{ apiKey: [] }, { session: [] }];
    expect(securityOf('none')).to.deep.equal([]);
    expect(securityOf('key')).to.deep.equal([key]);
    for (const access of ['session', 'owner'] as const) expect(securityOf(access)).to.deep.equal([session]);
    for (const access of ['any', 'jobs:read'] as const)
      expect(securityOf(access)).to.deep.equal([key, session]);
  });
});
