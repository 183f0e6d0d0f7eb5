/** The ids and labels of ligands, made of the names that files give them. */
import { createHash } from 'node:crypto';

/**
 * Headings of columns that name a ligand, the first that is there; where it is empty, the next. Blanks and signs of a heading do
 * not count.
 */
const NAME_HEADINGS = [
  'name',
  'ligand',
  'ligandid',
  'id',
  'title',
  'compound',
  'label',
  'compoundname',
  'cmpdname',
  'moleculename',
  'drug',
  'drugname',
  'molecule',
  'substance',
  'productname',
  'chemicalname',
  'pertiname',
  'compoundid',
  'moleculeid',
  'molid',
  'idnumber',
  'catalogid',
  'catalogueid',
  'catalognumber',
  'cataloguenumber',
  'catalogno',
  'catno',
  'chemblid',
  'moleculechemblid',
  'zincid',
  'molportid',
  'mculeid',
  'querymculeid',
  'asinexid',
  'otavaid',
  'drugbankid',
  'bindingdbmonomerid',
  'monomerid',
  'pubchemcompoundcid',
  'pubchemcid',
  'cid',
  'chebiid',
  'hmdbid',
  'coconutid',
  'foodbid',
  'publicid',
  'broadid',
  'nsc',
  'nscnumber',
  'databaseid',
  'identifier',
  'productid',
  'productcode',
  'productnumber',
  'itemnumber',
  'supplierid',
  'vendorid',
  'sampleid',
  'regid',
  'code',
  'cas',
  'casnumber',
  'casrn',
  'genericname',
  'inn',
];

/** The places of the headings that may name a ligand, the best first. */
export function nameColumns(headings: readonly string[]): readonly number[] {
  const plain = headings.map((heading) => heading.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  return NAME_HEADINGS.map((heading) => plain.indexOf(heading)).filter((column) => column !== -1);
}

/** More of a name is not looked at. */
const LONGEST_NAME = 4096;
const LONGEST_ID = 100;
/** Names that are cut end with so much of a digest, because long names often differ at their end alone. */
const DIGEST_CHARACTERS = 8;
const LONGEST_LABEL = 512;

/** Names as many are: an id already, and nothing but what can be shown. */
const IS_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const IS_LABEL = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** An id of letters, digits and `.`, `_`, `-` that begins with one of the first two; empty when nothing of the name is left. */
export function idOfName(name: string): string {
  if (name.length <= LONGEST_ID && IS_ID.test(name)) return name;
  const id = name
    .slice(0, LONGEST_NAME)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .replace(/[^A-Za-z0-9]+$/, '');
  if (id.length <= LONGEST_ID) return id;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_CHARACTERS);
  return `${id.slice(0, LONGEST_ID - DIGEST_CHARACTERS - 1)}-${digest}`;
}

/** Gives each record of a library an id that no other one has: an id that comes again gets a number. */
export class LigandIds {
  readonly #taken = new Set<string>();
  /** The last number that an id got, so that a name which ten thousand records have is not counted up each time. */
  readonly #numbers = new Map<string, number>();

  /** An id for the next record; a record without a name is called by its number. */
  next(name: string): { readonly ligandId: string; readonly isRepeated: boolean } {
    const wanted = idOfName(name) || `ligand-${this.#taken.size + 1}`;
    let [ligandId, number] = [wanted, this.#numbers.get(wanted) ?? 1];
    while (this.#taken.has(ligandId)) {
      number += 1;
      ligandId = `${wanted}-${number}`;
    }
    this.#taken.add(ligandId);
    this.#numbers.set(wanted, number);
    return { ligandId, isRepeated: ligandId !== wanted };
  }
}

/** The name as it is shown to people; the id where the name has nothing to show. */
export function labelOfName(name: string, ligandId: string): string {
  if (name.length <= LONGEST_LABEL && IS_LABEL.test(name)) return name;
  const label = name
    .slice(0, LONGEST_NAME)
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, LONGEST_LABEL)
    .toWellFormed();
  return label === '' ? ligandId : label;
}
