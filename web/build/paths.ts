/** Places of the web app. */
import { join } from 'node:path';

/** The folder of the web app. */
export const web = join(import.meta.dirname, '..');
/** The folder of the built app, which the API process serves. */
export const dist = join(web, 'dist');
