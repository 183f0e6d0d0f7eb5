/**
 * All codes that a customer can meet, in groups. The API document, `dockyard explain` and docs/codes.md are made from
 * these groups, so a code that is added to its table is told of in all three. A group names the tool that its codes
 * belong to, so that a tool can bring groups of its own.
 */
import type { CodeKind, CodeWords } from './code.ts';
import { DOCKING_FAILURES, DOCKING_WARNINGS, INSPECTION_WARNINGS, LOOKUP_WARNINGS } from './docking.ts';
import { ERROR_CODES } from './errors.ts';
import { JOB_FAILURES, JOB_WARNINGS, LOSS_WORDS, PAUSE_WORDS, STATE_WORDS, WAIT_WORDS } from './jobs.ts';

/** Codes of one kind that are met in one place. */
export interface CodeGroup {
  readonly kind: CodeKind;
  /** The simulator that gives the codes; null for codes of the service, which every job may carry. */
  readonly tool: string | null;
  readonly title: string;
  /** Where the codes are met, and what follows from them. */
  readonly note: string;
  readonly codes: Readonly<Record<string, CodeWords>>;
}

const DOCKING = 'autodock-vina';

/** What an API answer that refuses can carry. */
export const ERRORS: CodeGroup = {
  kind: 'error',
  tool: null,
  title: 'Errors',
  note: 'An answer with a status of 400 or more carries one of these as `code`.',
  codes: ERROR_CODES,
};

/** Why tasks and preparations fail. */
export const FAILURES: readonly CodeGroup[] = [
  {
    kind: 'failure',
    tool: null,
    title: 'Failures of every job',
    note: 'A task, or the preparation of a job, fails with one of these and is not charged.',
    codes: JOB_FAILURES,
  },
  {
    kind: 'failure',
    tool: DOCKING,
    title: 'Failures of docking',
    note: 'A code of the receptor or the box fails the whole job. A code of a ligand (LIGAND_…) fails this ligand alone. Nothing that fails is charged.',
    codes: DOCKING_FAILURES,
  },
];

/** What jobs, and the lookup of a ligand, are warned of. */
export const WARNINGS: readonly CodeGroup[] = [
  {
    kind: 'warning',
    tool: null,
    title: 'Warnings of every job',
    note: 'A warning fails nothing.',
    codes: JOB_WARNINGS,
  },
  {
    kind: 'warning',
    tool: DOCKING,
    title: 'Warnings of docking',
    note: 'The docking is done all the same; an inspection of the receptor warns of some of these beforehand.',
    codes: DOCKING_WARNINGS,
  },
  {
    kind: 'warning',
    tool: DOCKING,
    title: 'Warnings of the lookup of a ligand',
    note: 'A lookup also warns with the code of the failure that a docking of the ligand would end with.',
    codes: LOOKUP_WARNINGS,
  },
];

/** What only the report of an inspection of a receptor carries. */
const REPORT_WARNINGS: CodeGroup = {
  kind: 'warning',
  tool: DOCKING,
  title: 'Warnings of the inspection of a receptor',
  note: 'The report of an inspection carries these beside the warnings and failures of docking.',
  codes: INSPECTION_WARNINGS,
};

/** How a job stands. */
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

/** What a queued job waits for. */
export const WAIT_REASONS: CodeGroup = {
  kind: 'reason',
  tool: null,
  title: 'Reasons for a wait',
  note: 'The `queue.reason` of a job that is QUEUED.',
  codes: WAIT_WORDS,
};

/** Why an instance was given up. */
export const LOSS_CAUSES: CodeGroup = {
  kind: 'reason',
  tool: null,
  title: 'Causes of a recovery',
  note: 'The `cause` of a recovery, and the `statusReason` of a job that is RECOVERING.',
  codes: LOSS_WORDS,
};

/** Every group, in the order in which documents show them. */
export const CODE_GROUPS: readonly CodeGroup[] = [
  ERRORS,
  ...FAILURES,
  ...WARNINGS,
  REPORT_WARNINGS,
  STATES,
  PAUSE_REASONS,
  WAIT_REASONS,
  LOSS_CAUSES,
];
