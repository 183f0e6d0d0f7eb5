/**
 * The bounds that the contract leaves open freeze with v1, so each of them stands with its reason in
 * docs/bounds.md.
 */
import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { endpoints } from '../../../api/endpoints.ts';
import { BODY_BOUNDS } from '../../../api/http/parse-body.ts';
import { buildOpenApi } from '../../../api/openapi.ts';
import { LARGEST_NUMBER, TEXT_PATTERN } from '../../../api/openapi-requests.ts';
import type { Loose } from './samples.ts';

const document: Loose = buildOpenApi(endpoints);

/** The bounds that the contract gives, by field; all bounds within `simulationParams` are the contract's. */
const CONTRACT: Readonly<Record<string, readonly (number | string)[]>> = {
  frameStep: [1],
  taskCount: [1],
  idempotencyKey: [8, 255],
  'dockingRequest.requestId': [1, 255],
  'dockingRequest.runId': [1, 255],
  'dockingRequest.idempotencyKey': [8, 255],
  // A key has a name of up to 100 characters, an experiment and a batch of up to 200.
  name: [1, 100, 200],
  filename: [1],
  contentType: [1],
  size: [0],
  sha256: ['pattern'],
  projectId: ['format'],
  logicalPath: ['pattern'],
  partSize: [0],
  'parts[]': [1, 1000],
  'parts[].partNumber': [1],
  'scopes[]': [1],
  'parts[].checksumSha256': ['pattern'],
  'parameters.box.center': [3],
  'parameters.box.size': [3],
  'parameters.protocol.exhaustiveness': [1, 128],
  'parameters.protocol.numModes': [1, 100],
  'parameters.protocol.energyRangeKcalMol': [0.1, 100],
  'parameters.protocol.seed': [1, 2_147_483_647],
  'parameters.protocol.cpuThreads': [1, 256],
  'parameters.estimatedRuntimeSeconds': [0, 2_592_000],
  'parameters.validation.nativeReference.componentId': ['pattern'],
  'parameters.validation.nativeReference.chain': [1, 16],
  'parameters.validation.nativeReference.residue': [-9999, 99_999],
  'parameters.validation.nativeReference.insertionCode': [4],
  'ligands[]': [1, 10_000],
  'ligands[].ligandId': ['pattern', 1, 128],
  'ligands[].label': [1, 512],
  'ligands[].confirmation.token': [32, 8192],
  'ligands[].confirmation.query': [1, 512],
  'ligands[].confirmation.sourceId': [1, 128],
  'ligands[].preparation.protonationPh': [0, 14],
  'ligandPreparation.protonationPh': [0, 14],
  'dockingExecution.shardSize': [1, 10],
  'dockingExecution.preparedReceptor.cacheKey': ['pattern'],
  'dockingExecution.preparedReceptor.receptorIdentitySha256': ['pattern'],
  'dockingExecution.preparedReceptor.preparationSha256': ['pattern'],
  'dockingExecution.preparedReceptor.toolchainSha256': ['pattern'],
  'dockingExecution.preparedReceptor.workerImageDigest': ['pattern'],
  'input.artifact.artifactId': ['pattern', 1, 128],
  'input.artifact.storageKey': [1, 2048],
  'input.artifact.sha256': ['pattern'],
  'input.artifact.byteSize': [0],
  'input.artifact.mediaType': [1, 255],
  'dockingExecution.preparedReceptor.artifact.artifactId': ['pattern', 1, 128],
  'dockingExecution.preparedReceptor.artifact.storageKey': [1, 2048],
  'dockingExecution.preparedReceptor.artifact.sha256': ['pattern'],
  'dockingExecution.preparedReceptor.artifact.byteSize': [0],
  'dockingExecution.preparedReceptor.artifact.mediaType': [1, 255],
};

const BOUNDS = [
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minimum', 'maximum', 'exclusiveMinimum'],
];

function resolved(schema: Loose): Loose {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : { ...document.components.schemas[name], ...schema };
}

/** The fields that the list names although their schemas have no bound of their own. */
const BESIDE = [
  ...['taskCount', 'receptorArtifact', 'ligandIdentity.confirmation', 'ligandId', 'fixedProtonationStates'],
  ...[
    'removeComponents',
    'retainComponents',
    'removeResidues',
    'retainResidues',
    'retainWatersWithin',
    'flexibleResidues',
  ],
  ...['__proto__', 'constructor', 'prototype'],
];

/** The bounds of a field, without the bounds that every text, number and open object has. */
function boundsOf(schema: Loose): (number | string)[] {
  const bounds = BOUNDS.filter((key) => key !== 'maxProperties' || schema[key] !== BODY_BOUNDS.members)
    .map((key) => schema[key])
    .filter((value) => value !== undefined && Math.abs(value) !== LARGEST_NUMBER);
  if (schema.format === 'uuid') return ['format'];
  if (schema.format === 'date-time') return [];
  if (schema.pattern !== undefined && schema.pattern !== TEXT_PATTERN)
    return ['pattern', ...bounds.filter((bound) => bound !== 1 || schema.maxLength !== undefined)];
  return bounds;
}

function* fields(schema: Loose, path: string): Generator<readonly [string, readonly (number | string)[]]> {
  const node = resolved(schema);
  if (path !== '' && node.enum === undefined)
    yield [node.type === 'array' ? `${path}[]` : path, boundsOf(node)];
  for (const [name, child] of Object.entries<Loose>(node.properties ?? {})) {
    if (name === 'simulationParams') continue;
    yield* fields(child, path === '' ? name : `${path}.${name}`);
  }
  if (node.items !== undefined) {
    const item = resolved(node.items);
    if (item.type === 'object') yield* fields(item, `${path}[]`);
    else yield [`${path}[]`, boundsOf(item)];
  }
}

/** Every field of a request with a bound that the contract leaves open: `?name` in a query, `Name:` in a header. */
function ownBounds(): Map<string, Set<number | string>> {
  const found = new Map<string, Set<number | string>>();
  const note = (path: string, bounds: readonly (number | string)[]): void => {
    const own = bounds.filter((bound) => CONTRACT[path]?.includes(bound) !== true);
    if (own.length > 0) found.set(path, new Set([...(found.get(path) ?? []), ...own]));
  };
  for (const operation of Object.values<Loose>(document.paths).flatMap((path) =>
    Object.values<Loose>(path),
  )) {
    for (const { name, in: place, schema } of operation.parameters ?? [])
      if (place !== 'path') note(place === 'query' ? `?${name}` : `${name}:`, boundsOf(schema));
    const body = operation.requestBody?.content['application/json'].schema;
    if (body !== undefined) for (const [path, bounds] of fields(body, '')) note(path, bounds);
  }
  return found;
}

/** The rows of the table: the fields that each row names, and their bound. */
function rows(): readonly {
  readonly names: readonly string[];
  readonly bound: string;
  readonly why: string;
}[] {
  const text = readFileSync(new URL('../../../docs/bounds.md', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => /^\| (?!field|-)/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, field = '', bound = '', why = '']) => ({
      names: [...field.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      bound: bound.replaceAll(',', ''),
      why,
    }));
}

describe('bounds that the contract does not have', () => {
  it('stand in the one list, each with its numbers and its reason', () => {
    const listed = rows();
    for (const [path, bounds] of ownBounds()) {
      const row = listed.find(({ names }) => names.includes(path));
      expect(row, `${path} (${[...bounds].join(', ')}) is in docs/bounds.md`).to.not.equal(undefined);
      for (const bound of bounds)
        if (typeof bound === 'number') expect(row?.bound.match(/\d+/g)?.map(Number), path).to.include(bound);
      expect(row?.why, path).to.match(/.{15,}/);
    }
  });

  it('are all that the list has', () => {
    const known = ownBounds();
    for (const { names } of rows())
      for (const name of names) expect([...known.keys(), ...BESIDE], name).to.include(name);
  });
});
