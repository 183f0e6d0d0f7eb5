import proto from '@temporalio/proto';
import { expect } from 'chai';

import { createPassageSpans } from '../../../src/gateway/pass-through/passage-spans.ts';
import { NO_SPAN, NO_TRACING } from '../../../src/tracing/tracing.ts';
import type { SpanStart, Tracing } from '../../../src/tracing/tracing.ts';

const W = proto.temporal.api.workflowservice.v1;
const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const CLAIMS = { jobId: 'J', slot: 1, generation: 2, expiresAt: 0 };
const FACTS = { jobId: 'J', slot: 1, generation: 2 };

const taskOf = (token: string, header?: string): Uint8Array =>
  W.PollActivityTaskQueueResponse.encode({
    taskToken: Buffer.from(token),
    ...(header === undefined ? {} : { header: { fields: { traceparent: { data: Buffer.from(header) } } } }),
  }).finish();
const answerTo = (token: string): Uint8Array =>
  W.RespondActivityTaskCompletedRequest.encode({ taskToken: Buffer.from(token) }).finish();
const DONE = new Uint8Array([1]);

describe('the spans of passages', () => {
  let spans: SpanStart[];
  const tracing: Tracing = {
    ...NO_TRACING,
    isOn: true,
    inSpan: (start, work) => {
      spans.push(start);
      return work(NO_SPAN);
    },
  };
  beforeEach(() => void (spans = []));

  it('are those of a task that is given out and of its answer, below what sent the task', async () => {
    const passages = createPassageSpans(tracing);
    const sealed = taskOf('sealed', JSON.stringify(TRACE));
    const given = await passages.given(CLAIMS, taskOf('bare', JSON.stringify(TRACE)), async () => sealed);
    expect(given).to.equal(sealed);
    const answer = (token: string) =>
      passages.answered(CLAIMS, 'RespondActivityTaskCompleted', answerTo(token), async () => DONE);
    expect(await answer('sealed')).to.equal(DONE);
    const start = { kind: 'server', parent: TRACE, facts: FACTS } as const;
    expect(spans).to.deep.equal([
      { name: 'PollActivityTaskQueue', ...start },
      { name: 'RespondActivityTaskCompleted', ...start },
    ]);
    for (const token of ['bare', 'sealed', '']) await answer(token);
    expect(spans, 'of another token, or of an answer that was told').to.have.length(2);
  });

  it('are none without a task, without a trace, with a header that is none, and where tracing is off', async () => {
    for (const response of [new Uint8Array(), taskOf('t'), taskOf('t', '{'), taskOf('t', '7')])
      expect(await createPassageSpans(tracing).given(CLAIMS, response, async () => DONE)).to.equal(DONE);
    const off = createPassageSpans({ ...tracing, isOn: false });
    await off.given(CLAIMS, taskOf('t', JSON.stringify(TRACE)), async () => DONE);
    expect(spans).to.deep.equal([]);
  });
});
