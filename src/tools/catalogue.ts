/**
 * All codes that a customer can meet: the service's and those of the tools. The API document, `dockyard explain` and
 * docs/codes.md are made from this catalogue, so a code that is added to its table is told of in all three.
 */
import type Joi from 'joi';

import {
  LOSS_CAUSES,
  PAUSE_REASONS,
  SERVICE_ERRORS,
  SERVICE_FAILURES,
  SERVICE_WARNINGS,
  STATES,
  UNAVAILABLE_REASON_GROUP,
  WAIT_REASONS,
} from '../domain/codes/catalogue.ts';
import type { CodeGroup, CodeKind, ErrorFacts, ToolErrorCode } from '../domain/codes/code.ts';
import { ERROR_CODES } from '../domain/codes/errors.ts';
import { TOOLS } from './index.ts';
import type { Tool, ToolCodeGroup } from './tool.ts';

/** The codes of the service and of some tools. */
export interface Catalogue {
  /** Every code that an answer can carry, with its status. */
  readonly errors: Readonly<Record<string, ErrorFacts>>;
  /** Why tasks and preparations fail. */
  readonly failures: readonly CodeGroup[];
  /** What jobs, and the lookup of a ligand, are warned of. */
  readonly warnings: readonly CodeGroup[];
  /** Every group, in the order in which documents show them. */
  readonly groups: readonly CodeGroup[];
  /** The refusals of the tools that customers ask for. */
  readonly refusedAtSubmit: readonly ToolErrorCode[];
  readonly refusedAtEstimate: readonly ToolErrorCode[];
}

/** Puts the codes of the service and of these tools together. */
export function catalogueOf(tools: readonly Tool[]): Catalogue {
  const errors = {
    ...ERROR_CODES,
    ...Object.fromEntries(tools.flatMap(({ codes }) => Object.entries(codes.refusals))),
  };
  const groupsOf = (kind: CodeKind, pick: (tool: Tool) => readonly ToolCodeGroup[]): CodeGroup[] =>
    tools.flatMap((tool) => pick(tool).map((group) => ({ kind, tool: tool.about.id, ...group })));
  const failures = [SERVICE_FAILURES, ...groupsOf('failure', ({ codes }) => codes.failures)];
  const warnings = [SERVICE_WARNINGS, ...groupsOf('warning', ({ codes }) => codes.warnings)];
  const refusals = tools
    .filter(({ about }) => about.audience !== 'service')
    .flatMap(({ codes }) => Object.values(codes.refusals));
  return {
    errors,
    failures,
    warnings,
    groups: [
      { ...SERVICE_ERRORS, codes: errors },
      ...failures,
      ...warnings,
      ...groupsOf('warning', ({ codes }) => codes.reports),
      ...[STATES, PAUSE_REASONS, WAIT_REASONS, LOSS_CAUSES, UNAVAILABLE_REASON_GROUP],
    ],
    refusedAtSubmit: refusals.map(({ code }) => code),
    refusedAtEstimate: refusals.filter(({ atEstimate }) => atEstimate).map(({ code }) => code),
  };
}

/** The members that tools add to a job's status, with their schemas. */
export function statusPartSchemas(tools: readonly Tool[]): Readonly<Record<string, Joi.Schema>> {
  return Object.fromEntries(
    tools.flatMap(({ shown: { statusPart } }) =>
      statusPart === null ? [] : [[statusPart.name, statusPart.schema.required()]],
    ),
  );
}

/** The members that the tools of customers add to a job's status. */
export const STATUS_PARTS: Readonly<Record<string, Joi.Schema>> = statusPartSchemas(
  TOOLS.filter(({ about }) => about.audience === 'customers'),
);

/** The codes of everything that a customer can ask for. */
export const CATALOGUE: Catalogue = catalogueOf(TOOLS.filter(({ about }) => about.audience !== 'tests'));
