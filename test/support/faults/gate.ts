/**
 * Holds a statement of the system at a known point, from the side of the database: a trigger that the test installs
 * waits for a lock that the test holds. So a fault comes at a known point, without a sleep and without code for it in
 * the product.
 */
import pg from 'pg';

import { until } from '../until.ts';
import type { FaultWorld } from './world.ts';

/** The point at which statements are held. */
export interface GatePoint {
  readonly table: string;
  readonly event: 'insert' | 'update';
  /** A condition over `new`. The condition must name the account or the job, so that other jobs pass. */
  readonly when: string;
  /**
   * With `commit` the statement is held just before its transaction commits, so that the rest of the transaction is
   * done.
   */
  readonly moment: 'commit' | 'row';
}

/** A closed gate. */
export interface Gate {
  /** Waits until a transaction waits at the gate, or so many of them. */
  reached(count?: number): Promise<void>;
  /** Ends the connections that wait at the gate; their transactions are rolled back. */
  refuse(): Promise<void>;
  /** Lets every statement through from now on; a second call changes nothing. */
  open(): Promise<void>;
}

let serial = 0;

/** Closes a gate. The test must open the gate in every case, or the stack stands still. */
export async function closeGate(world: FaultWorld, point: GatePoint): Promise<Gate> {
  serial += 1;
  const [lock, name] = [7_000_000 + serial, `test_gate_${serial}`];
  const client = new pg.Client({ connectionString: world.stack.env['DOCKYARD_DATABASE_URL'] });
  await client.connect();
  const timing =
    point.moment === 'commit'
      ? `create constraint trigger ${name} after ${point.event} on ${point.table} deferrable initially deferred`
      : `create trigger ${name} before ${point.event} on ${point.table}`;
  await client.query(`
    create function ${name}() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${lock}); return new; end $$;
    ${timing} for each row when (${point.when}) execute function ${name}();`);
  await client.query('select pg_advisory_lock($1)', [lock]);
  let isOpen = false;
  const waiting = `from pg_locks where locktype = 'advisory' and objid = $1 and not granted`;
  return {
    reached: (count = 1) =>
      until(
        `${count} transactions stand at ${point.event} on ${point.table}`,
        async () => {
          const { rowCount } = await client.query(`select 1 ${waiting}`, [lock]);
          return (rowCount ?? 0) >= count;
        },
        30_000,
      ),
    refuse: async () => {
      await client.query(`select pg_terminate_backend(pid) ${waiting}`, [lock]);
    },
    open: async () => {
      if (isOpen) return;
      isOpen = true;
      // Dropping the trigger would wait for other transactions on the table; the open gate holds no statement, so the
      // trigger stays.
      await client.end();
    },
  };
}

/** Locks a table against writers, or against readers too, until released. */
export async function lockTable(
  world: FaultWorld,
  table: string,
  mode: 'share' | 'access exclusive',
): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: world.stack.env['DOCKYARD_DATABASE_URL'] });
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in ${mode} mode`);
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}
