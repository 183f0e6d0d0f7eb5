/**
 * JSON Schemas from the Joi schemas that validate at run time. Joi makes the JSON Schema; this file tidies it: schemas
 * with a name become components, a choice told apart by `kind` becomes `oneOf`, deprecations and the facts that a schema
 * carries for the document are merged in.
 */
import type Joi from 'joi';

import { CUSTOMER_TOOLS, taskSummaries } from '../src/tools/catalogue.ts';
import { auditListAnswer } from './audit/schemas.ts';
import { eventListAnswer } from './events/schemas.ts';
import { accountAnswer } from './people/account-schemas.ts';
import { usageAnswer } from './credits/usage-schemas.ts';
import { simulatorListAnswer } from './simulators/schemas.ts';
import { artifactAnswer, registeredArtifact } from './docking/artifact-answers.ts';
import {
  batchAnswer,
  batchListAnswer,
  experimentAnswer,
  experimentListAnswer,
  runAnswer,
  runListAnswer,
} from './docking/record-answers.ts';
import {
  createBatchBody,
  createExperimentBody,
  createRunBody,
  retryFailedBody,
} from './docking/record-schemas.ts';
import {
  artifactReference,
  dockingExecution,
  dockingValidation,
  downloadUrlAnswer,
  ligandIdentity,
  receptorPreparation,
  registerArtifactBody,
  residueReference,
} from './docking/schemas.ts';
import { resolveLigandAnswer, resolveLigandBody } from './docking/resolve-schemas.ts';
import { createExportBody, exportAnswer } from './docking/export-schemas.ts';
import {
  failureListAnswer,
  interactionListAnswer,
  poseAnswer,
  poseListAnswer,
  poseRecord,
  resultAnswer,
  resultListAnswer,
  resultRecord,
} from './docking/result-schemas.ts';
import { balanceAnswer, transactionListAnswer } from './credits/schemas.ts';
import { estimateJobAnswer, estimateJobBody } from './estimates/schemas.ts';
import {
  failureCode,
  jobState,
  lossCause,
  recoveryCause,
  outboundFault,
  pauseReason,
  waitReason,
  warningCode,
} from './http/codes.ts';
import { deprecationIn } from './http/deprecation.ts';
import type { Deprecation } from './http/deprecation.ts';
import type { Json, JsonObject } from './http/in-document.ts';
import { isJsonObject } from './http/in-document.ts';
import { statementAnswer, statementListAnswer } from './credits/statement-schemas.ts';
import { tierListAnswer, topupAnswer, topupBody, topupStarted } from './credits/topup-schemas.ts';
import { jobBillAnswer } from './jobs/bill-schemas.ts';
import { pricesAnswer, publicEstimateAnswer, publicEstimateBody } from './public/schemas.ts';
import { recoveryListAnswer } from './jobs/recovery-schemas.ts';
import { outputItem, outputListAnswer, taskListAnswer } from './jobs/result-schemas.ts';
import { inspectionAnswer, inspectReceptorBody } from './receptors/schemas.ts';
import { billingAnswer, billingBody } from './settings/billing-schemas.ts';
import { pageAnswer, portalBody, subscribeBody } from './settings/subscription-schemas.ts';
import { notificationsAnswer, notificationsBody } from './settings/notification-schemas.ts';
import {
  apiKey,
  createKeyBody,
  issuedKeyAnswer,
  keyListAnswer,
  revokedKeyAnswer,
  rotatedKeyAnswer,
} from './keys/schemas.ts';
import {
  acceptInvitationBody,
  invitation,
  invitationListAnswer,
  inviteBody,
  joinedAnswer,
  leftMemberAnswer,
  member,
  memberListAnswer,
} from './members/schemas.ts';
import { approveCliBody, cliApprovalAnswer, cliSessionBody } from './people/cli-schemas.ts';
import {
  endedSessionAnswer,
  mailSentAnswer,
  sessionListAnswer,
  signInAnswer,
  signInBody,
  signUpBody,
} from './people/schemas.ts';
import { totpCodeBody, totpStateAnswer } from './people/totp-schemas.ts';
import {
  cancelJobAnswer,
  cancelJobBody,
  jobListAnswer,
  jobStatusAnswer,
  resumeJobAnswer,
  resumeJobBody,
  jobRequestAnswer,
} from './jobs/schemas.ts';
import { conversionAnswer, convertBody } from './convert/schemas.ts';
import { signedRevisionReceiptAnswer } from './projects/evidence-schemas.ts';
import {
  createProjectBody,
  projectAnswer,
  projectListAnswer,
  projectWithContent,
  restoreBody,
  revisionListAnswer,
  revisionWithContent,
  saveProjectBody,
  shareBody,
  sharedAnswer,
} from './projects/schemas.ts';
import { signedReceiptAnswer, receiptKeysAnswer } from './receipts/schemas.ts';
import {
  licenseServer,
  licenseServerBody,
  licenseServerListAnswer,
  licenseServerTestAnswer,
} from './settings/schemas.ts';
import { simulationParams } from './jobs/simulation-params.ts';
import { submitJobAnswer, submitJobBody } from './jobs/submit-schemas.ts';
import { MULTIPART_SCHEMAS } from './uploads/multipart-schemas.ts';
import { uploadUrlAnswer, uploadUrlBody } from './uploads/schemas.ts';
import { WEBHOOK_SCHEMAS } from './webhooks/schemas.ts';

/** Named schemas; a schema that others contain comes before them. */
const NAMED: readonly (readonly [string, Joi.Schema])[] = [
  ['JobState', jobState],
  ['PauseReason', pauseReason],
  ['WaitReason', waitReason],
  ['LossCause', lossCause],
  ['RecoveryCause', recoveryCause],
  ['FailureCode', failureCode],
  ['WarningCode', warningCode],
  ['ArtifactReference', artifactReference],
  ['RegisteredArtifact', registeredArtifact],
  ['ResidueReference', residueReference],
  ['LigandIdentity', ligandIdentity],
  ['ReceptorPreparation', receptorPreparation],
  ['DockingValidation', dockingValidation],
  ['DockingExecution', dockingExecution],
  ['SimulationParams', simulationParams],
  ['SubmitJobRequest', submitJobBody],
  ['SubmitJobResponse', submitJobAnswer],
  ['EstimateJobRequest', estimateJobBody],
  ['EstimateJobResponse', estimateJobAnswer],
  ['JobListResponse', jobListAnswer],
  ['JobStatusResponse', jobStatusAnswer],
  ['JobRequestResponse', jobRequestAnswer],
  ['JobBillResponse', jobBillAnswer],
  ['SignedReceipt', signedReceiptAnswer],
  ['ReceiptKeyList', receiptKeysAnswer],
  ['StatementListResponse', statementListAnswer],
  ['TierListResponse', tierListAnswer],
  ['TopupRequest', topupBody],
  ['TopupStartedResponse', topupStarted],
  ['TopupResponse', topupAnswer],
  ['StatementResponse', statementAnswer],
  ['PublicPricesResponse', pricesAnswer],
  ['PublicEstimateRequest', publicEstimateBody],
  ['PublicEstimateResponse', publicEstimateAnswer],
  ...taskSummaries(CUSTOMER_TOOLS).map(({ name, schema }) => [name, schema] as const),
  ['TaskListResponse', taskListAnswer],
  ['RecoveryListResponse', recoveryListAnswer],
  ['OutputItem', outputItem],
  ['OutputListResponse', outputListAnswer],
  ['CancelJobRequest', cancelJobBody],
  ['CancelJobResponse', cancelJobAnswer],
  ['ResumeJobRequest', resumeJobBody],
  ['ResumeJobResponse', resumeJobAnswer],
  ['UploadUrlRequest', uploadUrlBody],
  ['UploadUrlResponse', uploadUrlAnswer],
  ...MULTIPART_SCHEMAS,
  ['CreditBalanceResponse', balanceAnswer],
  ['SimulatorListResponse', simulatorListAnswer],
  ['TransactionListResponse', transactionListAnswer],
  ['CreditUsageResponse', usageAnswer],
  ['ConvertRequest', convertBody],
  ['ConversionResponse', conversionAnswer],
  ['CreateProjectRequest', createProjectBody],
  ['SaveProjectRequest', saveProjectBody],
  ['RestoreRevisionRequest', restoreBody],
  ['ShareProjectRequest', shareBody],
  ['ProjectResponse', projectAnswer],
  ['ProjectContentResponse', projectWithContent],
  ['ProjectListResponse', projectListAnswer],
  ['RevisionResponse', revisionWithContent],
  ['RevisionListResponse', revisionListAnswer],
  ['SharedRevisionResponse', sharedAnswer],
  ['SignedRevisionReceipt', signedRevisionReceiptAnswer],
  ['DockingResult', resultRecord],
  ['DockingResultListResponse', resultListAnswer],
  ['DockingResultResponse', resultAnswer],
  ['DockingFailureListResponse', failureListAnswer],
  ['DockingPose', poseRecord],
  ['DockingPoseListResponse', poseListAnswer],
  ['DockingPoseResponse', poseAnswer],
  ['DockingInteractionListResponse', interactionListAnswer],
  ['DockingExportRequest', createExportBody],
  ['DockingExportResponse', exportAnswer],
  ['CreateDockingExperimentRequest', createExperimentBody],
  ['DockingExperimentResponse', experimentAnswer],
  ['DockingExperimentListResponse', experimentListAnswer],
  ['CreateDockingRunRequest', createRunBody],
  ['DockingRunResponse', runAnswer],
  ['DockingRunListResponse', runListAnswer],
  ['CreateDockingBatchRequest', createBatchBody],
  ['DockingBatchResponse', batchAnswer],
  ['DockingBatchListResponse', batchListAnswer],
  ['RetryFailedRequest', retryFailedBody],
  ['RegisterArtifactRequest', registerArtifactBody],
  ['ArtifactResponse', artifactAnswer],
  ['DownloadUrlResponse', downloadUrlAnswer],
  ['ResolveLigandRequest', resolveLigandBody],
  ['ResolveLigandResponse', resolveLigandAnswer],
  ['InspectReceptorRequest', inspectReceptorBody],
  ['InspectionResponse', inspectionAnswer],
  ['RevokedApiKey', revokedKeyAnswer],
  ['OutboundFault', outboundFault],
  ['BillingSettingsRequest', billingBody],
  ['BillingSettings', billingAnswer],
  ['NotificationSettingsRequest', notificationsBody],
  ['NotificationSettings', notificationsAnswer],
  ['SubscribeRequest', subscribeBody],
  ['PortalRequest', portalBody],
  ['HostedPage', pageAnswer],
  ['LicenseServerRequest', licenseServerBody],
  ['LicenseServer', licenseServer],
  ['LicenseServerListResponse', licenseServerListAnswer],
  ['LicenseServerTestResponse', licenseServerTestAnswer],
  ['ApiKey', apiKey],
  ['ApiKeyListResponse', keyListAnswer],
  ['CreateApiKeyRequest', createKeyBody],
  ['IssuedApiKey', issuedKeyAnswer],
  ['RotatedApiKey', rotatedKeyAnswer],
  ['AuditListResponse', auditListAnswer],
  ['EventListResponse', eventListAnswer],
  ...WEBHOOK_SCHEMAS,
  ['Member', member],
  ['MemberListResponse', memberListAnswer],
  ['LeftMember', leftMemberAnswer],
  ['InviteRequest', inviteBody],
  ['Invitation', invitation],
  ['InvitationListResponse', invitationListAnswer],
  ['AcceptInvitationRequest', acceptInvitationBody],
  ['JoinedAccount', joinedAnswer],
  ['SignUpRequest', signUpBody],
  ['SignInRequest', signInBody],
  ['SignInResponse', signInAnswer],
  ['AccountResponse', accountAnswer],
  ['TotpState', totpStateAnswer],
  ['TotpCodeRequest', totpCodeBody],
  ['CliApprovalRequest', approveCliBody],
  ['CliApproval', cliApprovalAnswer],
  ['CliSessionRequest', cliSessionBody],
  ['MailSentResponse', mailSentAnswer],
  ['SessionListResponse', sessionListAnswer],
  ['EndedSession', endedSessionAnswer],
];

interface Described {
  readonly examples?: readonly Json[];
  readonly metas?: readonly Readonly<Record<string, unknown>>[];
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly ordered?: readonly Described[];
  readonly patterns?: readonly { readonly rule: Described }[];
  readonly matches?: readonly {
    readonly schema?: Described;
    readonly then?: Described;
    readonly switch?: readonly { readonly then?: Described }[];
    readonly otherwise?: Described;
  }[];
}

/** The parts of a description beside the part of the JSON Schema that each of them became. */
function* parts(node: JsonObject, described: Described): Generator<readonly [Json | undefined, Described]> {
  const { properties, patternProperties, items, prefixItems, anyOf } = node;
  for (const [name, property] of Object.entries(described.keys ?? {}))
    yield [isJsonObject(properties) ? properties[name] : undefined, property];
  for (const item of described.items ?? []) yield [items, item];
  const places = Array.isArray(prefixItems) ? prefixItems : [];
  for (const [at, item] of (described.ordered ?? []).entries()) yield [places[at], item];
  const patterned = isJsonObject(patternProperties)
    ? Object.values(patternProperties)
    : [node.additionalProperties];
  for (const [at, { rule }] of (described.patterns ?? []).entries()) yield [patterned[at], rule];
  const branches = (described.matches ?? []).flatMap(({ schema, then, switch: cases = [], otherwise }) =>
    [schema, then, ...cases.map((one) => one.then), otherwise].filter((branch) => branch !== undefined),
  );
  const choices = Array.isArray(anyOf) ? anyOf : [];
  for (const [at, branch] of branches.entries()) yield [choices[at], branch];
}

/** Marks an operation or a field that will go. */
export function deprecationNote({ since, sunset }: Deprecation): JsonObject {
  return { deprecated: true, 'x-deprecated-since': since, 'x-sunset': sunset };
}

/** Joi's conversion leaves metadata out, so deprecations, formats and other facts are carried over part by part. */
function carryOver(node: Json | undefined, described: Described): void {
  if (!isJsonObject(node)) return;
  for (const [part, partDescribed] of parts(node, described)) carryOver(part, partDescribed);
  const deprecated = deprecationIn(described.metas);
  if (deprecated !== undefined) Object.assign(node, deprecationNote(deprecated));
  if (described.examples !== undefined) node.examples = [...described.examples];
  for (const { format, document } of described.metas ?? []) {
    if (typeof format === 'string') node.format = format;
    if (isJsonObject(document)) Object.assign(node, document);
  }
}

/** The JSON Schema goes through text once, so that the document holds nothing that is not JSON. */
function rawJsonSchema(schema: Joi.Schema): JsonObject {
  const raw: unknown = JSON.parse(
    JSON.stringify(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })),
  );
  if (!isJsonObject(raw)) throw new Error('a JSON Schema of a Joi schema is an object');
  carryOver(raw, schema.describe());
  allowNull(raw);
  return raw;
}

/** Joi's conversion says `null` in the types of a field and leaves it out of the values, so that no value of null would fit. */
function allowNull(node: Json): void {
  if (Array.isArray(node)) for (const one of node) allowNull(one);
  if (!isJsonObject(node)) return;
  const { type, enum: values } = node;
  if (Array.isArray(type) && type.includes('null') && Array.isArray(values) && !values.includes(null))
    node.enum = [...values, null];
  for (const child of Object.values(node)) allowNull(child);
}

function kindOf(branch: Json): readonly Json[] | null {
  if (!isJsonObject(branch) || !isJsonObject(branch.properties) || !isJsonObject(branch.properties.kind))
    return null;
  const { kind } = branch.properties;
  return Array.isArray(kind.enum) ? kind.enum : null;
}

/** Joi writes a choice by `kind` as `anyOf` with a last branch for unknown kinds, which only makes better messages. */
function tidyChoice(node: JsonObject): JsonObject {
  const branches = node.anyOf;
  if (!Array.isArray(branches) || branches.some((branch) => kindOf(branch) === null)) return node;
  const { anyOf: _dropped, ...rest } = node;
  return { ...rest, oneOf: branches.filter((branch) => kindOf(branch)?.length === 1) };
}

/** Members that a use of a named schema may set for itself, beside the reference. */
const ANNOTATIONS = ['description', 'default', 'examples'];

function shapeOf(node: JsonObject): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(node).filter(([key]) => !ANNOTATIONS.includes(key))),
  );
}

class ComponentIndex {
  readonly schemas: JsonObject = {};
  readonly #nameByShape = new Map<string, string>();

  /** Replaces every named schema below a node by a reference. */
  refer(node: Json, self?: string): Json {
    if (Array.isArray(node)) return node.map((child) => this.refer(child));
    if (!isJsonObject(node)) return node;
    const tidied = tidyChoice(node);
    const name = this.#nameByShape.get(shapeOf(tidied));
    if (name !== undefined && name !== self) return this.#reference(name, tidied);
    const entries = Object.entries(tidied).map(([key, child]): [string, Json] => [key, this.refer(child)]);
    const referred = Object.fromEntries(entries);
    const inner = this.#nameByShape.get(shapeOf(referred));
    return inner === undefined || inner === self ? referred : this.#reference(inner, referred);
  }

  add(name: string, schema: Joi.Schema): void {
    const referred = this.refer(rawJsonSchema(schema), name);
    if (!isJsonObject(referred)) return;
    this.schemas[name] = referred;
    this.#nameByShape.set(shapeOf(referred), name);
  }

  #reference(name: string, node: JsonObject): JsonObject {
    const target = this.schemas[name];
    const own = ANNOTATIONS.filter(
      (key) =>
        node[key] !== undefined &&
        isJsonObject(target) &&
        JSON.stringify(node[key]) !== JSON.stringify(target[key]),
    );
    return {
      $ref: `#/components/schemas/${name}`,
      ...Object.fromEntries(own.map((key) => [key, node[key] ?? null])),
    };
  }
}

/** Turns Joi schemas into JSON Schemas that share their components. */
export interface SchemaWriter {
  readonly components: JsonObject;
  write(schema: Joi.Schema): Json;
}

/** Makes a writer with all named schemas. */
export function createSchemaWriter(): SchemaWriter {
  const index = new ComponentIndex();
  for (const [name, schema] of NAMED) index.add(name, schema);
  return { components: index.schemas, write: (schema) => index.refer(rawJsonSchema(schema)) };
}
