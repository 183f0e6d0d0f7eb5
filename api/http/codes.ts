/**
 * Codes within answers, such as those of failures and warnings. The document lists each code with its words, from the
 * catalogue of codes. A tool may give a code that this version does not list, so lists of codes are open: their
 * last choice is any text.
 */
import Joi from 'joi';

import {
  EXPORT_FAILURE_GROUP,
  LOSS_CAUSES,
  OUTBOUND_FAULTS,
  PAUSE_REASONS,
  RESUME_CAUSES,
  STATUS_REASONS,
  STATES,
  WAIT_REASONS,
} from '../../src/domain/codes/catalogue.ts';
import type { CodeGroup, CodeWords } from '../../src/domain/codes/code.ts';
import type { PauseReason } from '../../src/domain/job-state.ts';
import { JOB_STATES } from '../../src/domain/job-state.ts';
import { CATALOGUE } from '../../src/tools/catalogue.ts';
import { inDocument } from './in-document.ts';

/** A paragraph for each code: the code, what it means, and what to do, in jobs of some tools too. */
export function paragraphsOf(codes: Readonly<Record<string, CodeWords>>): string {
  return Object.entries(codes)
    .map(([code, { meaning, advice }]) => `\`${code}\`: ${meaning} ${advice}${toolAdvice(code)}`)
    .join('\n\n');
}

function toolAdvice(code: string): string {
  return CATALOGUE.advice
    .filter((each) => each.code === code)
    .map(({ tool, advice }) => ` With ${tool}: ${advice}`)
    .join('');
}

const codesOf = (groups: readonly CodeGroup[]): Readonly<Record<string, CodeWords>> =>
  Object.fromEntries(groups.flatMap(({ codes }) => Object.entries(codes)));

const describe = (opening: string, groups: readonly CodeGroup[]): string =>
  `${opening}\n\n${paragraphsOf(codesOf(groups))}`;

function openList(opening: string, groups: readonly CodeGroup[]): Joi.StringSchema {
  const known = { type: 'string', enum: Object.keys(codesOf(groups)) };
  return Joi.string()
    .required()
    .meta(inDocument({ anyOf: [known, { type: 'string' }] }))
    .description(describe(`${opening} Treat unknown codes generically.`, groups));
}

/** Why a task or a preparation failed. */
export const failureCode = openList('Machine-readable reason of a failure.', CATALOGUE.failures);

/** Why an export came to no file. */
export const exportFailureCode = openList('Why there is no file.', [EXPORT_FAILURE_GROUP]);

/** Code of a warning. */
export const warningCode = openList(
  'Machine-readable warning. The lookup of a ligand also warns with the codes of failures.',
  CATALOGUE.warnings,
);

/** Reason for which a queued job waits. */
export const waitReason = openList('What a queued job waits for.', [WAIT_REASONS]);

/** Description of the reason beside the state of a job. */
export const STATUS_REASON_WORDS = describe(
  'Why the job is in this state: one of these, or what a queued job waits for, or why an instance was given up.',
  [STATUS_REASONS],
);

/** Why an instance was given up. */
export const lossCause = openList('Why an instance was given up.', [LOSS_CAUSES]);

/** Cause in an entry of the recovery ledger. */
export const recoveryCause = openList('Why work stopped, or went on.', [
  LOSS_CAUSES,
  PAUSE_REASONS,
  RESUME_CAUSES,
]);

/** State of a job. */
export const jobState = Joi.string()
  .valid(...JOB_STATES)
  .description(describe('State of a job.', [STATES]));

/** Why a job is paused. */
export const pauseReason = Joi.string()
  .valid(...(['COST_LIMIT', 'CREDITS', 'LICENSE', 'OPERATOR'] satisfies PauseReason[]))
  .allow(null)
  .required()
  .description(describe('Why a job is paused; null when it is not.', [PAUSE_REASONS]));

/** Why a host that a customer named was not reached. */
export const outboundFault = Joi.string()
  .allow(null)
  .required()
  .meta(
    inDocument({
      anyOf: [{ type: 'string', enum: Object.keys(OUTBOUND_FAULTS.codes) }, { type: ['string', 'null'] }],
    }),
  )
  .example(null)
  .description(
    describe('Why the server was not reached; null when it was. Treat unknown codes generically.', [
      OUTBOUND_FAULTS,
    ]),
  );
