/** What every announced file must satisfy, beyond what its schema says. */
import { AppError } from '../../domain/errors.ts';

/** @throws VALIDATION_ERROR for a media type that no header can carry. */
export function checkContentType(contentType: string): void {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(contentType)) {
    throw new AppError('VALIDATION_ERROR', 'contentType: must be a media type in printable ASCII.');
  }
}
