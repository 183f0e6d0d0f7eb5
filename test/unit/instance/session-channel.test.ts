import { PassThrough } from 'node:stream';

import { expect } from 'chai';

import { readMessages } from '../../../src/instance/session-channel.ts';
import type { SessionMessage } from '../../../src/tools/session-protocol.ts';

function channel() {
  const stream = new PassThrough();
  const messages: SessionMessage[] = [];
  const violations: string[] = [];
  readMessages(stream, {
    onMessage: (message) => messages.push(message),
    onViolation: (reason) => violations.push(reason),
  });
  return { stream, messages, violations };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('what a tool says', () => {
  it('is read line by line, however it arrives', async () => {
    const { stream, messages, violations } = channel();
    for (const byte of '{"type":"ready"}\n{"type":"progress","id":"t","percent":5}\n') stream.write(byte);
    await settled();
    expect(messages).to.deep.equal([{ type: 'ready' }, { type: 'progress', id: 't', percent: 5 }]);
    expect(violations).to.deep.equal([]);
  });

  const wrong = [
    'no json',
    '{}',
    '[]',
    'null',
    '{"type":"progress","id":1,"percent":5}',
    '{"type":"done","id":"t","outputs":[{"path":1}],"summary":null}',
    '{"type":"done","id":"t","outputs":{},"summary":null}',
    '{"type":"failed","id":"t","code":"X"}',
    '{"type":"launch"}',
  ];
  for (const line of wrong) {
    it(`is a violation, told once, when it is ${line}`, async () => {
      const { stream, messages, violations } = channel();
      stream.write(`${line}\n${line}\n{"type":"ready"}\n`);
      await settled();
      expect(messages).to.deep.equal([]);
      expect(violations).to.have.length(1);
    });
  }

  it('is a violation when a line has no end', async () => {
    const { stream, violations } = channel();
    for (let index = 0; index < 5; index += 1) stream.write(Buffer.alloc(2 ** 20, 'x'));
    await settled();
    expect(violations).to.have.length(1);
  });
});
