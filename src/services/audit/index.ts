/** The audit log: who changed what. */
export { listAudit } from './list.ts';
export { authorOf, operator, PAYMENT_PROVIDER, recordChange, SOME_OPERATOR, visitor } from './record.ts';
export type { Author, Change } from './record.ts';
