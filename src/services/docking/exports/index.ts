/** Exports as the API asks for them and reads them. */
import { bound } from '../../bound.ts';
import { readExport } from './read.ts';
import { createExport } from './request.ts';
import type { ExportDependencies } from './request.ts';

/** Makes the operations on exports. Every call throws NOT_FOUND for exports and for records that the account does not have. */
export function createDockingExports(deps: ExportDependencies) {
  return { create: bound(deps)(createExport), get: bound(deps.db)(readExport) };
}
