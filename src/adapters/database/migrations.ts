/**
 * Schema changes. When several processes start at once, one process migrates, and the others wait for its advisory
 * lock.
 */
import pg from 'pg';
import { DataSource } from 'typeorm';

import { Spine1763700000000 } from '../../../migrations/1763700000000-spine.ts';
import { Docking1763900000000 } from '../../../migrations/1763900000000-docking.ts';
import { Uploads1764000000000 } from '../../../migrations/1764000000000-uploads.ts';
import { LedgerRows1764100000000 } from '../../../migrations/1764100000000-ledger-rows.ts';
import { LedgerMovements1764200000000 } from '../../../migrations/1764200000000-ledger-movements.ts';
import { VerifiedBytes1764300000000 } from '../../../migrations/1764300000000-verified-bytes.ts';
import { OutputTimes1764400000000 } from '../../../migrations/1764400000000-output-times.ts';
import { FileTurns1764500000000 } from '../../../migrations/1764500000000-file-turns.ts';
import { LogicalPaths1764510000000 } from '../../../migrations/1764510000000-logical-paths.ts';
import { JobTimes1764520000000 } from '../../../migrations/1764520000000-job-times.ts';
import { LossesAndLeftovers1764530000000 } from '../../../migrations/1764530000000-losses-and-leftovers.ts';
import { Inspections1764550000000 } from '../../../migrations/1764550000000-inspections.ts';
import { Events1764560000000 } from '../../../migrations/1764560000000-events.ts';
import { PriceModels1764590000000 } from '../../../migrations/1764590000000-price-models.ts';
import { ToolIds1764600000000 } from '../../../migrations/1764600000000-tool-ids.ts';
import { ItemIds1764610000000 } from '../../../migrations/1764610000000-item-ids.ts';
import { MergeSteps1764620000000 } from '../../../migrations/1764620000000-merge-steps.ts';
import { ToolOffers1764630000000 } from '../../../migrations/1764630000000-tool-offers.ts';
import { Databases1764640000000 } from '../../../migrations/1764640000000-databases.ts';
import { Callers1764660100000 } from '../../../migrations/1764660100000-callers.ts';
import { KeptAnswers1764660200000 } from '../../../migrations/1764660200000-kept-answers.ts';
import { AccountStates1764660300000 } from '../../../migrations/1764660300000-account-states.ts';
import { EpochByStatement1764660400000 } from '../../../migrations/1764660400000-epoch-by-statement.ts';
import { KeyEnvironments1764660500000 } from '../../../migrations/1764660500000-key-environments.ts';
import { DebtReceivable1764670100000 } from '../../../migrations/1764670100000-debt-receivable.ts';
import { DebtFirst1764670200000 } from '../../../migrations/1764670200000-debt-first.ts';
import { AllowancePeriods1764670300000 } from '../../../migrations/1764670300000-allowance-periods.ts';
import { SpendingLimits1764670400000 } from '../../../migrations/1764670400000-spending-limits.ts';
import { OldLedgerFunctions1764670800000 } from '../../../migrations/1764670800000-old-ledger-functions.ts';
import { LedgerFunctions1764670900000 } from '../../../migrations/1764670900000-ledger-functions.ts';
import { AuditLog1764680100000 } from '../../../migrations/1764680100000-audit-log.ts';
import { KeyRecords1764680200000 } from '../../../migrations/1764680200000-key-records.ts';
import { People1764680300000 } from '../../../migrations/1764680300000-people.ts';
import { Members1764680400000 } from '../../../migrations/1764680400000-members.ts';
import { Totp1764680500000 } from '../../../migrations/1764680500000-totp.ts';
import { LicenseServers1764680900000 } from '../../../migrations/1764680900000-license-servers.ts';
import { ProviderIdentities1764681000000 } from '../../../migrations/1764681000000-provider-identities.ts';
import { FxRates1764682010000 } from '../../../migrations/1764682010000-fx-rates.ts';
import { Topups1764683000000 } from '../../../migrations/1764683000000-topups.ts';
import { PaymentReturns1764684000000 } from '../../../migrations/1764684000000-payment-returns.ts';
import { Reconciliation1764684100000 } from '../../../migrations/1764684100000-reconciliation.ts';
import { OperatorPlans1764685000000 } from '../../../migrations/1764685000000-operator-plans.ts';
import { Alerts1764685100000 } from '../../../migrations/1764685100000-alerts.ts';
import { Subscriptions1764685200000 } from '../../../migrations/1764685200000-subscriptions.ts';
import { SubscriptionPayments1764685300000 } from '../../../migrations/1764685300000-subscription-payments.ts';
import { CliSessions1764686000000 } from '../../../migrations/1764686000000-cli-sessions.ts';
import { CapacityHeads1764687000000 } from '../../../migrations/1764687000000-capacity-heads.ts';
import { AutoTopups1764688000000 } from '../../../migrations/1764688000000-auto-topups.ts';
import { ResumedJobs1764688500000 } from '../../../migrations/1764688500000-resumed-jobs.ts';
import { CapacityGrowth1764689000000 } from '../../../migrations/1764689000000-capacity-growth.ts';
import { SubscriptionEnds1764689500000 } from '../../../migrations/1764689500000-subscription-ends.ts';
import { OperatorsView1764690000000 } from '../../../migrations/1764690000000-operators-view.ts';
import { AuditOfPayments1764690500000 } from '../../../migrations/1764690500000-audit-of-payments.ts';
import { RecoveryLedger1764690600000 } from '../../../migrations/1764690600000-recovery-ledger.ts';
import { Checkpoints1764690700000 } from '../../../migrations/1764690700000-checkpoints.ts';
import { OperationsMetrics1764691500000 } from '../../../migrations/1764691500000-operations-metrics.ts';
import { LighterAlerts1764692000000 } from '../../../migrations/1764692000000-lighter-alerts.ts';
import { FewerStatements1764692100000 } from '../../../migrations/1764692100000-fewer-statements.ts';
import { ChecksByRow1764692200000 } from '../../../migrations/1764692200000-checks-by-row.ts';
import { DockingResults1764692600000 } from '../../../migrations/1764692600000-docking-results.ts';
import { DrainedInstances1764703100000 } from '../../../migrations/1764703100000-drained-instances.ts';
import { CoveredDispatch1764693000000 } from '../../../migrations/1764693000000-covered-dispatch.ts';
import { DockingRecords1764700000000 } from '../../../migrations/1764700000000-docking-records.ts';
import { LigandLibraries1764704100000 } from '../../../migrations/1764704100000-ligand-libraries.ts';
import { DockingPreparations1764704200000 } from '../../../migrations/1764704200000-docking-preparations.ts';
import { CapacityClasses1764700100001 } from '../../../migrations/1764700100001-capacity-classes.ts';
import { BootstrapNonces1764700110000 } from '../../../migrations/1764700110000-bootstrap-nonces.ts';
import { FrozenLaunches1764702100000 } from '../../../migrations/1764702100000-frozen-launches.ts';
import { DockingContacts1764705100000 } from '../../../migrations/1764705100000-docking-contacts.ts';
import { Receipts1764706100000 } from '../../../migrations/1764706100000-receipts.ts';
import { ReuseKeys1764706200000 } from '../../../migrations/1764706200000-reuse-keys.ts';
import { DockingExports1764802100000 } from '../../../migrations/1764802100000-docking-exports.ts';
import { DockingChoices1764803100000 } from '../../../migrations/1764803100000-docking-choices.ts';
import { DockingSamples1764803200000 } from '../../../migrations/1764803200000-docking-samples.ts';
import { LibraryUses1764803300000 } from '../../../migrations/1764803300000-library-uses.ts';
import { UndoneTasks1764900100000 } from '../../../migrations/1764900100000-undone-tasks.ts';
import { SettledResults1764900200000 } from '../../../migrations/1764900200000-settled-results.ts';
import { ToldDockings1764901100000 } from '../../../migrations/1764901100000-told-dockings.ts';
import { LibrarySmiles1764902100000 } from '../../../migrations/1764902100000-library-smiles.ts';
import { DockingRankCounts1764905000000 } from '../../../migrations/1764905000000-docking-rank-counts.ts';
import { InstanceFrames1764906010000 } from '../../../migrations/1764906010000-instance-frames.ts';
import { CapacityAge1764908000000 } from '../../../migrations/1764908000000-capacity-age.ts';
import { LibraryLosses1764909000000 } from '../../../migrations/1764909000000-library-losses.ts';
import { SampleAdmissions1764909010000 } from '../../../migrations/1764909010000-sample-admissions.ts';
import { EndedInstances1765002000000 } from '../../../migrations/1765002000000-ended-instances.ts';
import { SupersededTasks1765003000000 } from '../../../migrations/1765003000000-superseded-tasks.ts';
import { KeyLines1765040100000 } from '../../../migrations/1765040100000-key-lines.ts';
import { ConfirmedRates1765040200000 } from '../../../migrations/1765040200000-confirmed-rates.ts';
import { Maintenance1765200170000 } from '../../../migrations/1765200170000-maintenance.ts';
import { FullStores1765300000000 } from '../../../migrations/1765300000000-full-stores.ts';
import { ChemistsColumns1765300100000 } from '../../../migrations/1765300100000-chemists-columns.ts';
import { sessionOptions } from './session-options.ts';

const MIGRATIONS = [
  Spine1763700000000,
  Docking1763900000000,
  Uploads1764000000000,
  LedgerRows1764100000000,
  LedgerMovements1764200000000,
  VerifiedBytes1764300000000,
  OutputTimes1764400000000,
  FileTurns1764500000000,
  LogicalPaths1764510000000,
  JobTimes1764520000000,
  LossesAndLeftovers1764530000000,
  Inspections1764550000000,
  Events1764560000000,
  PriceModels1764590000000,
  ToolIds1764600000000,
  ItemIds1764610000000,
  MergeSteps1764620000000,
  ToolOffers1764630000000,
  Databases1764640000000,
  Callers1764660100000,
  KeptAnswers1764660200000,
  AccountStates1764660300000,
  EpochByStatement1764660400000,
  KeyEnvironments1764660500000,
  DebtReceivable1764670100000,
  DebtFirst1764670200000,
  AllowancePeriods1764670300000,
  SpendingLimits1764670400000,
  OldLedgerFunctions1764670800000,
  LedgerFunctions1764670900000,
  AuditLog1764680100000,
  KeyRecords1764680200000,
  People1764680300000,
  Members1764680400000,
  Totp1764680500000,
  LicenseServers1764680900000,
  ProviderIdentities1764681000000,
  FxRates1764682010000,
  Topups1764683000000,
  PaymentReturns1764684000000,
  Reconciliation1764684100000,
  OperatorPlans1764685000000,
  Alerts1764685100000,
  Subscriptions1764685200000,
  SubscriptionPayments1764685300000,
  CliSessions1764686000000,
  CapacityHeads1764687000000,
  AutoTopups1764688000000,
  ResumedJobs1764688500000,
  CapacityGrowth1764689000000,
  SubscriptionEnds1764689500000,
  OperatorsView1764690000000,
  AuditOfPayments1764690500000,
  RecoveryLedger1764690600000,
  Checkpoints1764690700000,
  OperationsMetrics1764691500000,
  LighterAlerts1764692000000,
  FewerStatements1764692100000,
  ChecksByRow1764692200000,
  DockingResults1764692600000,
  CoveredDispatch1764693000000,
  DockingRecords1764700000000,
  LigandLibraries1764704100000,
  DockingPreparations1764704200000,
  CapacityClasses1764700100001,
  BootstrapNonces1764700110000,
  FrozenLaunches1764702100000,
  DrainedInstances1764703100000,
  DockingContacts1764705100000,
  Receipts1764706100000,
  ReuseKeys1764706200000,
  DockingExports1764802100000,
  DockingChoices1764803100000,
  DockingSamples1764803200000,
  LibraryUses1764803300000,
  UndoneTasks1764900100000,
  SettledResults1764900200000,
  ToldDockings1764901100000,
  LibrarySmiles1764902100000,
  DockingRankCounts1764905000000,
  InstanceFrames1764906010000,
  CapacityAge1764908000000,
  LibraryLosses1764909000000,
  SampleAdmissions1764909010000,
  EndedInstances1765002000000,
  SupersededTasks1765003000000,
  KeyLines1765040100000,
  ConfirmedRates1765040200000,
  Maintenance1765200170000,
  FullStores1765300000000,
  ChemistsColumns1765300100000,
];
/** Any fixed number; only this code takes this lock. */
const MIGRATION_LOCK = 4_926_017;

/** Applies the migrations that are missing, each in a transaction. @returns their names. */
export async function runMigrations(url: string): Promise<string[]> {
  return withMigrator(url, async (source) => {
    const applied = await source.runMigrations({ transaction: 'each' });
    return applied.map((migration) => migration.name);
  });
}

/** Takes the newest migration back, or as many of the newest as are named. The data of their tables is lost. */
export async function revertMigration(url: string, count = 1): Promise<void> {
  await withMigrator(url, async (source) => {
    for (let step = 0; step < count; step += 1) await source.undoLastMigration({ transaction: 'each' });
  });
}

async function withMigrator<T>(url: string, work: (source: DataSource) => Promise<T>): Promise<T> {
  const lock = new pg.Client({ connectionString: url, application_name: 'dockyard-migrate' });
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const source = new DataSource({
      type: 'postgres',
      url,
      migrations: MIGRATIONS,
      logging: false,
      poolSize: 1,
      extra: sessionOptions(url),
    });
    await source.initialize();
    try {
      return await work(source);
    } finally {
      await source.destroy();
    }
  } finally {
    await lock.end();
  }
}
