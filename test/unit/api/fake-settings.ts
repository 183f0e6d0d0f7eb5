/** Services of settings whose answers are made up; the real services are tested in test/api. */
import type { Services } from '../../../api/services.ts';
import { AT, JOB_ID } from './fake-people.ts';
import type { Answers } from '../../../src/domain/answers.ts';

type LicenseServerRecord = Answers['getLicenseServer'];

const licenseServer: LicenseServerRecord = {
  ...{ id: JOB_ID, name: 'n', software: 's', protocol: 'tcp', host: 'h', port: 5053 },
  ...{ hasSecret: true, createdBy: JOB_ID, createdAt: AT, updatedAt: AT },
};

/** Licence servers of which there is one, whatever is asked. */
export const fakeLicenseServers: Services['licenseServers'] = {
  list: async () => ({ licenseServers: [licenseServer] }),
  add: async () => licenseServer,
  read: async () => licenseServer,
  change: async () => licenseServer,
  remove: async () => undefined,
  test: async () => ({ ok: false, code: 'ADDRESS_REFUSED' }),
};
