/**
 * Converter that writes failures where payloads are sealed: message and stack are a payload, which the codec seals, and the text
 * that Temporal sees is always the same. Workers and the bundle of workflows load this converter by its path. Failures are read
 * in the same way with and without it.
 */
import { DefaultFailureConverter } from '@temporalio/common';

/** The converter; the SDK asks for this name. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
