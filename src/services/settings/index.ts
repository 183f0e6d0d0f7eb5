/** Settings of accounts, made by customers. */
export { changeBillingSettings, createBillingSettings, readBillingSettings } from './billing.ts';
export {
  addLicenseServer,
  changeLicenseServer,
  createLicenseServers,
  listLicenseServers,
  readLicenseServer,
  removeLicenseServer,
  testLicenseServer,
} from './license-servers.ts';
export type { LicenseServerCommand, LicenseServerDependencies } from './license-servers.ts';
export { changeNotifications, createNotifications, readNotifications } from './notifications.ts';
export { rotateSettings } from './rotate.ts';
export type { Rotation } from './rotate.ts';
export { createSecretBox } from '../secret-box.ts';
export type { SecretBox } from '../secret-box.ts';
