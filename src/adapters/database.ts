/** The database adapter's public face. */
export { createDatabase } from './database/database.ts';
export type { Database, DatabaseOptions } from './database/database.ts';
export { revertMigration, runMigrations } from './database/migrations.ts';
