/**
 * How an instance writes failures. From the first sealed shard on, message and stack of a failure are a payload, which is sealed
 * like any other. The worker of the SDK loads this converter by its path.
 */
import { fileURLToPath } from 'node:url';

import { DefaultFailureConverter } from '@temporalio/common';

/** The converter; the SDK asks for this name. */
export const failureConverter = new DefaultFailureConverter();

/** Where this file is. */
export const FAILURE_CONVERTER = fileURLToPath(import.meta.url);
