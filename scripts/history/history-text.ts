/** Texts of a history, payloads decoded. */
import type { RecordedHistory } from './files.ts';

/** All text of the histories: events as JSON, payloads as what they encode. */
export function textOf(histories: readonly Pick<RecordedHistory, 'history'>[]): string {
  return histories
    .map(({ history }) => JSON.stringify(history, decoded))
    .join('\n')
    .replaceAll('\\"', '"');
}

/** Whether the histories say something anywhere. */
export function holdsText(histories: readonly Pick<RecordedHistory, 'history'>[], text: string): boolean {
  return textOf(histories).includes(text);
}

function decoded(key: string, value: unknown): unknown {
  return key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : value;
}
