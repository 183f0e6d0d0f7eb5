/** Pages of this service that a page of the provider leads back to. */
import { AppError } from '../../domain/errors.ts';

/** An address of our own pages. @throws VALIDATION_ERROR for an address of another site. */
export function pageOfOurs(publicUrl: string, field: string, address: string): string {
  const url = URL.parse(address, publicUrl);
  if (url !== null && url.origin === new URL(publicUrl).origin) return url.href;
  throw new AppError(
    'VALIDATION_ERROR',
    `${field}: must be an address of ${new URL(publicUrl).origin}. Leave it out for a page of the service.`,
  );
}
