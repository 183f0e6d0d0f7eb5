/** The rows of licence servers as people see them. */
import type { LicenseServer } from '../../../entities/settings.ts';
import { OUTBOUND_PROTOCOLS } from '../../domain/outbound.ts';
import type { OutboundProtocol } from '../../domain/outbound.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes, Row } from '../row.ts';
import type { Answers } from '../../domain/answers.ts';

type LicenseServerRecord = Answers['getLicenseServer'];

/** A row of `LICENSE_SERVER`. */
export interface LicenseServerRow
  extends
    Row<
      LicenseServer,
      'id' | 'name' | 'software' | 'protocol' | 'host' | 'port' | 'secretKeyId' | 'sealedSecret' | 'createdBy'
    >,
    ExactTimes<LicenseServer, 'createdAt' | 'updatedAt'> {}

/** SQL of the columns of a licence server `s` that make its record, with its sealed secret. */
export const LICENSE_SERVER = `s.id, s.name, s.software, s.protocol, s.host, s.port, s.secret_key_id, s.sealed_secret,
  s.created_by, ${exactTime('s.created_at')} as created_at, ${exactTime('s.updated_at')} as updated_at`;

/** The record of a row. */
export function presentLicenseServer(row: LicenseServerRow): LicenseServerRecord {
  return {
    id: row.id,
    name: row.name,
    software: row.software,
    protocol: protocolOf(row.protocol),
    host: row.host,
    port: row.port,
    hasSecret: row.sealed_secret !== null,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function protocolOf(text: string): OutboundProtocol {
  const known = OUTBOUND_PROTOCOLS.find((protocol) => protocol === text);
  if (known === undefined) throw new Error(`A licence server has the protocol ${text}`);
  return known;
}
