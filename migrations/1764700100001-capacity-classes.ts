import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Capacity has limits for each plan and each class of instances, and GPUs are counted apart from vCPUs: a request says its class,
 * the GPUs of one instance and the plan of its account. `gpus` follows from the instances that are granted. The oldest request of
 * an account is that of a class, so that a request for a GPU holds up no request without one. `reserved_for` says what is kept.
 */
export class CapacityClasses1764700100001 implements MigrationInterface {
  name = 'CapacityClasses1764700100001';

  /** Adds the columns; requests of before are of the plain class, and their priority tells their plan. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table capacity_requests add column class text not null default 'cpu', add column plan text,
        add column step_gpus integer not null default 0 check (step_gpus >= 0), add column reserved_for text;
      alter table capacity_requests add column gpus integer not null generated always as
        (case when step_vcpus is null then step_gpus else step_gpus * ((vcpus + step_vcpus - 1) / step_vcpus) end) stored;
      update capacity_requests set plan = case when priority > 0 then 'pro' else 'free' end where state <> 'RELEASED';
      drop index capacity_waiting, capacity_granted;
      create index capacity_waiting on capacity_requests (account_id, class, priority desc, requested_at, job_id)
        where state = 'WAITING';
      create index capacity_granted on capacity_requests (account_id, class, plan) include (vcpus, gpus)
        where state = 'GRANTED';
    `);
  }

  /** Takes them away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index capacity_waiting, capacity_granted;
      alter table capacity_requests drop column gpus;
      alter table capacity_requests drop column class, drop column plan, drop column step_gpus, drop column reserved_for;
      create index capacity_waiting on capacity_requests (account_id, priority desc, requested_at, job_id)
        where state = 'WAITING';
      create index capacity_granted on capacity_requests (account_id) include (vcpus) where state = 'GRANTED';
    `);
  }
}
