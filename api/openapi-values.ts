/**
 * Values of fields in the examples of the document, by their names: one name means one thing all over the API. The values tell of
 * one customer, who docks imatinib into ABL kinase, so that the examples of all operations fit each other. A name may have
 * several values: a field shows the first one that its schema allows. `Component.name` and `operationId.name` come before the
 * name alone. Names and titles of tools come from the tools.
 */
import { EXAMPLE_TOOL } from '../src/tools/catalogue.ts';
import type { Json } from './http/in-document.ts';

const JOB_ID = '0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11';
const UPLOAD_ID = '0198a7bf-1c44-7d52-8e19-5b3a7c2f9d04';
const ARTIFACT_ID = '0198a7d1-93b7-7f08-b6c5-2e4d8a1c6f37';
const PERSON_ID = '0198a1e0-4b6f-7a3c-8d21-7f5e9b0c3a68';
const SOME_ID = '0198a7e4-0a2d-7b95-a4f7-6c1d3e8b5f90';
const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const UPLOAD_KEY = `accounts/${PERSON_ID}/uploads/${UPLOAD_ID}/abl-kinase.pdb`;
const OUTPUT_KEY = `accounts/${PERSON_ID}/jobs/${JOB_ID}/0/${DIGEST}-poses.sdf`;
const SIGNED_URL = 'https://storage.example.com/files/abl-kinase.pdb?signature=4f1c9d';
const SMILES = 'Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1';
const CHARGED_SMILES = 'Cc1ccc(NC(=O)c2ccc(CN3CC[NH+](C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1';
const ADDRESS = 'ada@example.org';
const [SUBMITTED, STARTED, ENDED, LATER] = [
  '2026-11-22T09:00:00.000000Z',
  '2026-11-22T09:00:41.250000Z',
  '2026-11-22T09:02:17.480000Z',
  '2026-11-29T09:00:00.000000Z',
];
const { about, request } = EXAMPLE_TOOL;

const IDS: Readonly<Record<string, readonly Json[]>> = {
  jobId: [JOB_ID],
  job_id: [JOB_ID],
  uploadId: [UPLOAD_ID],
  artifactId: [ARTIFACT_ID],
  inspectionId: [SOME_ID],
  projectId: [null, SOME_ID],
  shareId: [SOME_ID],
  id: [SOME_ID],
  userId: [PERSON_ID],
  createdBy: [PERSON_ID],
  invitedBy: [PERSON_ID],
  sessionId: [SOME_ID],
  keyId: [SOME_ID],
  invitationId: [SOME_ID],
  tier_id: [null],
  reverses_id: [null],
  nextCursor: [null],
  'SimulatorListResponse.id': [about.id],
};

const TIMES: Readonly<Record<string, readonly Json[]>> = {
  at: [SUBMITTED],
  createdAt: [SUBMITTED],
  created_at: [SUBMITTED],
  submittedAt: [SUBMITTED],
  startedAt: [STARTED],
  updatedAt: [ENDED],
  finishedAt: [ENDED],
  endedAt: [ENDED],
  completedAt: [ENDED],
  verifiedAt: [ENDED],
  cancelRequestedAt: [ENDED],
  lastUsedAt: [ENDED],
  lastSeenAt: [ENDED],
  revokedAt: [null, ENDED],
  expiresAt: [LATER],
  urlExpiresAt: [LATER],
  quoteExpiresAt: ['2026-11-22T09:15:00.000Z'],
  monthly_reset_at: ['2026-12-01T00:00:00.000000Z'],
};

const JOBS: Readonly<Record<string, readonly Json[]>> = {
  index: [0],
  jobType: [about.jobType],
  jobName: ['Imatinib into ABL kinase'],
  simulator: [about.id],
  status: ['SUCCEEDED'],
  'SubmitJobResponse.message': ['Held 10 pence, the most that this job can cost.'],
  message: ['Tasks that run are stopped; what is verified is kept and charged.', 'Done.'],
  reason: [null],
  provider: ['local'],
  execution: [1],
  statusReason: [null],
  pauseReason: [null],
  cancelReason: [null],
  queue: [null],
  failure: [null],
  failures: [[]],
  warnings: [[]],
  events: [[]],
  unit: [about.unit],
  total: [1],
  completed: [1],
  failed: [0, []],
  running: [0],
  percent: [100],
  progressPercent: [100],
  etaSeconds: [0],
  attempts: [1],
  recoveries: [0],
  resumable: [false],
  resumableReason: ['The tool keeps no checkpoints: a task that is lost begins again.'],
  expected: [1],
  present: [1],
  failedCount: [0],
  missing: [[], [2]],
  missingCount: [0],
  manifest: [null],
  frame: [null],
  taskIndex: [0],
  ligandId: ['imatinib'],
  'TaskListResponse.id': ['imatinib'],
  kind: ['poses'],
  name: ['ligands/imatinib/poses.sdf'],
  format: ['sdf', 'pdb'],
};

const MONEY: Readonly<Record<string, readonly Json[]>> = {
  estimatedCost: [0.12],
  accruedCost: [0.12],
  currency: ['USD'],
  'TransactionListResponse.currency': ['GBP'],
  creditCurrency: ['GBP'],
  fxRate: [0.79],
  fxSource: ['www.ecb.europa.eu'],
  fxDate: ['2026-11-20'],
  heldCents: [10],
  ceilingCents: [10],
  longestTaskSeconds: [600],
  quoteId: ['dkq1.eyJhY2NvdW50IjoiMDE5OGExZTAifQ.Qm9ndXNTaWduYXR1cmVPZkFuRXhhbXBsZQ'],
  chargedCents: [10],
  'JobBillResponse.chargedCents': [9],
  releasedCents: [0],
  limitCents: [null],
  compute: [0.02],
  software: [0],
  storage: [0],
  egress: [0],
  startFee: [0.1],
  wallet_cents: [2_490],
  wallet_held_cents: [0],
  wallet_available_cents: [2_490],
  monthly_cents: [500],
  monthly_held_cents: [0],
  monthly_available_cents: [500],
  total_credited_cents: [2_990],
  held_cents: [0],
  available_cents: [2_990],
  available_display: ['£29.90'],
  debt_cents: [0],
  debt_after_cents: [0],
  type: ['charge'],
  amount_cents: [-10],
  balance_after_cents: [2_490],
  held_after_cents: [0],
  'TransactionListResponse.description': ['Imatinib into ABL kinase'],
};

const FILES: Readonly<Record<string, readonly Json[]>> = {
  filename: ['abl-kinase.pdb'],
  contentType: ['chemical/x-pdb'],
  size: [20_971_520],
  'uploadFile.size': [482_113],
  byteSize: [482_113],
  mediaType: ['chemical/x-mdl-sdfile'],
  'ArtifactReference.mediaType': ['chemical/x-pdb'],
  'DownloadUrlResponse.mediaType': ['chemical/x-pdb'],
  'ArtifactReference.format': ['pdb'],
  'ArtifactReference.storageKey': [UPLOAD_KEY],
  'RegisteredArtifact.mediaType': ['chemical/x-pdb'],
  'RegisteredArtifact.format': ['pdb'],
  'RegisteredArtifact.storageKey': [UPLOAD_KEY],
  'RegisterArtifactRequest.storageKey': [UPLOAD_KEY],
  storageKey: [OUTPUT_KEY],
  key: [UPLOAD_KEY],
  s3Key: [UPLOAD_KEY],
  url: [SIGNED_URL],
  uploadUrl: [SIGNED_URL],
  contentSha256: [DIGEST],
  sha256: [DIGEST],
  expiresIn: [3_600],
  logicalPath: [null],
  partSize: [16_777_216],
  partCount: [2],
  partNumber: [1],
  parts: [],
  etag: ['"5d41402abc4b2a76b9719d911017c592"'],
  'MultipartStatusResponse.complete': [false],
  'MultipartStatusResponse.size': [20_971_520],
  checksumAlgorithm: [null],
  headers: [{}],
};

const MOLECULES: Readonly<Record<string, readonly Json[]>> = {
  pdbId: ['1IEP'],
  query: ['imatinib'],
  resolutionToken: ['lig1.eyJhY2NvdW50IjoiMDE5OGExZTAifQ.Qm9ndXNTaWduYXR1cmVPZkFuRXhhbXBsZQ'],
  label: ['Imatinib'],
  sourceId: ['STI'],
  componentId: ['STI'],
  smiles: [SMILES],
  canonicalSmiles: [SMILES],
  smilesAtPh: [CHARGED_SMILES],
  formula: ['C29H31N7O'],
  formalCharge: [0],
  protonationPh: [7.4],
  chargeAtPh: [1],
  svg: ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240"></svg>'],
  bestAffinityKcalMol: [-11.4],
  docking: [null],
};

const SIMULATORS: Readonly<Record<string, readonly Json[]>> = {
  aliases: [[...about.aliases]],
  title: [about.title],
  version: [null],
  packDigest: [null],
  licence: [{ ...about.licence }],
  needsSceneFile: [request.needsSceneFile],
  parameters: [[...(request.reads ?? [])]],
};

const DOORS: Readonly<Record<string, readonly Json[]>> = {
  email: [ADDRESS],
  password: ['correct horse battery staple'],
  code: ['q3Jt0m7Yk2nXl0cKZkQx3b8mVxQ1a5Rw9Ue6Tz4Pd2s', '492039'],
  totp: ['492039'],
  secret: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  uri: ['otpauth://totp/Dockyard:ada%40example.org?issuer=Dockyard&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  enabled: [true],
  recoveryCodes: [['mfrg-gzdf-mztw-q2lk']],
  recoveryCodesLeft: [10],
  address: ['192.0.2.17'],
  userAgent: ['Mozilla/5.0'],
  ended: [2],
  endedSessions: [1],
  keys: [],
  'ApiKey.name': ['cluster'],
  'ApiKey.status': ['ACTIVE'],
  'CreateApiKeyRequest.name': ['cluster'],
  'IssuedApiKey.name': ['cluster'],
  'IssuedApiKey.key': ['svc_live_7Fq2…x9Tc'],
  'RotatedApiKey.name': ['cluster'],
  'RotatedApiKey.key': ['svc_live_7Fq2…x9Tc'],
  'MailSentResponse.message': ['If the address is known, a mail with a code is on its way.'],
  'InviteRequest.email': ['grace@example.org'],
  'InviteRequest.role': ['member'],
  'Invitation.email': ['grace@example.org'],
  'Invitation.role': ['member'],
  'JoinedAccount.email': ['grace@example.org'],
  'JoinedAccount.role': ['member'],
  'LeftMember.email': ['grace@example.org'],
  scopes: [['jobs:read', 'jobs:write']],
  prefix: ['svc_live_7Fq2'],
  last4: ['x9Tc'],
  monthlyLimitCents: [5_000],
  allowedCidrs: [['192.0.2.0/24']],
  overlapSeconds: [86_400],
  action: ['key.created'],
  subject: [SOME_ID],
  before: [null],
  after: [{ name: 'cluster', environment: 'live' }],
};

/** Values of fields of these formats whose names say nothing. */
export const BY_FORMAT: Readonly<Record<string, Json>> = { uuid: SOME_ID, 'date-time': SUBMITTED };

/** The values of fields by their names; of several values, the first that the schema of the field allows. */
export const VALUES: Readonly<Record<string, readonly Json[]>> = {
  ...IDS,
  ...TIMES,
  ...JOBS,
  ...MONEY,
  ...FILES,
  ...MOLECULES,
  ...SIMULATORS,
  ...DOORS,
};
