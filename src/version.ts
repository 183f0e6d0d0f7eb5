/** The version of this checkout. */
import manifest from '../package.json' with { type: 'json' };

/** The version in package.json. */
export const VERSION = manifest.version;
