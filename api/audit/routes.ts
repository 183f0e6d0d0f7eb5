/** The audit log. */
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { auditListAnswer, auditListQuery } from './schemas.ts';

const listAudit = defineEndpoint({
  method: 'GET',
  path: '/audit',
  operationId: 'listAuditLog',
  tag: TAGS.audit,
  summary: 'Read the audit log',
  description:
    'Who changed what of the account: keys, sign-ins, passwords, and what operators did. Each entry was written together with its change and is never changed or removed.',
  access: 'owner',
  limit: 'read',
  idempotency: 'none',
  query: auditListQuery,
  answers: { 200: { description: 'A page of changes.', schema: auditListAnswer } },
  errors: [],
  async handle({ audit }, { actor, query }) {
    return json(200, await audit.list(actor, query));
  },
});

/** Endpoints of the audit log. */
export const auditEndpoints: readonly Endpoint[] = [listAudit];
