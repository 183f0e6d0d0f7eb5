/**
 * An EC2 on loopback in which user-data is executed: moto keeps the instances, and a proxy before moto does what moto leaves out.
 * The proxy honours ClientToken, refuses types and images that are not there, lacks capacity and fails as it is told, shows new
 * instances late, and takes spot instances away with a notice. Each instance is a machine (`machines.ts`).
 */
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Moto } from '../moto.ts';
import { CloudFaults } from './faults.ts';
import { Machines } from './machines.ts';
import { bodyOf, errorXml, instanceIdsIn, portOfServer, reservationsIn, withState } from './wire.ts';

export interface SimulatedEc2Options {
  readonly moto: Moto;
  /** The variables that the compute image brings. */
  readonly imageEnvironment: Readonly<Record<string, string>>;
  /** The types that there are, as a pattern. */
  readonly types?: RegExp;
  readonly bootSeconds?: number;
  /** How long a new instance is in no listing. */
  readonly invisibleSeconds?: number;
}

/** A call that came to the cloud. */
export interface CloudCall {
  readonly action: string;
  readonly atMs: number;
  readonly form: Readonly<Record<string, string>>;
}

/** An instance, from its launch on. */
export interface CloudInstance {
  readonly id: string;
  readonly type: string;
  readonly image: string;
  readonly token: string;
  readonly zone: string;
  readonly isSpot: boolean;
  readonly launchedMs: number;
  endedMs: number | null;
  /** Why the instance has ended, in the words of EC2. */
  reason: string;
}

/** Something that happened in the cloud. */
export type CloudEvent =
  | { readonly type: 'called'; readonly action: string; readonly refusal: string | null }
  | { readonly type: 'launched' | 'ended'; readonly instance: CloudInstance }
  | { readonly type: 'reclaimed'; readonly instance: CloudInstance; readonly seconds: number };

interface Answer {
  readonly status: number;
  readonly body: string;
}

const TYPES = /^(c7i|m7i|g4dn|g5|g6)\.\d*x?large$/;
const ON_DEMAND_QUOTA = 1_000;
/** Hop limit that Amazon Linux 2023 asks for where the launch says nothing. */
const HOP_LIMIT_OF_IMAGE = 2;
/** How long before its end a spot instance is told of it. */
const NOTICE_SECONDS = 120;

/** The simulated cloud. */
export class SimulatedEc2 {
  readonly faults = new CloudFaults();
  readonly calls: CloudCall[] = [];
  readonly instances = new Map<string, CloudInstance>();
  readonly region: string;
  bootSeconds: number;
  /** Called with everything that happens. */
  onEvent: (event: CloudEvent) => void = () => undefined;
  readonly #options: SimulatedEc2Options;
  readonly #launches = new Map<string, { readonly digest: string; readonly answer: Promise<Answer> }>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #machines: Machines | null = null;
  #zones = new Map<string, string>();

  private constructor(options: SimulatedEc2Options) {
    this.#options = options;
    this.region = options.moto.region;
    this.bootSeconds = options.bootSeconds ?? 0;
  }

  /** Opens the cloud. Moto stays with the caller, who closes it afterwards. */
  static async open(options: SimulatedEc2Options): Promise<SimulatedEc2> {
    const cloud = new SimulatedEc2(options);
    cloud.#machines = await Machines.open({
      folder: mkdtempSync(join(tmpdir(), 'dockyard-ec2-')),
      imageEnvironment: options.imageEnvironment,
      onPowerOff: (id) => void cloud.#end(id, 'Client.InstanceInitiatedShutdown'),
    });
    await new Promise<void>((resolve) => cloud.#server.listen(0, '127.0.0.1', resolve));
    const { body } = await cloud.#ask({ Action: 'DescribeSubnets' });
    for (const [, id = '', rest = ''] of body.matchAll(/<subnetId>(.*?)<\/subnetId>([\s\S]*?)<\/item>/g)) {
      const zone = /<availabilityZone>(.*?)</.exec(rest)?.[1] ?? '';
      cloud.#zones.set(id, zone);
    }
    return cloud;
  }

  /** Endpoint for clients of AWS. */
  get url(): string {
    return `http://127.0.0.1:${portOfServer(this.#server)}`;
  }

  /** The machines that run the user-data. */
  get machines(): Machines {
    if (this.#machines === null) throw new Error('The cloud is not open.');
    return this.#machines;
  }

  /** The subnets, by the zone of each. */
  get subnets(): ReadonlyMap<string, string> {
    return this.#zones;
  }

  /** The instances that have not ended. */
  get running(): readonly CloudInstance[] {
    return [...this.instances.values()].filter(({ endedMs }) => endedMs === null);
  }

  /** Takes a spot instance away: its machine is told at once, and ends after so many seconds. */
  reclaim(id: string, noticeSeconds: number): void {
    const instance = this.instances.get(id);
    if (instance === undefined || instance.endedMs !== null) return;
    this.onEvent({ type: 'reclaimed', instance, seconds: noticeSeconds });
    this.machines.announce(id, new Date(Date.now() + noticeSeconds * 1000));
    setTimeout(() => void this.#end(id, 'Server.SpotInstanceTermination'), noticeSeconds * 1000).unref();
  }

  /** How often an action was called since then. */
  countOf(action: string, sinceMs = 0): number {
    return this.calls.filter((call) => call.action === action && call.atMs >= sinceMs).length;
  }

  async close(): Promise<void> {
    await this.#machines?.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reclaimed = /^\/simulate\/reclaim\/(i-[0-9a-f]+)$/.exec(request.url ?? '')?.[1];
    if (reclaimed !== undefined) {
      this.reclaim(reclaimed, NOTICE_SECONDS);
      response.writeHead(202).end();
      return;
    }
    const bytes = await bodyOf(request);
    const target = request.headers['x-amz-target'];
    const form = Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
    const action = typeof target === 'string' ? (target.split('.').at(-1) ?? '') : (form['Action'] ?? '');
    this.calls.push({ action, atMs: performance.now(), form });
    const failure = this.faults.take(action);
    if (failure === 'hang') return;
    const forward = (): Promise<Answer> => this.#forward(request, bytes);
    const answer =
      failure === 'throttle'
        ? { status: 503, body: errorXml('RequestLimitExceeded', 'Request limit exceeded.') }
        : failure === 'internal'
          ? { status: 500, body: errorXml('InternalError', 'An internal error has occurred') }
          : await this.#answer(action, form, forward).catch((error: unknown) => ({
              status: 500,
              body: errorXml('InternalError', String(error)),
            }));
    const refusal = answer.status < 300 ? null : (/<Code>(.*?)<\/Code>/.exec(answer.body)?.[1] ?? 'an error');
    this.onEvent({ type: 'called', action, refusal });
    if (failure === 'lost') response.socket?.destroy();
    if (failure === 'lost' || failure === 'stall') return;
    const type = typeof target === 'string' ? 'application/x-amz-json-1.1' : 'text/xml';
    response.writeHead(answer.status, { 'content-type': type }).end(answer.body);
  }

  #answer(action: string, form: CloudCall['form'], forward: () => Promise<Answer>): Promise<Answer> {
    if (action === 'RunInstances') return this.#run(form, forward);
    if (action === 'DescribeInstances') return this.#describe(forward);
    if (action === 'TerminateInstances') return this.#terminate(form, forward);
    return forward();
  }

  async #run(form: CloudCall['form'], forward: () => Promise<Answer>): Promise<Answer> {
    const token = form['ClientToken'] ?? '';
    const digest = digestOf(form);
    const known = this.#launches.get(token);
    if (known !== undefined && token !== '') {
      if (known.digest !== digest)
        return refusal('IdempotentParameterMismatch', 'Another request was made with this client token.');
      return this.#asItIs(await known.answer);
    }
    const answer = this.#launch(form, forward);
    if (token !== '') this.#launches.set(token, { digest, answer });
    // A launch that was refused has started nothing, so its token is free.
    const { status } = await answer;
    if (status >= 300) this.#launches.delete(token);
    return answer;
  }

  async #launch(form: CloudCall['form'], forward: () => Promise<Answer>): Promise<Answer> {
    const type = form['InstanceType'] ?? '';
    const image = form['ImageId'] ?? '';
    const subnet = form['NetworkInterface.1.SubnetId'] ?? form['SubnetId'] ?? '';
    const isSpot = form['InstanceMarketOptions.MarketType'] === 'spot';
    if (!(this.#options.types ?? TYPES).test(type))
      return refusal('InvalidParameterValue', `Invalid value '${type}' for InstanceType.`);
    if (!(await this.#hasImage(image)))
      return refusal('InvalidAMIID.NotFound', `The image id '[${image}]' does not exist`);
    const { refusal: code } = this.faults;
    if (code !== null) return refusal(code, 'You are not allowed to do this.');
    const zone = this.#zones.get(subnet) ?? '';
    if (this.faults.isFull({ type, zone, market: isSpot ? 'spot' : 'on-demand' }))
      return refusal(
        'InsufficientInstanceCapacity',
        `We do not have sufficient ${type} capacity in ${zone}.`,
      );
    if (this.running.length >= ON_DEMAND_QUOTA)
      return refusal('VcpuLimitExceeded', 'You have requested more vCPU capacity than your limit.');
    const answer = await forward();
    const [id] = instanceIdsIn(answer.body);
    if (answer.status >= 300 || id === undefined) return answer;
    const launched = {
      id,
      type,
      image,
      zone,
      isSpot,
      token: form['ClientToken'] ?? '',
      launchedMs: performance.now(),
    };
    const instance: CloudInstance = { ...launched, endedMs: null, reason: '' };
    this.instances.set(id, instance);
    this.onEvent({ type: 'launched', instance });
    const userData = Buffer.from(form['UserData'] ?? '', 'base64').toString('utf8');
    const hopLimit = Number(form['MetadataOptions.HttpPutResponseHopLimit'] ?? HOP_LIMIT_OF_IMAGE);
    this.machines.start(id, { userData, hopLimit }, this.bootSeconds);
    return answer;
  }

  async #hasImage(image: string): Promise<boolean> {
    const { status, body } = await this.#ask({ Action: 'DescribeImages', 'ImageId.1': image });
    return status < 300 && body.includes(`<imageId>${image}</imageId>`);
  }

  /** New instances are not shown yet, and ended ones have their reason. */
  async #describe(forward: () => Promise<Answer>): Promise<Answer> {
    const { status, body } = await forward();
    const { head, items, tail } = reservationsIn(body);
    const invisibleMs = (this.#options.invisibleSeconds ?? 0) * 1000;
    const shown = items.filter((item) => {
      const instance = this.instances.get(instanceIdsIn(item)[0] ?? '');
      return instance === undefined || performance.now() - instance.launchedMs >= invisibleMs;
    });
    return { status, body: head + shown.map((item) => this.#told(item)).join('') + tail };
  }

  #told(item: string): string {
    const instance = this.instances.get(instanceIdsIn(item)[0] ?? '');
    return instance === undefined || instance.endedMs === null
      ? item
      : withState(item, 'terminated', instance.reason);
  }

  #asItIs({ status, body }: Answer): Answer {
    return { status, body: this.#told(body) };
  }

  async #terminate(form: CloudCall['form'], forward: () => Promise<Answer>): Promise<Answer> {
    const answer = await forward();
    if (answer.status >= 300) return answer;
    for (const [name, id] of Object.entries(form))
      if (name.startsWith('InstanceId.')) this.#ended(id, 'Client.UserInitiatedShutdown');
    return answer;
  }

  /** An instance ends by itself, or is taken away. */
  async #end(id: string, reason: string): Promise<void> {
    if (this.instances.get(id)?.endedMs !== null) return;
    this.#ended(id, reason);
    await this.#ask({ Action: 'TerminateInstances', 'InstanceId.1': id }).catch(() => undefined);
  }

  #ended(id: string, reason: string): void {
    const instance = this.instances.get(id);
    if (instance === undefined || instance.endedMs !== null) return;
    instance.endedMs = performance.now();
    instance.reason = reason;
    this.machines.kill(id);
    this.onEvent({ type: 'ended', instance });
  }

  async #forward(request: IncomingMessage, bytes: Buffer): Promise<Answer> {
    const headers = { ...request.headers } as Record<string, string>;
    delete headers['content-length'];
    delete headers['connection'];
    delete headers['transfer-encoding'];
    const answer = await fetch(new URL(request.url ?? '/', this.#options.moto.url), {
      method: request.method ?? 'POST',
      headers,
      ...(request.method === 'GET' ? {} : { body: new Uint8Array(bytes) }),
    });
    return { status: answer.status, body: await answer.text() };
  }

  /** A question of the cloud's own to moto. */
  async #ask(form: Readonly<Record<string, string>>): Promise<Answer> {
    const credential = `Credential=sim/20260101/${this.region}/ec2/aws4_request`;
    const answer = await fetch(this.#options.moto.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=0`,
      },
      body: new URLSearchParams({ Version: '2016-11-15', ...form }).toString(),
    });
    return { status: answer.status, body: await answer.text() };
  }
}

function refusal(code: string, message: string): Answer {
  return { status: 400, body: errorXml(code, message) };
}

function digestOf(form: CloudCall['form']): string {
  const parts = Object.entries(form).filter(([name]) => name !== 'ClientToken');
  return createHash('sha256').update(JSON.stringify(parts.sort())).digest('hex');
}
