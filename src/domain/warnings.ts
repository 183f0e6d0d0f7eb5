/**
 * Warnings as an instance tells them. An instance may tell anything, so that entries which are no warnings are left out, and
 * messages are made readable and cut.
 */
import { isRecord } from './is-record.ts';

/** A warning: something that the customer should know and that fails nothing. */
export interface JobWarning {
  readonly code: string;
  readonly message: string;
}

const MESSAGE_CHARACTERS = 500;
const CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

/** Reads a list of warnings that an instance told; what is no list has none. */
export function toldWarnings(list: unknown): JobWarning[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [];
    const { code, message } = entry;
    if (typeof code !== 'string' || typeof message !== 'string' || !CODE.test(code)) return [];
    const readable = message.replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ').trim();
    return readable === '' ? [] : [{ code, message: readable.slice(0, MESSAGE_CHARACTERS).toWellFormed() }];
  });
}
