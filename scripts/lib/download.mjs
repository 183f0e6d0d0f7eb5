// Fetches one file over HTTPS with a bounded wait, checks its SHA-256 against the pinned one and takes one member out
// of a .tar.gz, all with Node built-ins, so that the set-up asks nothing of the machine.
import crypto from 'node:crypto';
import fs from 'node:fs';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { Writable } from 'node:stream';
import zlib from 'node:zlib';
import { formatSize } from './progress.mjs';

/** How long to wait for an answer: a machine without internet must find out at once. */
const answerMilliseconds = 5_000;
const idleMilliseconds = 20_000;

/** Downloads `url` into `file` and checks the digest; throws with a one-line reason. */
export async function download(url, file, sha256, step) {
  const response = await get(url, 5);
  const total = Number(response.headers['content-length'] || 0);
  const hash = crypto.createHash('sha256');
  const startedAt = Date.now();
  let received = 0;
  response.on('data', (chunk) => {
    hash.update(chunk);
    received += chunk.length;
    const rate = received / Math.max(0.1, (Date.now() - startedAt) / 1000);
    step.update(
      formatSize(received) + (total ? ' of ' + formatSize(total) : '') + ' at ' + formatSize(rate) + '/s',
    );
  });
  await pipeline(response, fs.createWriteStream(file));
  if (total && received !== total) throw new Error('the download ended early');
  const digest = hash.digest('hex');
  if (digest !== sha256) throw new Error('its SHA-256 is ' + digest + ', not the pinned ' + sha256);
  return received;
}

function get(url, redirectsLeft) {
  return new Promise((resolve, reject) => {
    const request = https.get(url, { headers: { 'user-agent': 'dockyard-setup' } }, (response) => {
      clearTimeout(timer);
      response.setTimeout(idleMilliseconds, () => response.destroy(new Error('no data for 20 s')));
      const { statusCode, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location && redirectsLeft > 0) {
        response.resume();
        const next = new URL(headers.location, url);
        if (next.protocol !== 'https:') reject(new Error('redirected away from HTTPS'));
        else get(next, redirectsLeft - 1).then(resolve, reject);
      } else if (statusCode === 200) {
        resolve(response);
      } else {
        response.resume();
        reject(new Error('HTTP ' + statusCode + ' from ' + new URL(url).host));
      }
    });
    const timer = setTimeout(
      () => request.destroy(new Error('no answer from ' + new URL(url).host)),
      answerMilliseconds,
    );
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

/** Writes the member of that base name from a .tar.gz to `file`, executable. */
export async function extractFromTarGz(archive, memberName, file) {
  const reader = new TarMember(memberName, file);
  await pipeline(fs.createReadStream(archive), zlib.createGunzip(), reader);
  if (!reader.found) throw new Error('the archive holds no ' + memberName);
  fs.chmodSync(file, 0o755);
}

const blockBytes = 512;

/** Reads a tar stream and keeps one regular file; headers of other kinds are passed over. */
class TarMember extends Writable {
  constructor(memberName, file) {
    super();
    this.memberName = memberName;
    this.file = file;
    this.found = false;
    this.header = Buffer.alloc(0);
    this.contentLeft = 0;
    this.paddingLeft = 0;
    this.descriptor = null;
  }

  _write(chunk, _encoding, callback) {
    try {
      let rest = chunk;
      while (rest.length > 0) rest = this.#consume(rest);
      callback();
    } catch (error) {
      callback(error);
    }
  }

  #consume(chunk) {
    if (this.contentLeft > 0) {
      const part = chunk.subarray(0, this.contentLeft);
      if (this.descriptor !== null) writeAll(this.descriptor, part);
      this.contentLeft -= part.length;
      if (this.contentLeft === 0) this.#close();
      return chunk.subarray(part.length);
    }
    if (this.paddingLeft > 0) {
      const skipped = Math.min(this.paddingLeft, chunk.length);
      this.paddingLeft -= skipped;
      return chunk.subarray(skipped);
    }
    const missing = blockBytes - this.header.length;
    this.header = Buffer.concat([this.header, chunk.subarray(0, missing)]);
    if (this.header.length === blockBytes) this.#open();
    return chunk.subarray(missing);
  }

  #open() {
    const header = this.header;
    this.header = Buffer.alloc(0);
    const name = header.toString('utf8', 0, 100).split('\0')[0];
    if (name === '') return;
    const size = parseInt(header.toString('ascii', 124, 136).replace(/\0/g, ' ').trim() || '0', 8);
    const kind = String.fromCharCode(header[156]);
    this.contentLeft = size;
    this.paddingLeft = (blockBytes - (size % blockBytes)) % blockBytes;
    const isFile = kind === '0' || kind === '\0';
    if (isFile && name.split('/').pop() === this.memberName) {
      this.found = true;
      this.descriptor = fs.openSync(this.file, 'w', 0o755);
      if (size === 0) this.#close();
    }
  }

  #close() {
    if (this.descriptor === null) return;
    fs.fsyncSync(this.descriptor);
    fs.closeSync(this.descriptor);
    this.descriptor = null;
  }
}

function writeAll(descriptor, bytes) {
  let written = 0;
  while (written < bytes.length) written += fs.writeSync(descriptor, bytes, written);
}
