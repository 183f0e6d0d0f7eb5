import { expect } from 'chai';

import { JOB_TYPES } from '../../../src/domain/requests.ts';
import type { SubmitJobRequest } from '../../../src/domain/requests.ts';
import { dropUnused } from '../../../src/domain/unused-fields.ts';

const ALL = { id: 'any', reads: null };
const EVERYTHING: Omit<SubmitJobRequest, 'jobType'> = {
  sceneFile: 'k',
  recovery: { mode: 'standard' },
  parameters: { a: 'b' },
  priority: 1,
  jobName: 'n',
  attachments: ['k'],
  frameStart: 1,
  frameEnd: 2,
  frameStep: 1,
  outputFormat: 'PNG',
  simulator: 'noop',
  taskCount: 3,
  simulationParams: { seed: 1 },
  metadata: { resolution: '1x1', fps: 1, renderEngine: 'cycles', samples: 1, software: 's', own: 1 },
};
const FRAMES = ['frameStart', 'frameEnd', 'frameStep', 'outputFormat'];
const SIMULATION = ['simulator', 'taskCount', 'simulationParams'];
const PICTURE = ['metadata.resolution', 'metadata.fps', 'metadata.renderEngine'];

describe('fields that a job does not use', () => {
  it('are those of other job types: dropped, and each told once', () => {
    const unused = Object.fromEntries(
      JOB_TYPES.map((jobType) => [jobType, dropUnused({ jobType, ...EVERYTHING }, ALL).unused]),
    );
    expect(unused).to.deep.equal({
      render: [...SIMULATION, ...PICTURE],
      simulation: [...FRAMES, ...PICTURE, 'metadata.samples'],
      molecular: [...FRAMES, ...SIMULATION],
      pipeline: PICTURE,
    });
    for (const jobType of JOB_TYPES) {
      const { request, warnings, unused: paths } = dropUnused({ jobType, ...EVERYTHING }, ALL);
      const dropped = paths.filter((path) => !path.startsWith('metadata.'));
      const kept = Object.keys({ jobType, ...EVERYTHING }).filter((name) => !dropped.includes(name));
      expect(Object.keys(request).sort()).to.deep.equal(kept.sort());
      expect(request.metadata, 'kept for plugins and workers').to.equal(EVERYTHING.metadata);
      expect(warnings.map(({ message }) => message.split(' ')[0])).to.deep.equal(paths);
      expect(new Set(warnings.map(({ code }) => code))).to.deep.equal(new Set(['PARAMETER_UNUSED']));
    }
  });

  it('are told with the jobs that they are for', () => {
    const { warnings } = dropUnused({ jobType: 'simulation', frameStart: 1, metadata: { fps: 24 } }, ALL);
    expect(warnings).to.deep.equal([
      {
        code: 'PARAMETER_UNUSED',
        message: 'frameStart is for render jobs; this simulation job does not use it.',
      },
      {
        code: 'PARAMETER_UNUSED',
        message: 'metadata.fps is for molecular jobs; this simulation job does not use it.',
      },
    ]);
  });

  it('are the parameters that the tool does not read, but for what the schema filled in', () => {
    const tool = { id: 'swan', reads: ['seed'] as const };
    const sent = {
      jobType: 'simulation',
      simulationParams: { seed: 1, blastEvalue: 5, maxPockets: 10 },
    } as const;
    const { request, unused, warnings } = dropUnused(sent, tool);
    expect(request.simulationParams).to.deep.equal({ seed: 1 });
    expect(unused).to.deep.equal(['simulationParams.blastEvalue']);
    expect(warnings.map(({ message }) => message)).to.deep.equal([
      'simulationParams.blastEvalue is not used by swan.',
    ]);
    const pockets = { ...sent, simulationParams: { maxPockets: 11 } };
    expect(dropUnused(pockets, tool).unused).to.deep.equal(['simulationParams.maxPockets']);
    expect(sent.simulationParams).to.have.property('blastEvalue', 5);
  });

  it('are told once as a whole where no simulator runs', () => {
    const sent = { jobType: 'render', simulationParams: { seed: 1, blastEvalue: 5 } } as const;
    expect(dropUnused(sent, { id: 'blender', reads: [] }).unused).to.deep.equal(['simulationParams']);
  });
});
