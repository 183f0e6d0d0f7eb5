/** Molecular projects: heads, revisions, contents and shares. */
import { EntitySchema } from 'typeorm';

import { bytes, integer, nullable, primary, text, time, uuid, writeTime } from './columns.ts';

/** A project with its head. */
export interface MolecularProject {
  id: string;
  accountId: string;
  name: string;
  description: string;
  /** The version of the newest revision. */
  currentVersion: number;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

/** Table `molecular_projects`. */
export const MolecularProjectEntity = new EntitySchema<MolecularProject>({
  name: 'MolecularProject',
  tableName: 'molecular_projects',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    name: text,
    description: text,
    currentVersion: integer,
    createdAt: writeTime,
    updatedAt: writeTime,
    deletedAt: nullable(time),
  },
});

/** The bytes of a content, once for each account and digest. */
export interface MolecularContent {
  accountId: string;
  sha256: string;
  /** The canonical JSON (RFC 8785) in UTF-8. */
  bytes: Buffer;
}

/** Table `molecular_contents`. */
export const MolecularContentEntity = new EntitySchema<MolecularContent>({
  name: 'MolecularContent',
  tableName: 'molecular_contents',
  columns: { accountId: primary(uuid), sha256: primary(text), bytes },
});

/** Data that the scene of a content names. */
export interface MolecularSource {
  accountId: string;
  contentSha256: string;
  /** The address in the scene. */
  address: string;
  /** The artifact; null for an entry of the archive. */
  artifactId: string | null;
}

/** Table `molecular_sources`. */
export const MolecularSourceEntity = new EntitySchema<MolecularSource>({
  name: 'MolecularSource',
  tableName: 'molecular_sources',
  columns: {
    accountId: primary(uuid),
    contentSha256: primary(text),
    address: primary(text),
    artifactId: nullable(uuid),
  },
});

/** A revision, which never changes. */
export interface MolecularRevision {
  projectId: string;
  version: number;
  accountId: string;
  contentSha256: string;
  byteSize: number;
  message: string;
  /** The revision whose content this one has again; null where the content was sent. */
  sourceVersion: number | null;
  createdAt: Date;
}

/** Table `molecular_revisions`. */
export const MolecularRevisionEntity = new EntitySchema<MolecularRevision>({
  name: 'MolecularRevision',
  tableName: 'molecular_revisions',
  columns: {
    projectId: primary(uuid),
    version: primary(integer),
    accountId: uuid,
    contentSha256: text,
    byteSize: integer,
    message: text,
    sourceVersion: nullable(integer),
    createdAt: writeTime,
  },
});

/** The receipt of a revision, which is signed after the revision was saved. */
export interface MolecularReceipt {
  projectId: string;
  version: number;
  /** The canonical JSON that was signed; null until then, as are key and signature. */
  document: string | null;
  keyId: string | null;
  /** Base64url. */
  signature: string | null;
  dueAt: Date;
}

/** Table `molecular_receipts`. */
export const MolecularReceiptEntity = new EntitySchema<MolecularReceipt>({
  name: 'MolecularReceipt',
  tableName: 'molecular_receipts',
  columns: {
    projectId: primary(uuid),
    version: primary(integer),
    document: nullable(text),
    keyId: nullable(text),
    signature: nullable(text),
    dueAt: writeTime,
  },
});

/** A capability to read one revision without an account. */
export interface MolecularShare {
  id: string;
  projectId: string;
  version: number;
  tokenSha256: Buffer;
  /** The token, sealed under a key of the installation. */
  sealedToken: string;
  createdAt: Date;
  revokedAt: Date | null;
}

/** Table `molecular_shares`. */
export const MolecularShareEntity = new EntitySchema<MolecularShare>({
  name: 'MolecularShare',
  tableName: 'molecular_shares',
  columns: {
    id: primary(uuid),
    projectId: uuid,
    version: integer,
    tokenSha256: bytes,
    sealedToken: text,
    createdAt: writeTime,
    revokedAt: nullable(time),
  },
});
