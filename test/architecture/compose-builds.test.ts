// How the compose file tells builds apart: each image is kept under the name of its build, and control workers of a second build run
// beside those of the first.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'yaml';

import { repositoryRoot } from '../../scripts/test-plan.ts';

interface Service {
  readonly image: string;
  readonly build?: object;
  readonly profiles?: readonly string[];
  readonly pull_policy?: string;
  readonly environment?: Readonly<Record<string, string | number>>;
}

const { services } = parse(readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8'), {
  merge: true,
}) as { services: Record<string, Service> };
const built = Object.entries(services).filter(([, { build }]) => build !== undefined);

describe('the builds of docker-compose.yml', () => {
  it('runs control workers of two builds beside each other, alike but for the build and its image', () => {
    const { control, 'control-other': other } = services;
    const alike = (service: Service | undefined): object => ({
      ...service,
      ...{ image: null, build: null, profiles: null, pull_policy: null },
      environment: { ...service?.environment, DOCKYARD_BUILD_ID: null },
    });
    expect(alike(other)).to.deep.equal(alike(control));
    expect(other?.profiles, 'only where it is asked for').to.deep.equal(['two-builds']);
    expect(control?.profiles).to.equal(undefined);
    // An image under the name of the other build that is made of this checkout would be another build.
    expect(other?.build).to.equal(undefined);
    expect(other?.pull_policy).to.equal('never');
    for (const [service, name, build] of [
      [control, 'DOCKYARD_CONTROL_IMAGE', '${DOCKYARD_BUILD:?}'],
      [other, 'DOCKYARD_OTHER_IMAGE', '${DOCKYARD_OTHER_BUILD:-none}'],
    ] as const) {
      expect(service?.image).to.equal(`\${${name}:-dockyard-control:${build}}`);
      expect(service?.environment).to.include({ DOCKYARD_BUILD_ID: build });
    }
  });

  it('keeps each image of ours under the name of its build, unless one is named', () => {
    for (const [name, { image }] of built)
      expect(image, name).to.match(
        /^\$\{DOCKYARD(_API|_CONTROL|_COMPUTE)?_IMAGE:-dockyard(-api|-control|-compute)?:\$\{DOCKYARD_BUILD:\?\}\}$/,
      );
  });
});
