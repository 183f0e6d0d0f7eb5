/** Codes that every job can carry, whatever its tool is: why a task failed, what is warned of, how a job stands and why. */
import type { UnavailableReason } from '../availability.ts';
import type { JobState, PauseReason } from '../job-state.ts';
import { says } from './code.ts';
import type { CodeWords } from './code.ts';
import { ERROR_CODES } from './errors.ts';

type Words<Code extends string> = Readonly<Record<Code, CodeWords>>;

const WHAT_IS_MISSING = 'Submit what is missing as a new job.';
const NOTHING_TO_DO = 'Nothing needs to be done: the tasks that were lost are run again and not charged.';

const ASK_THE_OPERATOR = 'Ask the operator to install it; then submit what is missing as a new job.';

/** Why a simulator is not offered now. */
export const UNAVAILABLE_CODES = {
  MACHINES_NOT_READY: says(
    'No machine tells which programs it has: the service has just started, or its machines cannot be reached.',
    'Ask again in a minute.',
  ),
  PACK_NOT_INSTALLED: says(
    'The programs that the simulator runs are not installed on the machine, or were removed from it.',
    ASK_THE_OPERATOR,
  ),
  MODEL_NOT_INSTALLED: says('The model that the simulator needs is not installed.', ASK_THE_OPERATOR),
  DATABASE_NOT_INSTALLED: says('No database for the simulator is installed.', ASK_THE_OPERATOR),
  GPU_REQUIRED: says(
    'The simulator needs a GPU, and no machine has one.',
    'Use another simulator, or ask the operator for a machine with a GPU.',
  ),
} as const satisfies Words<UnavailableReason>;

/** Why a task of any tool, or the preparation of its job, failed. */
export const JOB_FAILURES = {
  ENGINE_CRASHED: says(
    'The tool ended by itself with an error. A preparation is tried four times before it fails with this code.',
    'Read the log of the task, and report the failure when the input is sound.',
  ),
  ENGINE_TIMEOUT: says(
    'The tool did not end within its time limit.',
    'Split the input, or ask for less work in each task.',
  ),
  ENGINE_OUT_OF_MEMORY: says(
    'The tool needed more memory than a task has, or the system killed the tool each time it was tried.',
    'Use a smaller input.',
  ),
  ENGINE_LIMIT_EXCEEDED: says(
    'The tool wrote more than a task may, or started too many processes.',
    'Use a smaller input, and report the failure when the input is an ordinary one.',
  ),
  OUTPUT_UNVERIFIED: says(
    'The tool wrote outputs that are not what they must be, and they were not kept.',
    'Submit the task as a new job, and report the failure when it stays.',
  ),
  INPUT_NOT_FOUND: ERROR_CODES.INPUT_NOT_FOUND,
  INPUT_CHANGED: says(
    'An input is no longer the file that the job was submitted with.',
    'Upload the file under a key of its own, and submit the job again.',
  ),
  INPUT_DIGEST_MISMATCH: says(
    'An input arrived on the instance with other bytes than the job names.',
    'Upload the file again, and submit the job again.',
  ),
  INPUT_UNREADABLE: says(
    'An input has a name that no file can have.',
    'Upload the file under another name, and submit the job again.',
  ),
  PACK_NOT_INSTALLED: UNAVAILABLE_CODES.PACK_NOT_INSTALLED,
  WORKER_LOST: says(
    'The instance was lost each time it ran this task: four times, in standard recovery. In resumable recovery no task is given up for this.',
    WHAT_IS_MISSING,
  ),
  STOP_RULE: says(
    'The batch has stopped by its rule at an earlier task. This task is cancelled, however far it had come, and not charged.',
    'Start a batch without stopWhen, or with a longer one, where the rest is to be done.',
  ),
  CONTROL_MISSED: says(
    'The control that the job requires came out farther from what is known than it allows, so no task was run. The start fee is charged and nothing else; what the control has made is among the outputs.',
    'Look at the outputs of the control, then try other inputs or a larger search; or allow a larger distance.',
  ),
  INTERNAL_ERROR: ERROR_CODES.INTERNAL_ERROR,
} as const satisfies Words<string>;

/** Failures that blame the engine or the machine and not the input, so that the same task may succeed when it is done again. */
export const FAILURES_OF_THE_ENGINE = [
  'ENGINE_CRASHED',
  'ENGINE_TIMEOUT',
  'ENGINE_OUT_OF_MEMORY',
  'ENGINE_LIMIT_EXCEEDED',
  'OUTPUT_UNVERIFIED',
  'WORKER_LOST',
  'INTERNAL_ERROR',
] as const;

/** Warnings of jobs of any tool. */
export const JOB_WARNINGS = {
  PARAMETER_UNUSED: says(
    'A field was sent that is for another job type or simulator; the field was not used and changes nothing.',
    'Leave the field out, or send it to the job that it is for.',
  ),
  LIBRARY_NAME_REPEATED: says(
    'Records of a library have one name; all but the first got a number behind it, which the message shows. Records with equal structures are docked once.',
    'Nothing is to be done. Give each record a name of its own where the numbers are in your way.',
  ),
  LIBRARY_PROPERTIES_LEFT_OUT: says(
    'A library has more further columns or tags, or longer values, than its records keep; the message names them.',
    'Put the columns that you need first, or join the results to your own table by their ids.',
  ),
  FORECAST_NOT_COVERED: says(
    'A job that is priced by measured seconds takes longer than was expected: by what it has done it comes to more than is held and may be held.',
    'Top up, or raise the limit that the message names, before the job pauses; a job that has paused is resumed afterwards.',
  ),
  SPOT_NOT_OFFERED: says(
    'A resumable job was asked for where no spot instances are offered; it costs as much as a standard one.',
    'Nothing need be done: a resumable job still survives more losses of its instances than a standard one.',
  ),
  SPOT_PRICED: says(
    'The price of a resumable job counts with spot instances, which are cheaper and may be taken away.',
    'Nothing need be done: what is taken away is replaced, and an instance on demand in its place costs no more.',
  ),
} as const satisfies Words<string>;

/** Words of the states of a job. */
export const STATE_WORDS = {
  SUBMITTED: says('The job is accepted and its credits are held.', 'Wait: the job goes on by itself.'),
  QUEUED: says(
    'The job waits for capacity or a licence; the status says for which.',
    'Wait: the job starts by itself.',
  ),
  PROVISIONING: says(
    'Instances start, inputs are staged and what all tasks share is prepared.',
    'Wait: the tasks follow.',
  ),
  RUNNING: says(
    'At least one task is in progress.',
    'Follow the progress; outputs of finished tasks can be downloaded already.',
  ),
  RECOVERING: says(
    'Lost instances are being replaced; finished tasks are kept, and lost time is not charged.',
    'Wait: the job goes on by itself.',
  ),
  PAUSED: says(
    'Nothing runs and nothing is held; verified tasks are kept.',
    'Read pauseReason, and do what its explanation says.',
  ),
  FINALIZING: says(
    'Every task has ended; outputs are counted and the credits settled.',
    'Wait: the job is about to end.',
  ),
  CANCELLING: says(
    'The tools are being stopped; what is complete is kept and charged.',
    'Wait: the job is about to end.',
  ),
  SUCCEEDED: says(
    'Every task is verified and charged; the rest of the hold was released.',
    'Download the outputs.',
  ),
  PARTIALLY_SUCCEEDED: says(
    'Some tasks are verified and charged; the others failed and cost nothing.',
    'Download the outputs, read the failures, and submit what is missing as a new job.',
  ),
  FAILED: says(
    'No task was verified, and nothing was charged; where a required control has missed, the start fee.',
    'Read the failures, correct the job, and submit it again.',
  ),
  CANCELLED: says(
    'The job was ended on request; verified tasks were charged and the rest was released.',
    'Download the outputs of the verified tasks, if there are any.',
  ),
} as const satisfies Words<JobState>;

/** Why a job is paused. */
export const PAUSE_WORDS = {
  COST_LIMIT: says(
    'Going on would cost more than a limit allows: limitCents of the resume, or the limit of the job, the account or the API key.',
    'Read cost.toFinishCents and cost.toFinishAdvice of the status, raise the limit, then resume the job.',
  ),
  CREDITS: says(
    'The credits do not cover what is left.',
    'Read cost.toFinishCents and cost.toFinishAdvice of the status, top up the credits, then resume the job.',
  ),
  LICENSE: says('No licence was free for too long.', 'Resume the job at a quieter time.'),
  OPERATOR: says(
    'The service paused the job; unless an operator did so, statusReason says what came to nothing.',
    'Resume the job when the cause is mended, or cancel the job and keep what is verified.',
  ),
} as const satisfies Words<PauseReason>;

/** Why a job has gone on. */
export const RESUME_WORDS = {
  RESUMED: says('The job was resumed, and does what was missing.', NOTHING_TO_DO),
} as const satisfies Words<string>;

/** Reasons for which a queued job waits. */
export const WAIT_WORDS = {
  ACCOUNT_LIMIT: says(
    'The account uses all the capacity that one account may have.',
    'Wait: the job starts when another job of the account ends.',
  ),
  CAPACITY: says(
    'All capacity is in use.',
    'Wait: the job starts by itself, and queue.position tells its place.',
  ),
  LICENSE_SEATS: says(
    'All seats of the licensed software that the job runs are taken; queue.license tells of which software, and how many there are.',
    'Wait: the next seat goes to the job that has waited longest for this software, and queue.position tells the place among those.',
  ),
  NO_CAPACITY: says(
    'Nobody has an instance of the kind that the job needs now.',
    'Wait: the job asks again by itself, after pauses of at most a quarter of an hour.',
  ),
} as const satisfies Words<string>;

/** Reasons beside the state of a job. */
export const STATUS_WORDS = {
  CANCEL_REQUESTED: says(
    'The end of the job was asked for; what runs is being stopped.',
    'Wait: complete outputs are kept and charged, and the rest of the hold is released.',
  ),
  PAUSE_REQUESTED: says(
    'The job is about to pause: it begins no task any more, and what runs is ended and charged first.',
    'Read pauseReason, which tells why. Wait for the end of what runs, or cancel the job to end it sooner.',
  ),
  INSTANCE_STARTING: says(
    'The instances of the job were launched and boot; none has called yet.',
    'Wait: a machine of a cloud takes minutes to boot, and one that does not come is replaced.',
  ),
  STORE_FULL: says(
    'The object store has no room for what the job has made, which is kept and sent again until there is.',
    'Wait: the operator has to make room. What was computed is kept, and is not computed again.',
  ),
} as const satisfies Words<string>;

/** Why an instance was given up, or tasks are run once more. */
export const LOSS_WORDS = {
  OUTPUTS_MISSING: says('Outputs are not in the store as they were verified.', NOTHING_TO_DO),
  INSTANCE_GONE: says('An instance does not exist any more.', NOTHING_TO_DO),
  INSTANCE_SILENT: says('An instance did not answer for too long.', NOTHING_TO_DO),
  LAUNCH_REFUSED: says(
    'No instance can be had until an operator of the service has mended the cause.',
    'Wait: nothing was charged for it, and the job is resumed when the cause is mended.',
  ),
  PREEMPTED: says('A spot instance was taken away by the cloud.', NOTHING_TO_DO),
  WORKER_ERROR: says('An instance failed again and again, and is replaced.', NOTHING_TO_DO),
  NO_PROGRESS: says('An instance answered but finished nothing, and is replaced.', NOTHING_TO_DO),
  CONTROL_LOST: says('The service has lost hold of the job, and has taken the job up again.', NOTHING_TO_DO),
} as const satisfies Words<string>;
