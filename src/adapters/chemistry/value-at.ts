/** A member of a value that was parsed from JSON; undefined where the value has no such member. */
export function valueAt(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
