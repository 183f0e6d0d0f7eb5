/** A member of what was parsed from JSON; undefined where there is none. */
export function valueAt(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
