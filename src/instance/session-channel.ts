/**
 * The worker's end of the session protocol. Text of a tool is data that may be wrong: lines are bounded, each message is
 * checked, and a line that is no message of the protocol ends the session.
 */
import type { Readable, Writable } from 'node:stream';

import { CHECKPOINT_FILES } from '../contracts/reports.ts';
import { isRecord } from '../domain/is-record.ts';
import type { SessionMessage, SessionRequest } from '../tools/session-protocol.ts';

const LONGEST_LINE_BYTES = 4 * 1024 * 1024;
const MOST_OUTPUTS = 10_000;

/** Reactions of the session to lines that the channel has read. */
export interface ChannelEvents {
  readonly onMessage: (message: SessionMessage) => void;
  /** Called once, when the tool has sent a line that is no message of the protocol. */
  readonly onViolation: (reason: string) => void;
}

/** Sends a request to the session. An error of the pipe shows in the exit of the tool's process. */
export function sendRequest(stream: Writable, request: SessionRequest): void {
  stream.write(`${JSON.stringify(request)}\n`);
}

/** Reads messages from a session's pipe. */
export function readMessages(stream: Readable, events: ChannelEvents): void {
  let rest: Buffer = Buffer.alloc(0);
  let isBroken = false;
  const violate = (reason: string): void => {
    isBroken = true;
    rest = Buffer.alloc(0);
    events.onViolation(reason);
  };
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    if (isBroken) return;
    rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const message = parseMessage(rest.subarray(0, end).toString('utf8'));
      rest = rest.subarray(end + 1);
      if (message === null) {
        violate('It sent a line that is no message of the session protocol.');
        return;
      }
      events.onMessage(message);
    }
    if (rest.byteLength > LONGEST_LINE_BYTES) violate('It sent a line that is too long.');
  });
}

function parseMessage(line: string): SessionMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    return isMessage(value) ? value : null;
  } catch {
    return null;
  }
}

function isMessage(value: unknown): value is SessionMessage {
  if (!isRecord(value)) return false;
  switch (value['type']) {
    case 'ready':
      return true;
    case 'working':
      return typeof value['id'] === 'string';
    case 'progress':
      return typeof value['id'] === 'string' && typeof value['percent'] === 'number';
    case 'checkpoint':
      return typeof value['id'] === 'string' && areNames(value['files']);
    case 'failed':
      return ['id', 'code', 'message'].every((name) => typeof value[name] === 'string');
    case 'done':
      return typeof value['id'] === 'string' && areOutputs(value['outputs']) && isSummary(value['summary']);
    default:
      return false;
  }
}

function areNames(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= CHECKPOINT_FILES &&
    value.every((name) => typeof name === 'string')
  );
}

function isSummary(value: unknown): boolean {
  return value === null || isRecord(value);
}

function areOutputs(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MOST_OUTPUTS && value.every(isOutput);
}

function isOutput(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const hasTexts = ['path', 'kind', 'mediaType'].every((name) => typeof value[name] === 'string');
  return hasTexts && (value['format'] === null || typeof value['format'] === 'string');
}
