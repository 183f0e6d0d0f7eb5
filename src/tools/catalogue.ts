/**
 * All codes that a customer can meet: the service's and those of the tools. The API document, `dockyard explain` and
 * docs/codes.md are made from this catalogue, so a code that is added to its table is told of in all three.
 */
import type Joi from 'joi';

import {
  LOSS_CAUSES,
  EXPORT_FAILURE_GROUP,
  OUTBOUND_FAULTS,
  PAUSE_REASONS,
  RESUME_CAUSES,
  STATUS_REASONS,
  SERVICE_ERRORS,
  SERVICE_FAILURES,
  SERVICE_WARNINGS,
  STATES,
  UNAVAILABLE_REASON_GROUP,
  WAIT_REASONS,
} from '../domain/codes/catalogue.ts';
import type { CodeGroup, CodeKind, ErrorFacts, ToolErrorCode } from '../domain/codes/code.ts';
import { ERROR_CODES } from '../domain/codes/errors.ts';
import type { JsonObject } from '../domain/json.ts';
import { TOOLS } from './index.ts';
import type { TaskSummary } from './shown.ts';
import type { Tool, ToolCodeGroup } from './tool.ts';

/** The tools that customers may ask for. */
export const CUSTOMER_TOOLS: readonly Tool[] = TOOLS.filter(({ about }) => about.audience === 'customers');

/** The tool whose jobs the API document shows: the first one with an example. */
export const EXAMPLE_TOOL: Tool = exampleToolOf(CUSTOMER_TOOLS);

/** The software of a rough estimate that names none: that of the first tool that renders. */
export const DEFAULT_SOFTWARE: string =
  CUSTOMER_TOOLS.find(({ about }) => about.jobType === 'render')?.about.id ?? EXAMPLE_TOOL.about.id;

/** The request of a job of that tool, as it is sent. */
export const EXAMPLE_JOB: JsonObject = {
  jobType: EXAMPLE_TOOL.about.jobType,
  simulator: EXAMPLE_TOOL.about.id,
  simulationParams: EXAMPLE_TOOL.request.example ?? {},
};

function exampleToolOf(tools: readonly Tool[]): Tool {
  const found = tools.find(({ request }) => request.example !== undefined);
  if (found === undefined) throw new Error('No tool of customers has an example for the API document.');
  return found;
}

/** The codes of the service and of some tools. */
export interface Catalogue {
  /** Every code that an answer can carry, with its status. */
  readonly errors: Readonly<Record<string, ErrorFacts>>;
  /** Why tasks and preparations fail. */
  readonly failures: readonly CodeGroup[];
  /** Warnings of jobs, and of the lookup of a ligand. */
  readonly warnings: readonly CodeGroup[];
  /** Every group, in the order in which documents show them. */
  readonly groups: readonly CodeGroup[];
  /** Further advice of tools about codes that every tool has. */
  readonly advice: readonly ToolAdvice[];
  /** The refusals of the tools that customers ask for. */
  readonly refusedAtSubmit: readonly ToolErrorCode[];
  readonly refusedAtEstimate: readonly ToolErrorCode[];
  /** Codes with which a batch can be refused, beside those of a job. */
  readonly refusedAtBatch: readonly ToolErrorCode[];
}

/** Advice of a tool about a code that every tool has. */
export interface ToolAdvice {
  readonly code: string;
  readonly tool: string;
  readonly advice: string;
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
      ...commandGroups(tools),
      STATES,
      PAUSE_REASONS,
      WAIT_REASONS,
      LOSS_CAUSES,
      RESUME_CAUSES,
      STATUS_REASONS,
      UNAVAILABLE_REASON_GROUP,
      OUTBOUND_FAULTS,
      EXPORT_FAILURE_GROUP,
    ],
    advice: tools.flatMap(({ about, codes }) =>
      Object.entries(codes.advice ?? {}).map(([code, advice]) => ({ code, tool: about.id, advice })),
    ),
    refusedAtSubmit: refusals.filter(({ atSubmit }) => atSubmit).map(({ code }) => code),
    refusedAtEstimate: refusals.filter(({ atEstimate }) => atEstimate).map(({ code }) => code),
    refusedAtBatch: refusals.filter(({ atSubmit }) => !atSubmit).map(({ code }) => code),
  };
}

/** Lists the refusals of the tools' commands; tools that share a command name its codes once. */
function commandGroups(tools: readonly Tool[]): CodeGroup[] {
  const groups = new Set(tools.flatMap(({ codes }) => codes.commands ?? []));
  return [...groups].map((group) => ({ kind: 'error of the client', tool: null, ...group }));
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
export const STATUS_PARTS: Readonly<Record<string, Joi.Schema>> = statusPartSchemas(CUSTOMER_TOOLS);

/** The summaries of tasks, each schema once. */
export function taskSummaries(tools: readonly Tool[]): readonly TaskSummary[] {
  const summaries = tools.flatMap(({ shown: { summary } }) => (summary === undefined ? [] : [summary]));
  return [...new Map(summaries.map((summary) => [summary.name, summary])).values()];
}

/** Makes the notes on a field in the API document that are for some tools only: its meaning to them, and its readers. */
export function fieldNotes(tools: readonly Tool[], field: string): string {
  const idsByNote = new Map<string, string[]>();
  for (const { about, request } of tools) {
    const note = new Map(Object.entries(request.notes ?? {})).get(field);
    if (note !== undefined) idsByNote.set(note, [...(idsByNote.get(note) ?? []), about.id]);
  }
  const notes = [...idsByNote].map(([note, ids]) => ` With ${listed(ids)} ${note}.`);
  return `${notes.join('')}${readersNote(tools, field)}`;
}

/** Names the tools that read a field, as a sentence that follows another; empty where none does. */
export function readersNote(tools: readonly Tool[], field: string): string {
  const readers = tools.filter(({ request }) => request.reads?.some((read) => read === field) === true);
  return readers.length === 0 ? '' : ` Used by ${listed(readers.map(({ about }) => about.id))}.`;
}

/** The closer bounds of bodies that ask for one of the tools: conditions of JSON Schema. */
export function toolRules(tools: readonly Tool[]): readonly JsonObject[] {
  return tools.flatMap(({ about, request: { rules } }) =>
    rules === undefined
      ? []
      : [{ if: { properties: { simulator: { pattern: namePattern(about) } } }, then: rules }],
  );
}

/** The name of a tool as the service reads it: case, `_` and spaces do not count, and aliases are known. */
export function namePattern({ id, aliases }: Pick<Tool['about'], 'id' | 'aliases'>): string {
  return `^\\s*(${[id, ...aliases].map(spellings).join('|')})\\s*$`;
}

/** Every spelling of a name of letters, digits and hyphens; the sign of the unit kelvin is a K that folds to k. */
function spellings(name: string): string {
  return name.replaceAll(/[a-z-]/g, (sign) =>
    sign === '-' ? '[-_\\s]' : `[${sign.toUpperCase()}${sign}${sign === 'k' ? '\\u212a' : ''}]`,
  );
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** The codes of everything that a customer can ask for. */
export const CATALOGUE: Catalogue = catalogueOf(TOOLS);
