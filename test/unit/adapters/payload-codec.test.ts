/** Payloads and failures that are sealed before Temporal gets them: what is sealed opens, and nothing else does. */
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import {
  decodeOptionalFailureToOptionalError,
  encodeErrorToFailure,
  loadDataConverter,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import { expect } from 'chai';

import {
  createPayloadCodec,
  dataConverterOf,
  isSealed,
  jsonIn,
  openFailure,
  payloadIn,
  textOfPayload,
} from '../../../src/adapters/temporal/codec.ts';
import type { SealingCodec } from '../../../src/adapters/temporal/codec.ts';
import { TemporalSettingsError } from '../../../src/adapters/temporal/settings-error.ts';
import { createInstancePayloads } from '../../../src/services/execution/instances/payloads.ts';
import { createShardPayloads } from '../../../src/services/execution/instances/shard-payloads.ts';
import { AppError } from '../../../src/domain/errors.ts';

const FIRST = `first:${'ab'.repeat(32)}`;
const SECOND = `second:${'cd'.repeat(32)}`;
const codecOf = (temporalCodecKeys: string, temporalCodecKey: string): SealingCodec =>
  createPayloadCodec({ temporalCodecKeys, temporalCodecKey }) ?? expect.fail('There is no codec.');
const payloadOf = (value: unknown) => defaultPayloadConverter.toPayload(value);
const bytesOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Uint8Array ? Buffer.from(inner).toString('latin1') : inner,
  );
const failing = async (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('Nothing failed.'),
    (error: unknown) => error as Error,
  );

describe('the codec of payloads', () => {
  const secret = { smiles: 'Oc1ccc(Br)cc1', jobName: 'confidential' };

  it('seals so that nothing is read, differently each time, and opens what it has sealed', async () => {
    const codec = codecOf(FIRST, 'first');
    const [one, two] = await codec.encode([payloadOf(secret), payloadOf(secret)]);
    if (one === undefined || two === undefined) expect.fail('A payload is missing.');
    expect(bytesOf([one, two])).not.to.match(/Br|confidential|smiles|json/);
    expect(Buffer.from(one.data ?? []).equals(Buffer.from(two.data ?? []))).to.equal(false);
    expect([one, two].every(isSealed)).to.equal(true);
    const [opened] = await codec.decode([one]);
    expect(opened === undefined ? null : jsonIn(opened)).to.deep.equal(secret);
    expect(payloadIn(textOfPayload(payloadOf(secret))).data).to.deep.equal(payloadOf(secret).data);
  });

  it('takes what is not sealed as it is, so that histories from before go on', async () => {
    const plain = payloadOf(secret);
    expect(await codecOf(FIRST, 'first').decode([plain])).to.deep.equal([plain]);
  });

  it('opens with every key of the ring, seals with the one that is named, and with none where none is named', async () => {
    const [old] = await codecOf(FIRST, 'first').encode([payloadOf(1)]);
    const both = codecOf(`${FIRST},${SECOND}`, 'second');
    const [young] = await both.encode([payloadOf(2)]);
    if (old === undefined || young === undefined) expect.fail('A payload is missing.');
    expect((await both.decode([old, young])).map(jsonIn)).to.deep.equal([1, 2]);
    const unknown = await failing(codecOf(FIRST, 'first').decode([young]));
    expect(unknown.message).to.contain('second').and.to.contain('DOCKYARD_TEMPORAL_CODEC_KEYS');
    const reader = codecOf(FIRST, '');
    expect(reader.isSealing).to.equal(false);
    expect(await reader.encode([payloadOf(3)])).to.deep.equal([payloadOf(3)]);
    expect((await reader.decode([old])).map(jsonIn)).to.deep.equal([1]);
  });

  it('refuses bytes that were changed, cut or moved to another key id', async () => {
    const codec = codecOf(`${FIRST},twin:${'ab'.repeat(32)}`, 'first');
    const [sealed] = await codec.encode([payloadOf(secret)]);
    if (sealed === undefined) expect.fail('A payload is missing.');
    const data = Buffer.from(sealed.data ?? []);
    const flipped = Buffer.from(data);
    flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20);
    const twin = { ...sealed.metadata, 'encryption-key-id': Buffer.from('twin') };
    for (const changed of [
      { ...sealed, data: flipped },
      { ...sealed, data: data.subarray(0, 20) },
      { ...sealed, metadata: twin },
    ])
      expect(await failing(codec.decode([changed]))).to.be.an('error');
  });

  it('refuses a ring that cannot serve by the name of its setting, and is off without one', () => {
    expect(createPayloadCodec({ temporalCodecKeys: '', temporalCodecKey: '' })).to.equal(null);
    expect(() => codecOf(FIRST, 'third')).to.throw(TemporalSettingsError, /^DOCKYARD_TEMPORAL_CODEC_KEY: /);
    expect(() => codecOf('', 'first')).to.throw(TemporalSettingsError, /^DOCKYARD_TEMPORAL_CODEC_KEY: /);
    expect(() => codecOf(`${FIRST},${FIRST}`, 'first')).to.throw(
      TemporalSettingsError,
      /^DOCKYARD_TEMPORAL_CODEC_KEYS: /,
    );
  });

  it('seals the messages of failures and of their causes, and opens them for operators', async () => {
    const settings = { temporalCodecKeys: FIRST, temporalCodecKey: 'first' };
    const converter = loadDataConverter(dataConverterOf(settings));
    const cause = ApplicationFailure.create({ message: 'confidential cause', details: ['Oc1ccc(Br)cc1'] });
    const error = ApplicationFailure.create({ message: 'confidential failure', type: 'SOME_CODE', cause });
    const failure = await encodeErrorToFailure(converter, error);
    expect(bytesOf(failure)).not.to.match(/confidential|Br/);
    expect(failure.applicationFailureInfo?.type).to.equal('SOME_CODE');
    const opened = await openFailure(createPayloadCodec(settings), failure);
    expect([opened?.message, opened?.cause?.message]).to.deep.equal([
      'confidential failure',
      'confidential cause',
    ]);
    const read = await decodeOptionalFailureToOptionalError(converter, failure);
    expect(read).to.include({ message: 'confidential failure', type: 'SOME_CODE' });
  });
});

describe('the payloads of an instance', () => {
  const claims = { jobId: 'job-1', slot: 0, generation: 3, expiresAt: 0 };
  const shard = { jobId: 'job-1', execution: 1, slot: 0, generation: 3, kind: 'task', ordinals: [0, 1] };
  const codec = codecOf(FIRST, 'first');
  const door = createInstancePayloads(codec);
  const textsOf = async (...values: unknown[]): Promise<{ payloads: string[] }> => ({
    payloads: (await codec.encode(values.map(payloadOf))).map(textOfPayload),
  });

  it('are opened where they are shards of the instance, and refused where they are anything else', async () => {
    const { payloads } = await door.open(claims, await textsOf(shard));
    expect(payloads.map(payloadIn).map(jsonIn)).to.deep.equal([shard]);
    const others = [
      { ...shard, jobId: 'job-2' },
      { ...shard, slot: 1 },
      { ...shard, generation: 2 },
      { smiles: 'CCO' },
      'text',
    ];
    for (const other of others) {
      const refusal = await failing(textsOf(other).then((message) => door.open(claims, message)));
      expect(refusal, JSON.stringify(other))
        .to.be.instanceOf(AppError)
        .with.property('code', 'VALIDATION_ERROR');
    }
    const mixed = await textsOf(shard, { smiles: 'CCO' });
    expect(await failing(door.open(claims, mixed))).to.be.instanceOf(AppError);
    const torn = await failing(door.open(claims, { payloads: ['AAAA/w=='] }));
    expect(torn).to.be.an('error');
  });

  it('stay sealed where the gateway has no keys', async () => {
    const message = await textsOf(shard);
    expect((await failing(createInstancePayloads(null).open(claims, message))).message).to.contain(
      'DOCKYARD_TEMPORAL_CODEC_KEYS',
    );
  });
});

describe('the payloads that pass through the gateway', () => {
  const codec = codecOf(FIRST, 'first');
  const passing = createShardPayloads(codec);
  const failure = {
    ...{ message: 'confidential failure', stackTrace: 'at Oc1ccc(Br)cc1', source: 'TypeScriptSDK' },
    applicationFailureInfo: { type: 'SOME_CODE', details: { payloads: [payloadOf('Oc1ccc(Br)cc1')] } },
    cause: { message: 'confidential cause', applicationFailureInfo: {} },
  };

  it('are opened for instances and sealed for Temporal, each failure in the form that the control side reads', async () => {
    const [sealed] = await passing.seal([payloadOf(secretOf('result'))]);
    if (sealed === undefined) expect.fail('A payload is missing.');
    expect(bytesOf(sealed)).not.to.contain('confidential');
    expect((await passing.open([sealed])).map(jsonIn)).to.deep.equal([secretOf('result')]);
    const told = await passing.sealFailure(failure);
    expect(bytesOf(told)).not.to.match(/confidential|Br/);
    const converter = loadDataConverter(
      dataConverterOf({ temporalCodecKeys: FIRST, temporalCodecKey: 'first' }),
    );
    const read = await decodeOptionalFailureToOptionalError(converter, told);
    expect(read).to.include({ message: 'confidential failure', type: 'SOME_CODE' });
    expect((read as ApplicationFailure).details).to.deep.equal(['Oc1ccc(Br)cc1']);
    expect((read?.cause as Error).message).to.equal('confidential cause');
  });

  it('stay as they are where no codec is, and where a heartbeat tells its counts', async () => {
    const plain = createShardPayloads(null);
    const beat = payloadOf({ ended: 3, of: 250 });
    expect(await plain.open([beat])).to.deep.equal([beat]);
    expect(await plain.seal([beat])).to.deep.equal([beat]);
    expect(passing.check([beat])).to.deep.equal([beat]);
    expect(await plain.sealFailure(failure)).to.deep.include({ message: 'confidential failure' });
    const [sealed] = await codec.encode([beat]);
    if (sealed === undefined) expect.fail('A payload is missing.');
    expect((await failing(plain.open([sealed]))).message).to.contain('DOCKYARD_TEMPORAL_CODEC_KEYS');
  });

  it('are refused where the control side could not read them', async () => {
    const [sealed] = await codec.encode([payloadOf(1)]);
    const torn = { metadata: payloadOf(1).metadata ?? null, data: Buffer.from('{"a":') };
    for (const payload of [sealed ?? expect.fail(), torn, { data: Buffer.from('1') }]) {
      for (const each of [createShardPayloads(null), passing]) {
        expect(await failing(each.seal([payload]))).to.be.instanceOf(AppError);
        expect(() => each.check([payload])).to.throw(AppError);
        const details = { payloads: [payload] };
        const deep = { ...failure, cause: { canceledFailureInfo: { details } } };
        expect(await failing(each.sealFailure(deep))).to.be.instanceOf(AppError);
      }
    }
    const claimed = await createShardPayloads(null).sealFailure({
      message: 'm',
      encodedAttributes: payloadOf(1),
    });
    expect(claimed.encodedAttributes).to.equal(null);
  });
});

function secretOf(name: string): Readonly<Record<string, string>> {
  return { name, text: 'confidential' };
}
