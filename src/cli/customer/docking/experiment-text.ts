/** Experiments in words. Their parts are documents, of which another version of the service may have written more. */
import type { DockingExperimentResponse } from '../../../client/types.ts';
import { isRecord } from '../../../domain/is-record.ts';
import { facts, table } from '../../table.ts';
import { minuteOf } from './text.ts';

/** Everything that an experiment says, in the words of its options. */
export function experimentText({ experiment }: DockingExperimentResponse): string {
  const { receptor_identity: receptor, ligand_identity: ligand, parameters } = experiment;
  const derivation = at(parameters, 'box', 'derivation');
  return facts([
    ['Experiment', experiment.id],
    ['Name', experiment.name],
    ['Receptor', experiment.receptor_artifact_id ?? receptorText(receptor)],
    ['Prepared', listed(at(receptor, 'preparation'))],
    [
      'Ligand',
      experiment.ligand_artifact_id ?? `${textOf(at(ligand, 'label'))}, ${sourceText(at(ligand, 'source'))}`,
    ],
    ['Box', `${listed(derivation)}${boxText(at(parameters, 'box'))}`],
    ['Search', listed(at(parameters, 'protocol'))],
    ...controlLines(at(parameters, 'validation', 'nativeReference')),
    ['Made', minuteOf(experiment.created_at)],
  ]);
}

/** A list of experiments. */
export function experimentsTable(experiments: readonly DockingExperimentResponse[]): string {
  return table(
    [
      { title: 'EXPERIMENT', value: ({ experiment }) => experiment.id },
      { title: 'MADE', value: ({ experiment }) => minuteOf(experiment.created_at) },
      { title: 'NAME', value: ({ experiment }) => experiment.name },
    ],
    experiments,
  );
}

function receptorText(receptor: unknown): string {
  const chains = at(receptor, 'chains');
  return [
    sourceText(at(receptor, 'source')),
    `assembly ${textOf(at(receptor, 'assemblyId'))}`,
    `model ${textOf(at(receptor, 'model'))}`,
    Array.isArray(chains) ? `chains ${chains.map(textOf).join(', ')}` : 'all chains',
  ].join(', ');
}

function sourceText(source: unknown): string {
  const file = at(source, 'artifact', 'storageKey');
  if (typeof file === 'string') return file.slice(file.lastIndexOf('/') + 1);
  return textOf(at(source, 'pdbId') ?? at(source, 'smiles') ?? at(source, 'componentId'));
}

/** The centre that the service has found, once a run has. */
function boxText(box: unknown): string {
  const [center, size] = [at(box, 'center'), at(box, 'size')];
  const parts = [
    ...(Array.isArray(center) ? [`centre ${center.map(textOf).join(', ')}`] : []),
    ...(Array.isArray(size) ? [`size ${size.map(textOf).join(' × ')} Å`] : []),
  ];
  return parts.length === 0 ? '' : `; ${parts.join(', ')}`;
}

function controlLines(reference: unknown): readonly (readonly [string, string])[] {
  return reference === undefined ? [] : [['Control', listed(reference)]];
}

/** The fields of a document that say something: neither empty lists nor what can only be true. */
function listed(document: unknown): string {
  if (!isRecord(document)) return '-';
  const said = Object.entries(document).filter(
    ([, value]) => value !== true && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return said.map(([name, value]) => `${name} ${textOf(value)}`).join(', ');
}

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(textOf).join('; ');
  return isRecord(value) ? Object.values(value).map(textOf).join(':') : '-';
}

function at(document: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), document);
}
