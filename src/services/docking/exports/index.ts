/** Exports as the API asks for them and reads them. */
import type { Actor } from '../../../domain/access.ts';
import type { CreateExportRequest, ExportResponse } from '../../../domain/docking-exports.ts';
import type { ResultScope } from '../results/scope.ts';
import { readExport } from './read.ts';
import { createExport } from './request.ts';
import type { ExportDependencies } from './request.ts';

/** Operations on exports, for the API. Every call throws NOT_FOUND for exports that the account does not have. */
export interface DockingExportServices {
  /** @throws NOTHING_TO_EXPORT. */
  create(
    actor: Actor,
    of: { readonly kind: ResultScope['kind']; readonly id: string },
    body: CreateExportRequest,
  ): Promise<ExportResponse>;
  get(actor: Actor, exportId: string): Promise<ExportResponse>;
}

/** Makes the services of exports. */
export function createDockingExports(deps: ExportDependencies): DockingExportServices {
  return {
    create: (actor, of, body) => createExport(deps, actor, of, body),
    get: (actor, exportId) => readExport(deps.db, actor, exportId),
  };
}
