/** Every entity. A table without an entity in this list fails a test. */
import { AccountEntity, ApiKeyEntity, RevocationEpochEntity, UserEntity } from './accounts.ts';
import { AlertEntity, AlertMailEntity, NotificationSettingsEntity } from './alerts.ts';
import { AuditEntryEntity } from './audit.ts';
import { CapacityRequestEntity } from './capacity.ts';
import { DatabaseEntity } from './databases.ts';
import { DockingExportEntity } from './docking-exports.ts';
import {
  DockingBatchEntity,
  DockingExperimentEntity,
  DockingRunEntity,
  DockingSampleEntity,
} from './docking-records.ts';
import {
  DockingContactEntity,
  DockingPoseEntity,
  DockingPreparationEntity,
  DockingRankCountEntity,
  DockingResultEntity,
} from './docking.ts';
import { EventEntity } from './events.ts';
import { IdempotencyKeyEntity } from './idempotency.ts';
import { InspectionEntity } from './inspections.ts';
import { InstanceEntity, InstanceFrameEntity, RecoveryEntity, ServiceHeartbeatEntity } from './instances.ts';
import { JobEntity, JobExecutionEntity } from './jobs.ts';
import {
  AllowancePeriodEntity,
  HoldEntity,
  HoldExtensionEntity,
  HoldPartEntity,
  KeyLimitEntity,
  LedgerBalanceEntity,
  LedgerEntryEntity,
  LedgerTransferEntity,
} from './ledger.ts';
import { MaintenanceEntity } from './maintenance.ts';
import {
  IdentityEntity,
  InvitationEntity,
  MailCodeEntity,
  CliCodeEntity,
  OidcAttemptEntity,
  RecoveryCodeEntity,
  SessionEntity,
  SignInTriesEntity,
} from './people.ts';
import {
  AutoTopupEntity,
  PaymentCustomerEntity,
  PaymentEventEntity,
  PaymentReturnEntity,
  TopupEntity,
} from './payments.ts';
import { OperatorPlanEntity, PlanChangeEntity } from './plans.ts';
import { PreparationEntity } from './preparations.ts';
import { DepositedStructureEntity, StructureFactsEntity, StructureImportEntity } from './structures.ts';
import {
  MolecularContentEntity,
  MolecularProjectEntity,
  MolecularReceiptEntity,
  MolecularRevisionEntity,
  MolecularShareEntity,
  MolecularSourceEntity,
} from './projects.ts';
import { StoredFxRateEntity } from './rates.ts';
import { ProviderTransactionEntity, ReconciliationDifferenceEntity } from './reconciliation.ts';
import { LigandLibraryEntity, LigandLibraryRecordEntity } from './libraries.ts';
import { LicenseServerEntity } from './settings.ts';
import { ArtifactEntity, JobInputObjectEntity, StoredObjectEntity } from './storage.ts';
import { ScheduleRoundEntity } from './rounds.ts';
import { StoredRequestEntity, SweepPassEntity } from './sweep.ts';
import { SubscriptionEntity, SubscriptionPaymentEntity, SubscriptionPeriodEntity } from './subscriptions.ts';
import { AccountRemovalEntity, UploadEntity } from './uploads.ts';
import { TaskEntity, TaskLogChunkEntity } from './tasks.ts';
import { ToolOfferEntity } from './tools.ts';
import { StoredReceiptEntity, StoredReceiptKeyEntity } from './receipts.ts';
import { FileTurnEntity } from './turns.ts';
import {
  WebhookDeliveryEntity,
  WebhookEntity,
  WebhookFanOutEntity,
  WebhookSecretEntity,
} from './webhooks.ts';

export { toSafeInteger } from './columns.ts';

/** All entities, for the data source. */
export const ENTITIES = [
  AccountEntity,
  UserEntity,
  ApiKeyEntity,
  RevocationEpochEntity,
  AuditEntryEntity,
  LicenseServerEntity,
  SessionEntity,
  MailCodeEntity,
  SignInTriesEntity,
  InvitationEntity,
  RecoveryCodeEntity,
  IdentityEntity,
  CliCodeEntity,
  OidcAttemptEntity,
  LedgerBalanceEntity,
  LedgerTransferEntity,
  LedgerEntryEntity,
  AllowancePeriodEntity,
  HoldEntity,
  HoldExtensionEntity,
  HoldPartEntity,
  KeyLimitEntity,
  PaymentCustomerEntity,
  TopupEntity,
  AutoTopupEntity,
  PaymentReturnEntity,
  PaymentEventEntity,
  ProviderTransactionEntity,
  ReconciliationDifferenceEntity,
  OperatorPlanEntity,
  PlanChangeEntity,
  SubscriptionEntity,
  SubscriptionPeriodEntity,
  SubscriptionPaymentEntity,
  AlertEntity,
  AlertMailEntity,
  NotificationSettingsEntity,
  JobEntity,
  JobExecutionEntity,
  TaskEntity,
  TaskLogChunkEntity,
  DockingResultEntity,
  DockingPoseEntity,
  DockingPreparationEntity,
  StoredReceiptEntity,
  StoredReceiptKeyEntity,
  DockingExperimentEntity,
  DockingBatchEntity,
  DockingRunEntity,
  DockingSampleEntity,
  DockingExportEntity,
  LigandLibraryEntity,
  LigandLibraryRecordEntity,
  DockingContactEntity,
  DockingRankCountEntity,
  InstanceEntity,
  InstanceFrameEntity,
  RecoveryEntity,
  ServiceHeartbeatEntity,
  CapacityRequestEntity,
  StoredObjectEntity,
  UploadEntity,
  AccountRemovalEntity,
  FileTurnEntity,
  JobInputObjectEntity,
  PreparationEntity,
  InspectionEntity,
  ArtifactEntity,
  EventEntity,
  IdempotencyKeyEntity,
  StoredRequestEntity,
  SweepPassEntity,
  ScheduleRoundEntity,
  MaintenanceEntity,
  ToolOfferEntity,
  DatabaseEntity,
  StoredFxRateEntity,
  MolecularProjectEntity,
  MolecularContentEntity,
  MolecularRevisionEntity,
  MolecularReceiptEntity,
  MolecularShareEntity,
  MolecularSourceEntity,
  DepositedStructureEntity,
  StructureImportEntity,
  StructureFactsEntity,
  WebhookEntity,
  WebhookSecretEntity,
  WebhookDeliveryEntity,
  WebhookFanOutEntity,
];
