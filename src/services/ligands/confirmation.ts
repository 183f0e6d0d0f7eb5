/**
 * Confirmations of resolved ligands. A confirmation is a token that says which account sent which query, and which
 * structure was answered. A token is valid for a day. A confirmation that is sent with a ligand is checked before
 * anything is priced or held, so that a ligand with a confirmation is the ligand that was shown.
 */
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { LigandIdentity, NamedSource, SimulationParams } from '../../domain/requests.ts';
import { DOCKING_REFUSALS } from '../../tools/autodock-vina/codes.ts';
import { createSigner } from '../signed-claims.ts';
import type { Signer, TokenKind } from '../signed-claims.ts';

/** The version stands in prefix and purpose: a token of other claims gets others. */
const RESOLUTION_TOKEN: TokenKind = {
  prefix: 'dkr1',
  purpose: 'dockyard/ligand-resolution/v1',
  longest: 8192,
};
const LIFE_SECONDS = 24 * 60 * 60;
/** After this many ligands of a library the event loop serves other requests. */
const AT_ONCE = 500;

const NOT_GENUINE = 'the token is not genuine: it was changed, or was not made by this service';

interface Claims {
  readonly account: string;
  readonly kind: NamedSource['kind'];
  /** The component, or the digest of the canonical SMILES. */
  readonly sourceId: string;
  readonly querySha256: string;
  /** The SMILES itself, for whoever sends the token in place of a ligand; absent for components. */
  readonly smiles?: string;
  /** Seconds of the epoch. */
  readonly expiresAt: number;
}

/** Meaning of a query that a token confirms. */
export interface Resolution {
  readonly query: string;
  readonly source: NamedSource;
}

/** Makes and checks confirmations. */
export interface Confirmations {
  sign(actor: Pick<Actor, 'accountId'>, resolution: Resolution): string;
  /**
   * `path` is where the one ligand stands in the request, where that is not in simulation parameters.
   * @throws LIGAND_CONFIRMATION_INVALID, with the first ligand whose confirmation is not good and why.
   */
  check(actor: Pick<Actor, 'accountId'>, params: SimulationParams | undefined, path?: string): Promise<void>;
  /** The ligand that a token has shown; `path` is where the token stands. @throws LIGAND_CONFIRMATION_INVALID. */
  open(actor: Pick<Actor, 'accountId'>, token: string, path: string): NamedSource;
}

/** The id of a resolved ligand in its source. */
export function sourceIdOf(source: NamedSource): string {
  return source.kind === 'ccd' ? source.componentId.toUpperCase() : sha256(source.smiles);
}

/**
 * Makes the confirmations of an installation. Tokens that one of the further secrets has signed are good too; `now` tells
 * milliseconds of the epoch.
 */
export function createConfirmations(
  secretHex: string,
  now: () => number = Date.now,
  furtherSecrets: readonly string[] = [],
): Confirmations {
  const signer = createSigner(secretHex, RESOLUTION_TOKEN, furtherSecrets);
  return {
    sign({ accountId }, { query, source }) {
      const claims: Claims = {
        account: accountId,
        kind: source.kind,
        sourceId: sourceIdOf(source),
        querySha256: sha256(query),
        ...(source.kind === 'smiles' ? { smiles: source.smiles } : {}),
        expiresAt: Math.floor(now() / 1000) + LIFE_SECONDS,
      };
      return signer.sign(claims);
    },
    open({ accountId }, token, path) {
      const claims = signer.read(token);
      const fault = faultOfToken(claims, accountId, now() / 1000);
      if (fault !== null || !isClaims(claims)) throw badToken(path, fault ?? NOT_GENUINE);
      if (claims.kind === 'ccd') return { kind: 'ccd', componentId: claims.sourceId };
      if (claims.smiles === undefined) throw badToken(path, NOT_GENUINE);
      return { kind: 'smiles', smiles: claims.smiles };
    },
    async check({ accountId }, params, place) {
      let checked = 0;
      for (const [named, ligand] of ligandsOf(params)) {
        const path = place ?? named;
        if (ligand.confirmation === undefined) continue;
        const fault = faultOf(signer, accountId, ligand, now() / 1000);
        if (fault !== null) throw refusal(path, fault);
        checked += 1;
        if (checked % AT_ONCE === 0) await nextTurn();
      }
    },
  };
}

function* ligandsOf(
  params: SimulationParams | undefined,
): Generator<readonly [path: string, ligand: LigandIdentity]> {
  if (params?.ligandIdentity !== undefined) yield ['simulationParams.ligandIdentity', params.ligandIdentity];
  for (const [index, ligand] of (params?.ligandLibrary ?? []).entries())
    yield [`simulationParams.ligandLibrary.${index}`, ligand];
}

/** Why a confirmation is not valid; null when it is valid. */
function faultOf(
  signer: Signer,
  accountId: string,
  { confirmation, source }: LigandIdentity,
  nowSeconds: number,
): string | null {
  if (confirmation === undefined) return null;
  const claims = signer.read(confirmation.token);
  const fault = faultOfToken(claims, accountId, nowSeconds);
  if (fault !== null || !isClaims(claims)) return fault ?? NOT_GENUINE;
  if (claims.querySha256 !== sha256(confirmation.query))
    return 'the token was made for another query than the one beside it';
  if (claims.sourceId !== confirmation.sourceId)
    return 'the token was made for another sourceId than the one beside it';
  return isResolved(claims, confirmation.query, source)
    ? null
    : `the token was made for another ligand (${claims.kind === 'ccd' ? `component ${claims.sourceId}` : 'another SMILES'}) than source names`;
}

/** Why a token is not good for this account at this time; null when it is good. */
function faultOfToken(claims: unknown, accountId: string, nowSeconds: number): string | null {
  if (!isClaims(claims)) return NOT_GENUINE;
  if (claims.account !== accountId) return 'the token was made for another account';
  if (claims.expiresAt > nowSeconds) return null;
  return `the token expired at ${new Date(claims.expiresAt * 1000).toISOString()}`;
}

function badToken(path: string, fault: string): AppError {
  return new AppError(
    DOCKING_REFUSALS.LIGAND_CONFIRMATION_INVALID,
    `${path}: ${fault}. Resolve the ligand again and send the token that is answered.`,
  );
}

/** Whether a source is the resolved one: the source as it was answered, or the SMILES that was the query. */
function isResolved(claims: Claims, query: string, source: LigandIdentity['source']): boolean {
  if (source.kind === 'artifact' || source.kind !== claims.kind) return false;
  if (sourceIdOf(source) === claims.sourceId) return true;
  return source.kind === 'smiles' && source.smiles.trim() === query.trim();
}

function refusal(path: string, fault: string): AppError {
  return new AppError(
    DOCKING_REFUSALS.LIGAND_CONFIRMATION_INVALID,
    `${path}.confirmation: ${fault}. Resolve the ligand again and send source and confirmation as they are answered, or leave the confirmation out.`,
  );
}

function isClaims(value: unknown): value is Claims {
  if (typeof value !== 'object' || value === null) return false;
  const texts = ['account', 'kind', 'sourceId', 'querySha256'].every(
    (name) => typeof Reflect.get(value, name) === 'string',
  );
  return texts && Number.isInteger(Reflect.get(value, 'expiresAt'));
}

function sha256(text: string): string {
  return hash('sha256', text);
}
