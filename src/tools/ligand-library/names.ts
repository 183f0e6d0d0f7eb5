/** The ids and labels of ligands, made of the names that files give them. */

/** More of a name is not looked at. */
const LONGEST_NAME = 4096;
const LONGEST_ID = 100;
const LONGEST_LABEL = 512;

/** An id of letters, digits and `.`, `_`, `-` that begins with one of the first two; empty when nothing of the name is left. */
export function idOfName(name: string): string {
  return name
    .slice(0, LONGEST_NAME)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, LONGEST_ID)
    .replace(/[^A-Za-z0-9]+$/, '');
}

/** The name as it is shown to people; the id where the name has nothing to show. */
export function labelOfName(name: string, ligandId: string): string {
  const label = name
    .slice(0, LONGEST_NAME)
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, LONGEST_LABEL)
    .toWellFormed();
  return label === '' ? ligandId : label;
}
