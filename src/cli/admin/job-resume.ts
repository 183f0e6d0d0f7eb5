/** `dockyard admin jobs resume` */
import type { Command } from 'commander';

import type { Database } from '../../adapters/database.ts';
import { openObjectStore } from '../../adapters/storage/open.ts';
import { capacityLimitsOf } from '../../config/capacity-settings.ts';
import { planningOf } from '../../services/execution/instances/providers.ts';
import { createTakeUp } from '../../services/job-records/take-up.ts';
import { resumeForCustomer } from '../../services/operations/resume-job.ts';
import { createStoredRates, rateOfBook } from '../../services/prices/fx-rates.ts';
import { loadPriceBook } from '../../services/prices/price-book.ts';
import { createQuotes } from '../../services/prices/quotes.ts';
import { createDigestReader } from '../../services/stored-objects/stored-digests.ts';
import { createToolOffers } from '../../services/tools/offers.ts';
import { createToolRegistry } from '../../tools/registry.ts';
import { id, someText } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { TAKE_UP, TEMPORAL_ACCESS } from '../settings.ts';
import { pounds } from '../table.ts';
import { thisOperator } from './author.ts';
import { openJobWorkflows } from './workflows.ts';

interface ResumeOptions {
  readonly reason: string;
}

/** Adds the command that resumes a job in the place of its customer. */
export function addJobResumeCommand(jobs: Command, context: CommandContext): void {
  addCommand<ResumeOptions>(jobs, context, {
    usage: 'resume <job>',
    summary:
      'Resume a job in the place of its customer: what is missing is priced by today, held from the credits of the customer, and done.',
    examples: ['admin jobs resume 01890a5d-ac96-774b-bcce-b302099a8057 --reason "The image is mended"'],
    configure: (command) => {
      command.registeredArguments[0]?.argParser(id);
      return command.requiredOption('--reason <text>', 'why, for the audit log', someText(500));
    },
    run: (cli, options, [jobId = '']) => resume(cli, jobId.toLowerCase(), options),
  });
}

async function resume(cli: CommandContext, jobId: string, { reason }: ResumeOptions): Promise<CommandResult> {
  const settings = await readSettings(cli);
  const workflows = await openJobWorkflows(settings);
  const sent = { isLost: false };
  // The answer says what the log of the API would.
  const log = { warn: () => undefined };
  const takeUp = (db: Database): ReturnType<typeof createTakeUp> => {
    const told = createTakeUp({ db, workflows, settings });
    return (...message) =>
      told(...message).catch((error: unknown) => {
        sent.isLost = true;
        throw error;
      });
  };
  try {
    const data = await withDatabase(cli, async (db) =>
      resumeForCustomer(
        { ...(await partsOf(db, settings)), workflows, takeUp: takeUp(db), log },
        { jobId, reason },
        thisOperator(),
      ),
    );
    const { execution, heldCents, message, status } = data;
    const later = !sent.isLost
      ? ''
      : ' Temporal did not take the message; the sweep starts the workflow within some minutes.';
    // A job that goes on in its present execution was taken up from its rows.
    const text =
      status === 'SUBMITTED'
        ? `The job goes on with execution ${String(execution)}; ${pounds(heldCents)} is held.${later}\n`
        : `${message}\n`;
    return { data: { ...data, told: !sent.isLost }, text };
  } finally {
    await workflows.close();
  }
}

type Settings = Awaited<ReturnType<typeof readSettings>>;

/** The price of a job and the times of its workflow are those of the API, so the command needs the settings of the API. */
function readSettings({ settings }: CommandContext) {
  return settings.read(
    ...TEMPORAL_ACCESS,
    ...TAKE_UP,
    ...(['testTools', 'spotPlaces', 'instanceSlots', 'instanceVcpus', 'instanceGpus'] as const),
    ...(['provider', 'ec2Subnets', 'instanceClassesFile'] as const),
    ...([
      'instanceGpuMemoryMib',
      'instanceMemoryMib',
      'instanceDiskMib',
      'maxInstancesPerJob',
      'taskTimeoutSeconds',
    ] as const),
    ...(['capacityVcpus', 'accountCapacityVcpus', 'capacityGpus', 'accountCapacityGpus'] as const),
    ...(['capacityPlans', 'capacityClasses', 'capacitySeats'] as const),
    ...(['storageProvider', 'storageEndpoint', 'storageRegion', 'storageBucket'] as const),
    ...(['storageAccessKeyId', 'storageSecretAccessKey', 'storageSessionToken', 'storagePathStyle'] as const),
    ...(['storageEncryption', 'storageKmsKeyId', 'storageAccount', 'storageAccountKey'] as const),
    ...(['storageContainer', 'storageCaFile'] as const),
  );
}

async function partsOf(db: Database, settings: Settings) {
  const book = loadPriceBook();
  const { offersSpot, instanceClasses } = planningOf(settings);
  const store = await openObjectStore(settings);
  return {
    db,
    store,
    digests: createDigestReader(store),
    settings: { ...settings, instanceClasses, capacityLimits: capacityLimitsOf(settings) },
    quotes: createQuotes(book, createStoredRates(db, rateOfBook(book)), {
      offersSpot,
    }),
    tools: createToolRegistry({ testTools: settings.testTools }),
    offers: createToolOffers(db),
  };
}
