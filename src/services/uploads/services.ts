/** Uploads, as the API calls them. */
import { bound } from '../bound.ts';
import { createUploadEndings } from './complete.ts';
import type { UploadEndings } from './complete.ts';
import { initUpload } from './init.ts';
import type { MultipartDependencies } from './init.ts';
import { partUrls } from './part-urls.ts';
import { createUploadUrl, renewUploadUrl } from './single.ts';
import { removeFile, uploadUsage } from './remove-file.ts';
import { listUploads, uploadStatus } from './status.ts';

/** Makes the operations on uploads. */
export function createUploads(deps: MultipartDependencies) {
  const of = bound(deps);
  const endings = createUploadEndings(deps);
  return {
    createUploadUrl: of(createUploadUrl),
    renewUploadUrl: of(renewUploadUrl),
    init: of(initUpload),
    list: of(listUploads),
    status: bound({ ...deps, endLost: endings.endLost })(uploadStatus),
    usage: of(uploadUsage),
    removeFile: of(removeFile),
    partUrls: of(partUrls),
    complete: (...sent: Parameters<UploadEndings['complete']>) => endings.complete(...sent),
    abort: (...sent: Parameters<UploadEndings['abort']>) => endings.abort(...sent),
  };
}
