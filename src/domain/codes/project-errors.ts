/** Refusals of changes and shares of molecular projects. */
import { final } from './code.ts';

/** The codes of projects, a part of the service's table. */
export const PROJECT_ERRORS = {
  VERSION_CONFLICT: final(
    409,
    'The resource has moved on to currentVersion.',
    'Read the resource again, then decide which of your changes to keep.',
  ),
  SHARE_REVOKED: final(
    410,
    'The share was revoked, or its project was deleted.',
    'Ask whoever gave you the link for a new one.',
  ),
};
