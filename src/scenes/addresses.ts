/** Gives the data of a scene other addresses, for readers outside of this service. */
import { isRecord } from '../domain/is-record.ts';
import { readSource } from './sources.ts';
import type { SceneSource } from './sources.ts';

/** Parameters that hold the address of data. */
export const ADDRESSES: readonly string[] = ['url', 'uri'];

/** A copy of the scene in which each address of data is what `addressFor` answers. */
export function withAddresses(
  scene: unknown,
  addressFor: (source: SceneSource, address: string) => string,
): unknown {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const source = ADDRESSES.includes(name) && typeof member === 'string' ? readSource(member) : null;
        return [name, source === null ? copy(member) : addressFor(source, String(member))];
      }),
    );
  };
  return copy(scene);
}
