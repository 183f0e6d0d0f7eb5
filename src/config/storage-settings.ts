/** The settings of the object store: which one, where, as whom, how it encrypts, and how much an account may store. */
import Joi from 'joi';

import { CONTROL_SIDE, choice, flag, number, text } from './setting.ts';

/** Settings of the object store, by their names in code. */
export const STORAGE_SETTINGS = {
  storageProvider: choice(
    ['s3', 'azure'],
    's3',
    'DOCKYARD_STORAGE_PROVIDER',
    CONTROL_SIDE,
    'Kind of the object store: s3 (AWS and all that speak its protocol) or azure (Blob Storage).',
  ),
  storageEndpoint: text(
    Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .required(),
    'DOCKYARD_STORAGE_ENDPOINT',
    CONTROL_SIDE,
    'S3 endpoint, or blob service of the Azure account (https://ACCOUNT.blob.core.windows.net); also the host in presigned URLs.',
  ),
  storageRegion: text(
    Joi.string().default('us-east-1'),
    'DOCKYARD_STORAGE_REGION',
    CONTROL_SIDE,
    'S3 region.',
  ),
  storageBucket: text(
    Joi.string().min(3).default('dockyard'),
    'DOCKYARD_STORAGE_BUCKET',
    CONTROL_SIDE,
    'S3 bucket; it must exist.',
  ),
  storageAccessKeyId: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_STORAGE_ACCESS_KEY_ID',
    CONTROL_SIDE,
    "S3 access key id; empty: the machine's own identity (AWS environment, profile, web identity, instance role).",
  ),
  storageSecretAccessKey: text(
    Joi.string()
      .allow('')
      .default('')
      .when('storageAccessKeyId', { is: Joi.string().required(), then: Joi.required(), otherwise: '' }),
    'DOCKYARD_STORAGE_SECRET_ACCESS_KEY',
    CONTROL_SIDE,
    'S3 secret access key; goes with the access key id.',
  ),
  storageSessionToken: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_STORAGE_SESSION_TOKEN',
    CONTROL_SIDE,
    'S3 session token of temporary keys.',
  ),
  storagePathStyle: flag(
    Joi.boolean().default(true),
    'DOCKYARD_STORAGE_PATH_STYLE',
    CONTROL_SIDE,
    'Path-style S3 addresses (endpoint/bucket/key); false: bucket.endpoint/key.',
  ),
  storageEncryption: choice(
    ['none', 'AES256', 'aws:kms'],
    'none',
    'DOCKYARD_STORAGE_ENCRYPTION',
    CONTROL_SIDE,
    'Encryption at rest that every write to S3 asks for; none: what the bucket does by itself.',
  ),
  storageKmsKeyId: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_STORAGE_KMS_KEY_ID',
    CONTROL_SIDE,
    'KMS key for aws:kms; empty: the default key of the account.',
  ),
  storageAccount: text(
    Joi.string().allow('').default('').when('storageProvider', { is: 'azure', then: Joi.required() }),
    'DOCKYARD_STORAGE_ACCOUNT',
    CONTROL_SIDE,
    'Azure storage account; required with the provider azure.',
  ),
  storageAccountKey: text(
    Joi.string()
      .base64()
      .allow('')
      .default('')
      .when('storageProvider', { is: 'azure', then: Joi.required() }),
    'DOCKYARD_STORAGE_ACCOUNT_KEY',
    CONTROL_SIDE,
    'Key of the Azure storage account; required with the provider azure.',
  ),
  storageContainer: text(
    Joi.string().min(3).default('dockyard'),
    'DOCKYARD_STORAGE_CONTAINER',
    CONTROL_SIDE,
    'Azure container; it must exist.',
  ),
  storageCaFile: text(
    Joi.string().allow('').default(''),
    'DOCKYARD_STORAGE_CA_FILE',
    CONTROL_SIDE,
    'PEM file of certificate authorities that the object store is believed with, besides the known ones.',
  ),
  storageQuotaBytes: number(
    Joi.number().integer().positive().default(107374182400),
    'DOCKYARD_STORAGE_QUOTA_BYTES',
    ['api'],
    'Bytes an account on the free plan may store.',
  ),
  storageQuotaProBytes: number(
    Joi.number().integer().positive().default(1099511627776),
    'DOCKYARD_STORAGE_QUOTA_PRO_BYTES',
    ['api'],
    'Bytes an account on the pro plan may store.',
  ),
};
