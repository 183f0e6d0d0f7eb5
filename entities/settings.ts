/** Settings of accounts, made by customers. */
import { EntitySchema } from 'typeorm';

import { bytes, integer, nullable, primary, text, time, uuid, writeTime } from './columns.ts';

/** A licence server of a customer; a removed one keeps its row without its secret. */
export interface LicenseServer {
  id: string;
  accountId: string;
  name: string;
  software: string;
  protocol: string;
  host: string;
  port: number;
  /** The id of the key that has sealed the secret; null without a secret. */
  secretKeyId: string | null;
  sealedSecret: Buffer | null;
  /** A keyed digest of the request that made the row. */
  requestMac: string;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  removedAt: Date | null;
}

/** Table `license_servers`. */
export const LicenseServerEntity = new EntitySchema<LicenseServer>({
  name: 'LicenseServer',
  tableName: 'license_servers',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    name: text,
    software: text,
    protocol: text,
    host: text,
    port: integer,
    secretKeyId: nullable(text),
    sealedSecret: nullable(bytes),
    requestMac: text,
    createdBy: uuid,
    createdAt: writeTime,
    updatedAt: writeTime,
    removedAt: nullable(time),
  },
});
