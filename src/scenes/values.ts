/**
 * Judges every number and text of a scene, wherever it stands. Mol* shows some texts as HTML, and reads settings of its own from `custom`,
 * which may name pictures: so no text holds markup, and none of these names an address.
 */
import { isRecord } from '../domain/is-record.ts';
import type { SceneFault } from './fault.ts';

/** Coordinates beyond this are no molecule, and overflow the single precision of graphics once they are squared. */
const MOST_NUMBER = 1e9;
/** As HTML begins a tag, and as Markdown includes a picture. */
const MARKUP = /<[a-z/!?]|!\[/i;
const SCRIPT = /\b(?:(?:javascript|vbscript)\s*:|data:[a-z]+\/)/i;
const ADDRESS = /:\/\/|^\/\//;

/** Judges the values of a scene. A path is written for a fault alone, because a mesh has a million numbers. */
export function valueFaults(scene: Readonly<Record<string, unknown>>): SceneFault[] {
  const faults: SceneFault[] = [];
  const place: (string | number)[] = [];
  const lookAt = (key: string | number, value: unknown, isCustom: boolean): void => {
    const fault = textFault(value, isCustom) ?? numberFault(value);
    if (fault === null && (typeof value !== 'object' || value === null)) return;
    place.push(key);
    if (fault !== null) faults.push({ path: pathOf(place), ...fault });
    lookInto(value, isCustom || key === 'custom');
    place.pop();
  };
  const lookInto = (value: unknown, isCustom: boolean): void => {
    if (Array.isArray(value))
      for (let index = 0; index < value.length; index += 1) lookAt(index, value[index], isCustom);
    else if (isRecord(value)) for (const key of Object.keys(value)) lookAt(key, value[key], isCustom);
  };
  lookInto(scene, false);
  return faults;
}

function pathOf(place: readonly (string | number)[]): string {
  return place
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .slice(1);
}

type Fault = Pick<SceneFault, 'message' | 'kind'>;

function textFault(value: unknown, isCustom: boolean): Fault | null {
  if (typeof value !== 'string') return null;
  if (MARKUP.test(value) || SCRIPT.test(value))
    return {
      kind: 'tree',
      message:
        'holds markup: a text has no HTML, no pictures and no scripts. Write a space between "<" and a letter where "less than" is meant',
    };
  return isCustom && ADDRESS.test(value)
    ? { kind: 'source', message: 'names an address: settings of a viewer name no data' }
    : null;
}

function numberFault(value: unknown): Fault | null {
  return typeof value === 'number' && !(Math.abs(value) <= MOST_NUMBER)
    ? { kind: 'tree', message: `must be a number from ${-MOST_NUMBER} to ${MOST_NUMBER}` }
    : null;
}
