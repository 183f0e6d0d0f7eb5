/** What differs between two JSON values, by the paths of the values. */

/** Finds the paths at which another value stands, a member is new, or one is gone. */
export function changedPaths(before: unknown, after: unknown, path = ''): readonly string[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const one = new Map(Object.entries(before));
    const other = new Map(Object.entries(after));
    return names.flatMap((name) =>
      changedPaths(one.get(name), other.get(name), path === '' ? name : `${path}.${name}`),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
