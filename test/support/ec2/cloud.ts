/**
 * The simulated EC2 as a stack uses it: moto, the cloud before it, and the settings with which control workers launch there. The
 * machines run the worker of this checkout, with the tools that this machine has.
 */
import { DescribeSecurityGroupsCommand, EC2Client } from '@aws-sdk/client-ec2';

import { findTool } from '../../../src/stack/tools.ts';
import { KEPT_MODULES } from '../kept-modules.ts';
import { openMoto } from '../moto.ts';
import { SimulatedEc2, type SimulatedEc2Options } from './simulated-ec2.ts';

/** A cloud that runs, and what a stack is told to launch there. */
export interface StackCloud {
  readonly cloud: SimulatedEc2;
  /** The settings of the stack's own processes. */
  readonly settings: Readonly<Record<string, string>>;
  /** The credentials; the simulation takes any. */
  readonly environment: Readonly<Record<string, string>>;
  /** Settles when moto has ended without being closed. The cloud cannot go on: its networks and instances were in moto. */
  readonly lost: Promise<void>;
  /** Ends every machine, then the cloud. */
  readonly close: () => Promise<void>;
}

/** The digest of no image: the simulated `docker` starts the checkout, whatever the image. */
const IMAGE = `registry.example.org/dockyard-compute@sha256:${'0'.repeat(64)}`;
const CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'simulated',
  AWS_SECRET_ACCESS_KEY: 'simulated',
  AWS_EC2_METADATA_DISABLED: 'true',
} as const;
const ZONES = 2;

/** Opens a cloud. `environment` names the tools of this machine, as the set-up tells them. */
export async function openStackCloud(
  options: Omit<SimulatedEc2Options, 'moto' | 'imageEnvironment'> & {
    readonly deployment?: string;
    readonly environment?: NodeJS.ProcessEnv;
  } = {},
): Promise<StackCloud> {
  const { deployment = 'simulated', environment = process.env, ...own } = options;
  const moto = await openMoto();
  try {
    const cloud = await SimulatedEc2.open({
      ...own,
      moto,
      imageEnvironment: {
        PATH: environment['PATH'] ?? '',
        DOCKYARD_SCIENCE_PYTHON: findTool('science-python', environment),
        DOCKYARD_CCD: findTool('ccd', environment),
        ...KEPT_MODULES,
      },
    });
    const subnets = [...cloud.subnets.keys()].slice(0, ZONES);
    return {
      cloud,
      environment: CREDENTIALS,
      lost: moto.lost,
      settings: {
        DOCKYARD_PROVIDER: 'ec2',
        DOCKYARD_EC2_REGION: cloud.region,
        DOCKYARD_EC2_ENDPOINT: cloud.url,
        DOCKYARD_EC2_DEPLOYMENT: deployment,
        DOCKYARD_EC2_SUBNETS: subnets.join(','),
        DOCKYARD_EC2_SECURITY_GROUPS: (await securityGroupsOf(cloud)).slice(0, 1).join(','),
        DOCKYARD_EC2_COMPUTE_IMAGE: IMAGE,
      },
      async close() {
        await cloud.close();
        await moto.close();
      },
    };
  } catch (error) {
    await moto.close();
    throw error;
  }
}

async function securityGroupsOf({ region, url: endpoint }: SimulatedEc2): Promise<string[]> {
  const credentials = { accessKeyId: 'simulated', secretAccessKey: 'simulated' };
  const client = new EC2Client({ region, endpoint, credentials, maxAttempts: 1 });
  try {
    const { SecurityGroups: groups = [] } = await client.send(new DescribeSecurityGroupsCommand({}));
    return groups.flatMap(({ GroupId: id }) => (id === undefined ? [] : [id]));
  } finally {
    client.destroy();
  }
}
