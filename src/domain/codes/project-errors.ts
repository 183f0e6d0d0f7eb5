/** Refusals of changes and shares of molecular projects, and of conversions. */
import { final, passing } from './code.ts';

/** The codes of projects, a part of the service's table. */
export const PROJECT_ERRORS = {
  VERSION_CONFLICT: final(
    409,
    'The resource has moved on to currentVersion.',
    'Read the resource again, then decide which of your changes to keep.',
  ),
  SCENE_INVALID: final(
    422,
    'The scene of a content is no MolViewSpec scene that can be kept: the message names every part that is wrong.',
    'Mend the parts that are named; nothing was saved.',
  ),
  SCENE_SOURCE_REFUSED: final(
    422,
    'The scene names data from elsewhere, which may be gone or changed tomorrow.',
    'Import the data as the message says, name it by its address here, and save again.',
  ),
  CONTENT_HOLDS_SECRET: final(
    422,
    'The content holds an API key or a signed address, which everybody who reads the revision could use.',
    'Take it out, name the artifact instead, and rotate a key that has left its place.',
  ),
  SOURCE_LOST: final(
    410,
    'The file of an artifact is not stored any more, though its record is.',
    'Open the rest of the scene without it, or upload the file as a new one and name that in its place.',
  ),
  SOURCE_TOO_LARGE: final(
    422,
    'The artifact is larger than the 64 MiB that a scene opens.',
    'Download it by its download address, and choose fewer models or chains for the scene.',
  ),
  STRUCTURE_UNREADABLE: final(
    422,
    'The file is no structure that can be read, in pdb or mmcif.',
    'Open the file elsewhere and save it anew as pdb or mmcif, then upload it again.',
  ),
  EXPORT_NOT_PUBLIC: final(
    422,
    'The scene shows data that nobody outside of the account may read, so a scene file alone would open empty.',
    'Export it as .mvsx (format=mvsx), which carries its data, or share a revision that names the data and export again.',
  ),
  SCENE_MISSING: final(
    422,
    'The content of the revision has no scene, so there is nothing that a viewer would open.',
    'Save a revision whose content has a member scene, and export that one.',
  ),
  SHARE_REVOKED: final(
    410,
    'The share was revoked, or its project was deleted.',
    'Ask whoever gave you the link for a new one.',
  ),
  CONVERSION_LIMIT: passing(
    429,
    'As many files of this account are being converted as may be at once.',
    'Wait as many seconds as Retry-After says, and repeat the request.',
  ),
  CONVERSION_FAILED: final(
    422,
    'The file could not be converted; the error says why.',
    'Convert a smaller file, or report the failure with the id of the request.',
  ),
};
