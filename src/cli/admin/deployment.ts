/** `dockyard admin deployment …` */
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import { openDeployments } from '../../adapters/temporal/deployments.ts';
import type { Deployments, ReadDeployment } from '../../adapters/temporal/deployments.ts';
import { TemporalSettingsError } from '../../adapters/temporal/settings-error.ts';
import { refusalOf, standingOf } from '../../domain/deployment.ts';
import type { Build } from '../../domain/deployment.ts';
import { wholeNumber } from '../arguments.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { CommandProblem, EXIT, messageOf } from '../problems.ts';
import { TEMPORAL_ACCESS } from '../settings.ts';
import { deploymentText } from './deployment-text.ts';

interface SetOptions {
  readonly yes?: true;
  readonly wait: number;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const LONGEST_WAIT_SECONDS = 3600;
const ASK_EVERY_MS = 500;

/** Adds the commands on builds of control workers. */
export function addDeploymentCommands(admin: Command, context: CommandContext): void {
  const group = addGroup(admin, 'deployment', 'Builds of the control workers that run beside each other');
  addCommand(group, context, {
    usage: 'show',
    summary: 'Show which build is current, what is still open on each build, and which build may stop.',
    examples: ['admin deployment show', 'admin deployment show --json'],
    run: (cli) => withDeployments(cli, async (deployments) => shown(await readKnown(deployments))),
  });
  addCommand<SetOptions>(group, context, {
    usage: 'set-current <build>',
    summary:
      'Send new work to a build. Jobs that are open end on the build that they began on; everything else moves.',
    examples: ['admin deployment set-current 0.2.0', 'admin deployment set-current 0.2.0 --wait 120 --yes'],
    configure: (command) => {
      const [argument] = command.registeredArguments;
      argument?.argParser(buildName);
      return command
        .option(
          '--wait <seconds>',
          'how long workers of the build are waited for',
          wholeNumber(0, LONGEST_WAIT_SECONDS),
          0,
        )
        .option('--yes', 'do not ask');
    },
    run: (cli, options, [buildId = '']) =>
      withDeployments(cli, (deployments) => setCurrent(cli, deployments, buildId, options)),
  });
}

async function withDeployments(
  { settings }: CommandContext,
  work: (deployments: Deployments) => Promise<CommandResult>,
): Promise<CommandResult> {
  const place = await settings.read(...TEMPORAL_ACCESS, 'deploymentName');
  const deployments = await openDeployments(place).catch((error: unknown) => {
    if (error instanceof TemporalSettingsError) throw error;
    const message = `Temporal at ${place.temporalAddress} does not answer (${messageOf(error)}). ${settings.advice()}`;
    throw new CommandProblem(EXIT.unreachable, 'SERVICE_UNAVAILABLE', message, error);
  });
  try {
    return await work(deployments);
  } finally {
    await deployments.close();
  }
}

async function readKnown(deployments: Deployments): Promise<ReadDeployment> {
  const known = await deployments.read();
  if (known !== null) return known;
  const message =
    'No control worker here names its build (DOCKYARD_BUILD_ID), so there is one build and nothing to choose.';
  throw new CommandProblem(EXIT.refused, 'NO_DEPLOYMENT', message);
}

function shown({ deployment }: ReadDeployment): CommandResult {
  const now = new Date();
  const builds = deployment.builds.map((build) => ({ ...build, standing: standingOf(build, now) }));
  return { data: { ...deployment, builds }, text: deploymentText(deployment, now) };
}

async function setCurrent(
  cli: CommandContext,
  deployments: Deployments,
  buildId: string,
  { yes, wait }: SetOptions,
): Promise<CommandResult> {
  const { deployment, token } = await untilReady(deployments, buildId, wait);
  const { currentBuild } = deployment;
  const data = { deployment: deployment.name, from: currentBuild, to: buildId };
  if (currentBuild === buildId) return { data, text: `Build ${buildId} is current already.\n` };
  if (yes !== true) await agree(cli, currentBuild, buildId);
  if (!(await deployments.setCurrent(buildId, token))) {
    const message =
      'The deployment was changed meanwhile, or lacks workers. Nothing was changed; look again.';
    throw new CommandProblem(EXIT.refused, 'DEPLOYMENT_CHANGED', message);
  }
  const from = currentBuild === null ? '' : ` Build ${currentBuild} keeps its open jobs: let it run on.`;
  return { data, text: `Build ${buildId} is current.${from}\n` };
}

/** The deployment, once new work can go to the build. @throws CommandProblem when the time is over first. */
async function untilReady(
  deployments: Deployments,
  buildId: string,
  waitSeconds: number,
): Promise<ReadDeployment> {
  const startedAt = performance.now();
  for (;;) {
    const known = await deployments.read();
    const build = known?.deployment.builds.find((each) => each.buildId === buildId);
    const refusal = refusalOf(build, new Date());
    if (known !== null && refusal === null) return known;
    if (performance.now() - startedAt >= waitSeconds * 1000) {
      const names = known?.deployment.builds.map((each) => each.buildId) ?? [];
      throw new CommandProblem(EXIT.refused, 'BUILD_NOT_READY', notReady(buildId, build, names));
    }
    await sleep(ASK_EVERY_MS);
  }
}

function notReady(buildId: string, build: Build | undefined, names: readonly string[]): string {
  const end = 'Nothing was changed. Start control workers of the build, or let the command --wait for them.';
  if (build === undefined) {
    const known = names.length === 0 ? 'No build is known.' : `Known builds: ${names.join(', ')}.`;
    return `No control worker of build ${buildId} has ever asked for work. ${known} ${end}`;
  }
  if (build.missingQueues.length > 0)
    return `No control worker of build ${buildId} serves: ${build.missingQueues.join(', ')}. ${end}`;
  return `No control worker of build ${buildId} is there now. ${end}`;
}

async function agree(
  { terminal }: CommandContext,
  currentBuild: string | null,
  buildId: string,
): Promise<void> {
  if (!terminal.isInteractive) {
    const message = 'There is nobody to ask. Add --yes to agree. Nothing was changed.';
    throw new CommandProblem(EXIT.refused, 'CONFIRMATION_REQUIRED', message);
  }
  const from = currentBuild === null ? 'workers without a build' : `build ${currentBuild}`;
  const answer = await terminal.ask(`Send new work to build ${buildId} instead of ${from}? [y/N] `);
  if (/^y(es)?$/i.test(answer)) return;
  throw new CommandProblem(EXIT.refused, 'DECLINED', 'Nothing was changed.');
}

function buildName(text: string): string {
  if (NAME.test(text)) return text;
  throw new InvalidArgumentError('It is the name of a build such as 0.2.0, as in DOCKYARD_BUILD_ID.');
}
