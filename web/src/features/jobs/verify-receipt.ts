/** Proves a receipt in the browser: Ed25519 over the canonical JSON of RFC 8785, then figures and digests against the service's own answers. */
import type { AnswerOf } from 'dockyard-client/browser';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { money, number } from '../../ui/format.ts';
import { allOutputs } from './fetch-outputs.ts';

type Signed = AnswerOf<'get', '/jobs/{jobId}/receipt'>;

/** One thing that was compared. */
export interface Finding {
  readonly what: string;
  readonly isRight: boolean;
  readonly detail: string;
}

/** Canonical JSON: members in the order of their UTF-16, numbers and texts as ECMAScript writes them. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`);
  return `{${members.join(',')}}`;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

async function signatureOf({ receipt, signature }: Signed): Promise<Finding> {
  const what = m.receipt_signature();
  const { keys } = await api.get('/receipt-keys', {});
  const key = keys.find(({ kid }) => kid === signature.keyId);
  if (key === undefined) return { what, isRight: false, detail: m.receipt_no_key({ key: signature.keyId }) };
  const { kty, crv, x } = key;
  const imported = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
  const signed = new TextEncoder().encode(canonical(receipt));
  const isRight = await crypto.subtle.verify('Ed25519', imported, bytesOf(signature.value), signed);
  return { what, isRight, detail: m.receipt_key({ key: key.kid }) };
}

async function moneyOf({ receipt }: Signed, jobId: string): Promise<Finding> {
  const { executions } = await api.get('/jobs/{jobId}/bill', { path: { jobId } });
  const bill = executions.find(({ execution }) => execution === receipt.execution);
  const { heldCents, chargedCents, releasedCents } = receipt.price;
  const isRight =
    bill?.heldCents === heldCents &&
    bill.chargedCents === chargedCents &&
    bill.releasedCents === releasedCents;
  const detail = m.receipt_money_detail({
    charged: money(chargedCents),
    held: money(heldCents),
    back: money(releasedCents),
  });
  return { what: m.receipt_money(), isRight, detail };
}

async function outputsOf({ receipt }: Signed, jobId: string): Promise<Finding> {
  const listed = new Map<string, string>();
  for await (const { artifactId, sha256 } of allOutputs(jobId)) listed.set(artifactId, sha256);
  const wrong = receipt.outputs.filter(({ artifactId, sha256 }) => listed.get(artifactId) !== sha256);
  const detail =
    wrong.length === 0
      ? m.receipt_outputs_detail({ n: number(receipt.outputs.length) })
      : wrong.map(({ name }) => name).join(', ');
  return { what: m.receipt_outputs(), isRight: wrong.length === 0, detail };
}

/** Reads the receipt of the last settled execution, and compares. */
export async function readReceipt(
  jobId: string,
): Promise<{ readonly text: string; readonly findings: readonly Finding[] }> {
  const signed = await api.get('/jobs/{jobId}/receipt', { path: { jobId } });
  const findings = await Promise.all([signatureOf(signed), moneyOf(signed, jobId), outputsOf(signed, jobId)]);
  return { text: JSON.stringify(signed, null, 2), findings };
}
