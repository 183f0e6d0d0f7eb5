/**
 * A search with one of the BLAST+ programs. The preparation reads the queries, cuts them into tasks and makes the
 * database; each task searches its part of the queries; the merge puts the reports together in the order of the queries.
 * Python (`science/blast/`) runs the programs of the pack. This folder says what a request means and costs, and what the
 * reports must be.
 */
import { defineTool } from '../define-tool.ts';
import type { Tool } from '../tool.ts';
import { checkSearch, lookIntoQueries, warnOfFewHits } from './checks.ts';
import { findDatabase } from './catalogue.ts';
import { searchCodes } from './codes.ts';
import { blastCommand } from './command.ts';
import { DATABASE_FACTS, packageWishOf, searchInputs, searchTaskInputs, VOLUMES } from './inputs.ts';
import { searchSummary, searchView } from './live-view.ts';
import { blastPack } from './pack.ts';
import { SEARCH_PARAMETERS, taskCountOf } from './parameters.ts';
import { planSearch, searchLimits, searchResources } from './plan.ts';
import { DEFAULT_INPUT_BYTES, PRICE_FIGURES, pricedSearch, priceSearch } from './price.ts';
import type { SearchProgram } from './program.ts';
import { searchSession, searchToolchainSha256 } from './session.ts';
import { databaseIdentity, preparedAs, searchSessionSpec, searchTaskSpec } from './specs.ts';
import { SEARCH_OUTPUT_BYTES, verifySearch } from './verify.ts';

/** Makes the tool of one program. */
export function createSearchTool(program: SearchProgram): Tool {
  const own = { program, toolchainSha256: searchToolchainSha256 };
  return defineTool({
    about: aboutOf(program),
    request: {
      needsSceneFile: true,
      reads: SEARCH_PARAMETERS,
      check: (request, estimate) => checkSearch(request, program, estimate),
      warnings: warnOfFewHits,
      packageFiles: packageWishOf,
      lookInto: (request, read) => lookIntoQueries(request, program, read),
      database: (request, catalogue) => findDatabase(request, program, catalogue),
    },
    planning: {
      resources: (request) => searchResources(request, program),
      plan: (request, limits) => planSearch(request, program, limits),
      price: (request, plan, book, inputs) => priceSearch(request, plan, book, { inputs, program }),
      priced: (request, inputs) => pricedSearch(request, { inputs, program }),
      defaultInputBytes: DEFAULT_INPUT_BYTES,
      figures: PRICE_FIGURES,
      itemIds: (request) => Array.from({ length: taskCountOf(request) }, (_, index) => String(index)),
    },
    inputs: {
      stored: searchInputs,
      taskInputs: (request, kind, _ordinal, context) => searchTaskInputs(request, kind, context),
      preparation: (request, inputs) =>
        databaseIdentity(request, inputs, { program, toolchainSha256: own.toolchainSha256() }),
      preparedAs,
      cachedOutputs: () => [VOLUMES, DATABASE_FACTS],
    },
    work: {
      limits: (request) => searchLimits(request, program),
      sessionSpec: (request, { inputs }) =>
        searchSessionSpec(request, inputs, { program, toolchainSha256: own.toolchainSha256() }),
      taskSpec: searchTaskSpec,
      session: searchSession,
      toolchainSha256: own.toolchainSha256,
    },
    outputs: {
      largestBytes: SEARCH_OUTPUT_BYTES,
      verify: (kind, _item, outputs, read) => verifySearch(kind, outputs, read),
    },
    shown: { summary: searchSummary, live: searchView },
    codes: searchCodes(program.id),
    pack: blastPack,
    command: blastCommand,
  });
}

function aboutOf({ id, title, summary, docsPage }: SearchProgram): Tool['about'] {
  return {
    id,
    aliases: [],
    jobType: 'simulation',
    title,
    summary,
    licence: blastPack.licence,
    docsPage,
    audience: 'customers',
    unit: 'task',
  };
}
