/** Messages to the workflows of jobs for the length of one command. */
import { checkTemporal } from '../../adapters/temporal/check.ts';
import { createJobWorkflows } from '../../adapters/temporal/client.ts';
import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import type { TemporalSettings } from '../../adapters/temporal/connection.ts';

/** Opens the messenger after a look at Temporal. @throws TemporalSettingsError naming a setting that is not accepted. */
export async function openJobWorkflows(settings: TemporalSettings): Promise<JobWorkflows> {
  await checkTemporal(settings);
  return createJobWorkflows(settings);
}
