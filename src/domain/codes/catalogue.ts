/**
 * The codes of the service that a customer can meet, in groups, whatever the tool of a job is. `src/tools/catalogue.ts` adds
 * those of the tools.
 */
import type { CodeGroup } from './code.ts';
import { ERROR_CODES } from './errors.ts';
import { EXPORT_FAILURES } from './exports.ts';
import { OUTBOUND_WORDS } from './outbound.ts';
import {
  JOB_FAILURES,
  JOB_WARNINGS,
  LOSS_WORDS,
  PAUSE_WORDS,
  RESUME_WORDS,
  STATUS_WORDS,
  STATE_WORDS,
  UNAVAILABLE_CODES,
  WAIT_WORDS,
} from './jobs.ts';

/** Codes of refusals, as answers of the API carry them. */
export const SERVICE_ERRORS: CodeGroup = {
  kind: 'error',
  tool: null,
  title: 'Errors',
  note: 'An answer with a status of 400 or more carries one of these as `code`.',
  codes: ERROR_CODES,
};

/** Why a task of any job fails. */
export const SERVICE_FAILURES: CodeGroup = {
  kind: 'failure',
  tool: null,
  title: 'Failures of every job',
  note: 'A task, or the preparation of a job, fails with one of these and is not charged.',
  codes: JOB_FAILURES,
};

/** Warnings of jobs of any tool. */
export const SERVICE_WARNINGS: CodeGroup = {
  kind: 'warning',
  tool: null,
  title: 'Warnings of every job',
  note: 'A warning fails nothing.',
  codes: JOB_WARNINGS,
};

/** States of a job. */
export const STATES: CodeGroup = {
  kind: 'state',
  tool: null,
  title: 'States of a job',
  note: 'The `status` of a job.',
  codes: STATE_WORDS,
};

/** Why a job is paused. */
export const PAUSE_REASONS: CodeGroup = {
  kind: 'pause reason',
  tool: null,
  title: 'Reasons for a pause',
  note: 'The `pauseReason` of a job that is PAUSED.',
  codes: PAUSE_WORDS,
};

/** Reasons for which a queued job waits. */
export const WAIT_REASONS: CodeGroup = {
  kind: 'reason',
  tool: null,
  title: 'Reasons for a wait',
  note: 'The `queue.reason` of a job that is QUEUED.',
  codes: WAIT_WORDS,
};

/** Reasons beside the state of a job. */
export const STATUS_REASONS: CodeGroup = {
  kind: 'reason',
  tool: null,
  title: 'Reasons beside a state',
  note: 'The `statusReason` of a job that is PROVISIONING, or that is about to be cancelled.',
  codes: STATUS_WORDS,
};

/** Why a simulator is not offered. */
export const UNAVAILABLE_REASON_GROUP: CodeGroup = {
  kind: 'reason',
  tool: null,
  title: 'Reasons why a simulator is not offered',
  note: 'The `reason` of a simulator that is not available, in the list of simulators and in the refusal of a request.',
  codes: UNAVAILABLE_CODES,
};

/** Why an instance was given up. */
export const LOSS_CAUSES: CodeGroup = {
  kind: 'reason',
  tool: null,
  title: 'Causes of a recovery',
  note: 'The `cause` of a recovery, and the `statusReason` of a job that is RECOVERING.',
  codes: LOSS_WORDS,
};

/** Why a job has gone on. */
export const RESUME_CAUSES: CodeGroup = {
  kind: 'reason',
  tool: null,
  title: 'Causes of a resume',
  note: 'The `cause` of an entry of kind RESUME in the recovery ledger of a job.',
  codes: RESUME_WORDS,
};

/** Why a host that a customer named was not reached. */
export const OUTBOUND_FAULTS: CodeGroup = {
  kind: 'reason',
  tool: null,
  title: 'Reasons why a host was not reached',
  note: 'The `code` of the test of a licence server.',
  codes: OUTBOUND_WORDS,
};

/** Why an export of results came to no file. */
export const EXPORT_FAILURE_GROUP: CodeGroup = {
  kind: 'failure',
  tool: null,
  title: 'Failures of exports',
  note: 'The `failure` of an export of docking results.',
  codes: EXPORT_FAILURES,
};
