import { GetObjectCommand, PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect } from 'chai';

import { createPresigner } from '../../../src/adapters/storage/presign.ts';
import { createS3Store } from '../../../src/adapters/storage/s3.ts';

const SETTINGS = {
  storageEndpoint: 'http://127.0.0.1:7070',
  storageRegion: 'eu-west-2',
  storageBucket: 'dockyard',
  storageAccessKeyId: 'AKIA+/=key',
  storageSecretAccessKey: 'secret/+=',
  storagePathStyle: true,
};
const PLACES = [
  SETTINGS,
  { ...SETTINGS, storageEndpoint: 'https://store.example.org', storagePathStyle: false },
  { ...SETTINGS, storageEndpoint: 'https://store.example.org:9000/base/', storagePathStyle: false },
  { ...SETTINGS, storageEndpoint: 'http://store.example.org:80/base', storageRegion: 'us-east-1' },
  { ...SETTINGS, storageEndpoint: 'http://127.0.0.1:7070', storagePathStyle: false },
];
const KEYS = [
  'plain.txt',
  'accounts/a/b c+é\'"#?*()!~&=;:@$,%25.txt',
  'jobs/ünïcode/漢字/😀.pdb',
  'trailing/slash/',
  'a//b/../c/./d\\e|f<g>^`{}[]',
];

const SIGNABLE = [
  'content-length',
  'content-type',
  'host',
  'x-amz-checksum-sha256',
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-aws-kms-key-id',
];

function sdkClient(settings: typeof SETTINGS & { storageSessionToken?: string }): S3Client {
  return new S3Client({
    endpoint: settings.storageEndpoint,
    region: settings.storageRegion,
    forcePathStyle: settings.storagePathStyle,
    credentials: {
      accessKeyId: settings.storageAccessKeyId,
      secretAccessKey: settings.storageSecretAccessKey,
      ...(settings.storageSessionToken === undefined ? {} : { sessionToken: settings.storageSessionToken }),
    },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** The parts of a URL as a set, because the SDK puts the signature among the other parameters. */
function partsOf(url: string): unknown {
  const [address, search = ''] = url.split('?');
  return { address, search: search.split('&').sort() };
}

/** The time at which a URL says that it was signed. */
function timeOf(url: string): Date {
  const [, ...parts] = /Date=(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(url) ?? [];
  const [year = 0, month = 0, ...rest] = parts.map(Number);
  return new Date(Date.UTC(year, month - 1, ...rest));
}

describe('presigned URLs', () => {
  for (const settings of PLACES) {
    const { storageEndpoint, storagePathStyle, storageBucket: Bucket } = settings;
    const client = sdkClient(settings);
    const store = createS3Store(settings);

    describe(`at ${storageEndpoint}, path style ${String(storagePathStyle)}`, () => {
      it('equal the SDK for GET', async () => {
        for (const key of KEYS) {
          for (const terms of [
            {},
            { filename: "ünï 'code' (1)*\"\\.pdb", contentType: 'text/plain; charset=utf-8' },
            { contentType: 'chemical/x-pdb' },
          ]) {
            const { url, headers } = await store.signGet(key, { expiresInSeconds: 60, ...terms });
            const disposition = new URL(url).searchParams.get('response-content-disposition');
            const command = new GetObjectCommand({
              Bucket,
              Key: key,
              ...('contentType' in terms ? { ResponseContentType: terms.contentType } : {}),
              ...(disposition === null ? {} : { ResponseContentDisposition: disposition }),
            });
            const expected = await getSignedUrl(client, command, { expiresIn: 60, signingDate: timeOf(url) });
            expect(partsOf(url), key).to.deep.equal(partsOf(expected));
            expect(headers).to.deep.equal({});
            expect(disposition === null).to.equal(!('filename' in terms));
          }
        }
      });

      it('equal the SDK for PUT', async () => {
        for (const key of KEYS) {
          for (const terms of [
            {},
            { contentType: 'text/plain;  charset=utf-8' },
            { contentType: 'chemical/x-pdb', byteSize: 5 * 1024 ** 3, sha256: 'a9'.repeat(32) },
            { byteSize: 0, sha256: '0f'.repeat(32) },
          ]) {
            const { url, headers } = await store.signPut(key, { expiresInSeconds: 900, ...terms });
            const checksum = headers['x-amz-checksum-sha256'];
            const command = new PutObjectCommand({
              Bucket,
              Key: key,
              ContentType: headers['content-type'],
              ...('byteSize' in terms ? { ContentLength: terms.byteSize } : {}),
              ...(checksum === undefined ? {} : { ChecksumSHA256: checksum }),
            });
            const expected = await getSignedUrl(client, command, {
              expiresIn: 900,
              signingDate: timeOf(url),
              signableHeaders: new Set(['content-length', 'content-type', 'host', 'x-amz-checksum-sha256']),
              unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
            });
            expect(partsOf(url), `${key} ${JSON.stringify(terms)}`).to.deep.equal(partsOf(expected));
            const bound = (new URL(url).searchParams.get('X-Amz-SignedHeaders') ?? '').split(';');
            expect(bound).to.have.members([...Object.keys(headers), 'host']);
          }
        }
      });
    });
  }

  it('equal the SDK for parts, with and without a digest', async () => {
    const client = sdkClient(SETTINGS);
    const store = createS3Store(SETTINGS);
    for (const key of KEYS) {
      for (const [partNumber, terms] of [
        [1, {}],
        [10_000, { byteSize: 5 * 1024 ** 2 }],
        [7, { byteSize: 0, checksumSha256: Buffer.from('0f'.repeat(32), 'hex').toString('base64') }],
      ] as const) {
        const uploadId = 'id/with+odd=characters';
        const { url, headers } = await store.signPart(key, uploadId, partNumber, {
          expiresInSeconds: 3600,
          ...terms,
        });
        const command = new UploadPartCommand({
          Bucket: SETTINGS.storageBucket,
          Key: key,
          UploadId: uploadId,
          PartNumber: partNumber,
          ...('byteSize' in terms ? { ContentLength: terms.byteSize } : {}),
          ...('checksumSha256' in terms ? { ChecksumSHA256: terms.checksumSha256 } : {}),
        });
        const expected = await getSignedUrl(client, command, {
          expiresIn: 3600,
          signingDate: timeOf(url),
          // The SDK would bind a content type, which a part does not have.
          signableHeaders: new Set(SIGNABLE.filter((name) => name !== 'content-type')),
          unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
        });
        expect(partsOf(url), `${key} ${partNumber}`).to.deep.equal(partsOf(expected));
        const bound = (new URL(url).searchParams.get('X-Amz-SignedHeaders') ?? '').split(';');
        expect(bound).to.have.members([...Object.keys(headers), 'host']);
      }
    }
  });

  it('equal the SDK with temporary keys and with encryption at rest, which the sender must ask for', async () => {
    for (const [encryption, keyId] of [
      ['AES256', ''],
      ['aws:kms', ''],
      ['aws:kms', 'arn:aws:kms:eu-west-2:1:key/a b'],
    ] as const) {
      const settings = { ...SETTINGS, storageSessionToken: 'token/+=&' };
      const store = createS3Store({ ...settings, storageEncryption: encryption, storageKmsKeyId: keyId });
      const { url, headers } = await store.signPut('k', { expiresInSeconds: 60, contentType: 'a/b' });
      const command = new PutObjectCommand({
        Bucket: SETTINGS.storageBucket,
        Key: 'k',
        ContentType: 'a/b',
        ServerSideEncryption: encryption,
        ...(keyId === '' ? {} : { SSEKMSKeyId: keyId }),
      });
      const expected = await getSignedUrl(sdkClient(settings), command, {
        expiresIn: 60,
        signingDate: timeOf(url),
        signableHeaders: new Set(SIGNABLE),
        unhoistableHeaders: new Set(SIGNABLE),
      });
      expect(partsOf(url)).to.deep.equal(partsOf(expected));
      expect(headers).to.deep.equal({
        'content-type': 'a/b',
        'x-amz-server-side-encryption': encryption,
        ...(keyId === '' ? {} : { 'x-amz-server-side-encryption-aws-kms-key-id': keyId }),
      });
    }
  });

  it("are signed as the machine's own identity where no keys are set, as it is when the store is opened", async () => {
    const before = { ...process.env };
    try {
      const { storageAccessKeyId: _id, storageSecretAccessKey: _secret, ...keyless } = SETTINGS;
      for (const id of ['FROMENVIRONMENT1', 'FROMENVIRONMENT2']) {
        Object.assign(process.env, { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: 'secret' });
        process.env['AWS_SESSION_TOKEN'] = `token of ${id}`;
        const { url } = await createS3Store(keyless).signGet('k', { expiresInSeconds: 60 });
        const query = new URL(url).searchParams;
        expect(query.get('X-Amz-Credential')).to.match(new RegExp(`^${id}/`));
        expect(query.get('X-Amz-Security-Token')).to.equal(`token of ${id}`);
      }
    } finally {
      for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']) {
        if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = before[name];
      }
    }
  });

  it('take the key of their day, also when the days alternate', async () => {
    const client = sdkClient(SETTINGS);
    const identity = { accessKeyId: 'AKIA+/=key', secretAccessKey: 'secret/+=', region: 'eu-west-2' };
    const presign = createPresigner(identity, new URL('http://127.0.0.1:7070/dockyard/'));
    for (const day of ['2024-02-28T23:59:59Z', '2024-02-29T00:00:00Z', '2024-02-28T00:00:00Z']) {
      const at = new Date(day);
      const expected = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'dockyard', Key: 'k' }), {
        expiresIn: 60,
        signingDate: at,
      });
      const request = {
        method: 'GET',
        key: 'k',
        query: { 'x-id': 'GetObject' },
        headers: {},
        expiresInSeconds: 60,
      } as const;
      expect(partsOf(presign(request, at))).to.deep.equal(partsOf(expected));
    }
  });

  it('live for at most a week', async () => {
    const failure = await createS3Store(SETTINGS)
      .signGet('k', { expiresInSeconds: 604_801 })
      .catch((error: unknown) => error);
    expect(String(failure)).to.contain('seven days');
  });
});
