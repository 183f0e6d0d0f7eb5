/**
 * The profile of leases, pauses and bounds of work under way: one variable, a JSON object of those that differ from production's,
 * such as {"giveUpSeconds":120}. One profile for the whole installation: what one process waits for is what another one sends.
 */
import Joi from 'joi';

import type { ProcessRole, Setting } from './setting.ts';

/** The variable of the profile. */
export const TUNING_VARIABLE = 'DOCKYARD_TUNING';

const amount = (value: number): Joi.NumberSchema => Joi.number().positive().default(value);
const count = (value: number): Joi.NumberSchema => Joi.number().integer().min(1).default(value);

function tuned<const R extends ProcessRole>(
  schema: Joi.NumberSchema,
  roles: readonly R[],
  description: string,
): Omit<Setting<number, R>, 'name'> {
  return { schema, roles, description };
}

/** Settings of the profile, by their names in the profile and in code. */
export const TUNING = {
  // The longest poll takes as long: two hundred submits at once take longer than ten seconds on a small machine.
  admissionWaitSeconds: tuned(amount(25), ['api'], 'How long a submit waits for its admission before 503.'),
  admitBySeconds: tuned(
    amount(60),
    ['api'],
    'An admission that starts later than this after the submit is refused.',
  ),
  inspectionWaitSeconds: tuned(
    amount(10),
    ['api'],
    'How long the inspection of a receptor is waited for before 202.',
  ),
  stagingUrlSeconds: tuned(
    amount(900),
    ['gateway', 'control'],
    'Life of the presigned URLs instances get; staging is swept again after it.',
  ),
  gatewayTokenMinutes: tuned(
    amount(60),
    ['gateway'],
    'Life of the bearer of an instance. The instance gets the next one at a contact once half of it is over.',
  ),
  computeHeartbeatSeconds: tuned(
    amount(8),
    ['api', 'control', 'cli'],
    'Heartbeat time-out of compute activities; passing it starts an inquiry.',
  ),
  computePickupSeconds: tuned(
    amount(20),
    ['api', 'control', 'cli'],
    'How long work may wait for an instance before an inquiry.',
  ),
  contactSeconds: tuned(
    amount(2),
    ['control', 'compute', 'instance', 'cli'],
    'How often an instance contacts the gateway; the control worker tells it to the machines that it launches.',
  ),
  silenceSeconds: tuned(
    amount(5),
    ['control'],
    'Silence after which an instance does not count as heard: two contacts that did not come. Shorter than the heartbeat time-out.',
  ),
  giveUpSeconds: tuned(
    amount(60),
    ['control'],
    'Silence, while the gateway was up, after which an instance is replaced.',
  ),
  launchSeconds: tuned(
    amount(900),
    ['control'],
    'Time, while the gateway was up, within which a launched instance must make its first contact.',
  ),
  goneConfirmSeconds: tuned(amount(5), ['control'], 'Time between the two answers that an instance is gone.'),
  goneMinAgeSeconds: tuned(
    amount(60),
    ['control'],
    'Age below which "gone" may be the provider being late; ignored by providers that answer exactly.',
  ),
  replacePauseSeconds: tuned(
    amount(2),
    ['control'],
    'Pause of a resumable job before an instance is replaced for the second time in a row; the next ones are longer.',
  ),
  capacityPollSeconds: tuned(
    amount(3600),
    ['api', 'control', 'cli'],
    'How often a queued job looks for capacity by itself, though it is told of its grant and looked after.',
  ),
  capacityLookSeconds: tuned(
    amount(600),
    ['control'],
    'How often one process looks after all jobs that wait for capacity.',
  ),
  noRoomSeconds: tuned(
    amount(60),
    ['api', 'control', 'cli'],
    'First pause of a queued job whose provider has no room for an instance; the next ones are longer, up to fifteen times.',
  ),
  commitDelayMs: tuned(
    Joi.number().integer().min(0).default(500),
    ['api', 'control', 'cli'],
    'Longest time a finished task waits for its commit batch.',
  ),
  // An instance ends itself after DOCKYARD_INSTANCE_LIFETIME_HOURS, and a run that keeps no checkpoints would begin again.
  taskTimeoutSeconds: tuned(
    amount(6 * 86_400),
    ['api', 'gateway', 'cli'],
    'Upper bound of one task, or of one leg of a task that keeps checkpoints; a tool may set less.',
  ),
  legSeconds: tuned(
    amount(3600),
    ['gateway', 'control', 'cli'],
    'Longest leg of a task that keeps checkpoints: then it is handed back, covered by the hold anew, and goes on.',
  ),
  maxHistoryEvents: tuned(
    Joi.number().integer().min(100).default(8000),
    ['api', 'control', 'cli'],
    'A job workflow continues as new beyond this, or earlier when the server suggests it.',
  ),
  sweepSeconds: tuned(
    amount(60),
    ['control'],
    'How often leaked instances, staging and refused requests are swept.',
  ),
  sweepMinAgeSeconds: tuned(
    amount(120),
    ['control', 'cli'],
    'Age below which the sweep takes an instance for a launch under way and leaves it alone.',
  ),
  spotWaitSeconds: tuned(
    amount(120),
    ['control'],
    'How long a resumable job waits for a spot instance before it gets one on demand, which costs the customer no more.',
  ),
  drainSeconds: tuned(
    amount(90),
    ['control', 'compute', 'instance', 'cli'],
    'How long tasks may run on when their instance is about to be taken away; a cloud gives two minutes, of which some are for uploads.',
  ),
  idleMinutes: tuned(
    amount(15),
    ['control', 'instance', 'cli'],
    'After so long without work the worker of a machine in the cloud ends, and the machine with it.',
  ),
  deadManMinutes: tuned(
    amount(30),
    ['control', 'cli'],
    'A machine powers itself off when its worker has given no sign of life for so long.',
  ),
  instanceLifetimeHours: tuned(
    Joi.number().positive().max(8760).default(168),
    ['control', 'cli'],
    'A machine powers itself off after so long, whatever it does.',
  ),
  controlConcurrency: tuned(
    count(32),
    ['control'],
    'Short activities of money and state that one worker runs at once.',
  ),
  storageConcurrency: tuned(
    Joi.number().integer().min(2).default(16),
    ['control'],
    'Activities through the object store that one worker runs at once; at most half of them work uploaded files through.',
  ),
  webhookConcurrency: tuned(
    count(50),
    ['control'],
    'Webhooks to which one worker sends at once, to each at most five messages.',
  ),
  providerConcurrency: tuned(
    count(32),
    ['control'],
    'Calls of the instance provider that one worker waits for at once.',
  ),
  accountFileTurns: tuned(
    count(1),
    ['control'],
    'Files of one account that are put together or hashed at once, over all control workers. One at a time keeps two cores half free; raise it where the store is far away.',
  ),
  accountInspections: tuned(
    count(2),
    ['api'],
    'Receptors of one account that are inspected at once; more are refused with 429.',
  ),
};
