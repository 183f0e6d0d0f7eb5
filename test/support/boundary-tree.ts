// A trial tree for the import rules: the smallest modules that obey the rules. The tree is written to a throw-away
// folder inside the checkout (so that packages resolve) with the real folder names (so that the real rules apply).
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Modules that keep every rule; each module is imported by another module or imports one, so no module is an orphan.
 */
export const CLEAN_TREE: Readonly<Record<string, string>> = {
  'src/domain/state.ts': 'export type State = "A";\nexport const first: State = "A";\n',
  'src/domain/pricing.ts': 'import { first } from "./state.ts";\nexport const price = first;\n',
  'src/contracts/job.ts':
    'import type { State } from "../domain/state.ts";\nimport { defineSignal } from "@temporalio/workflow";\nexport const pause = defineSignal("pause");\nexport type Job = { state: State };\n',
  'workflows/job.ts':
    'import { proxyActivities } from "@temporalio/workflow";\nimport type { Activities } from "../activities/credits.ts";\nimport { pause } from "../src/contracts/job.ts";\nexport const acts = [proxyActivities<Activities>, pause];\n',
  'activities/credits.ts':
    'import { log } from "@temporalio/activity";\nimport { reserve } from "../src/services/credits.ts";\nexport type Activities = { a: typeof reserve };\nexport const act = [log, reserve];\n',
  'src/instance/run-task.ts':
    'import { spawn } from "node:child_process";\nimport { noop } from "../tools/noop.ts";\nexport const runTask = [spawn, noop];\n',
  'entities/job.ts': 'import { EntitySchema } from "typeorm";\nexport const job = EntitySchema;\n',
  'migrations/1-first.ts':
    'import type { MigrationInterface } from "typeorm";\nexport type First = MigrationInterface;\n',
  'src/services/credits.ts':
    'import type { DataSource } from "typeorm";\nimport { job } from "../../entities/job.ts";\nimport type { Storage } from "../adapters/storage/storage.ts";\nexport const reserve = (d: DataSource, s: Storage) => [d, s, job];\n',
  'src/scenes/check.ts':
    'import { MVSTreeSchema } from "molstar/lib/extensions/mvs/tree/mvs/mvs-tree.js";\nimport { first } from "../domain/state.ts";\nexport const check = [MVSTreeSchema, first];\n',
  'src/services/jobs.ts': 'import { price } from "../domain/pricing.ts";\nexport const submit = price;\n',
  'src/adapters/storage/storage.ts':
    'import { S3Client } from "@aws-sdk/client-s3";\nexport type Storage = { c: S3Client };\nexport const open = S3Client;\n',
  'src/adapters/temporal/client.ts':
    'import { Client } from "@temporalio/client";\nexport const connect = Client;\n',
  'src/adapters/database/data-source.ts':
    'import { DataSource } from "typeorm";\nimport { job } from "../../../entities/job.ts";\nexport const source = [DataSource, job];\n',
  'src/client/types.ts': 'export type Sent = { a: 1 };\nexport const sent: Sent = { a: 1 };\n',
  'src/tools/noop.ts':
    'import { price } from "../domain/pricing.ts";\nimport type { Sent } from "../client/types.ts";\nexport const noop = (s: Sent) => [price, s];\n',
  'src/packs/install.ts':
    'import { request } from "undici";\nimport { lock } from "../client/lock.mjs";\nexport const install = [request, lock];\n',
  'src/config.ts': 'import Joi from "joi";\nexport const config = Joi;\n',
  'src/client/http.ts': 'import { request } from "node:http";\nexport const get = request;\n',
  'src/client/browser.ts': 'export const createBrowserClient = () => 1;\n',
  'web/src/page.ts':
    'import { createBrowserClient } from "../../src/client/browser.ts";\nexport const page = createBrowserClient;\n',
  'src/client/lock.mjs': 'import { readFileSync } from "node:fs";\nexport const lock = readFileSync;\n',
  'src/stack/supervisor.ts':
    'import { config } from "../config.ts";\nimport { lock } from "../client/lock.mjs";\nexport const start = [config, lock];\n',
  'src/cli/commands.ts':
    'import { Command } from "commander";\nimport { start } from "../stack/supervisor.ts";\nexport const run = [Command, start];\n',
  'src/gateway/server.ts':
    'import Koa from "koa";\nimport { submit } from "../services/jobs.ts";\nexport const serve = [Koa, submit];\n',
  'src/local-host/host.ts':
    'import { runTask } from "../instance/run-task.ts";\nimport { connect } from "../adapters/temporal/client.ts";\nexport const host = [runTask, connect];\n',
  'api/app.ts':
    'import Koa from "koa";\nimport type { submit } from "../src/services/jobs.ts";\nexport const app = (s: typeof submit) => [Koa, s];\n',
  'src/bin/api.ts':
    'import { app } from "../../api/app.ts";\nimport { submit } from "../services/jobs.ts";\nimport { run } from "../cli/commands.ts";\nexport const main = [app, submit, run];\n',
  'scripts/setup.mjs':
    'import { readFileSync } from "node:fs";\nimport { lock } from "../src/client/lock.mjs";\nexport const read = [readFileSync, lock];\n',
};

/** Empties the folder `root` and writes the modules under it. */
export function writeTree(root: string, files: Readonly<Record<string, string>>): void {
  rmSync(root, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
