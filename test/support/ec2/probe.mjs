// Loaded into the first program of a simulated container (`NODE_OPTIONS`): tries the metadata service as something hostile in the
// container would, and writes down what came of it. On a machine of EC2 the address is known to everybody; here the simulated `docker`
// has it in its environment.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PATIENCE_MS = 1500;
const file = join(process.env.DOCKYARD_COMPUTE_DIR ?? '', 'probe.json');

async function statusOf(path, init = {}) {
  try {
    const answer = await fetch(`${metadata}/${path}`, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    return { status: error.name === 'TimeoutError' ? 'no answer' : String(error), text: '' };
  }
}

const environment = readFileSync(`/proc/${process.ppid}/environ`, 'utf8').split('\0');
const named = environment.find((line) => line.startsWith('AWS_EC2_METADATA_SERVICE_ENDPOINT='));
const metadata = named?.slice(named.indexOf('=') + 1);
if (metadata !== undefined && !existsSync(file)) {
  const token = await statusOf('latest/api/token', {
    method: 'PUT',
    headers: { 'X-aws-ec2-metadata-token-ttl-seconds': '60' },
  });
  const headers = token.status === 200 ? { 'X-aws-ec2-metadata-token': token.text } : {};
  const userData = await statusOf('latest/user-data', { headers });
  writeFileSync(file, JSON.stringify({ token: token.status, userData: userData.status }));
}
