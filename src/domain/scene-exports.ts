/**
 * Files of an exported scene. The names inside a package are part of its format: whoever proves a package in ten years finds the parts by
 * them.
 */

/** The forms of an export. */
export const EXPORT_FORMATS = ['mvsx', 'mvsj'] as const;
/** A form of an export: a package with its data, or the scene alone, whose data is public. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Names of the files of a package. */
export const PACKAGE = {
  /** The scene, which names the files of the package. */
  scene: 'index.mvsj',
  /** The content of a revision as it was signed. */
  content: 'content.json',
  /** The signed receipt of a revision. */
  receipt: 'receipt.json',
  /** The public keys of the service when the package was made. */
  keys: 'receipt-keys.json',
  readme: 'README.md',
  /** The digests of all other files, as sha256sum writes and checks them. */
  sums: 'SHA256SUMS',
  /** The folder of the data. */
  data: 'data/',
  /** The folder of the signed receipts of jobs that made the data. */
  jobs: 'job-receipts/',
} as const;

/** The most bytes of the data of a package: a viewer holds all of it in the memory of a browser. */
export const MOST_PACKAGE_BYTES = 512 * 1024 * 1024;

const ENDINGS: Readonly<Record<string, string>> = {
  'chemical/x-pdb': 'pdb',
  'chemical/x-mmcif': 'cif',
  'chemical/x-pdbqt': 'pdbqt',
  'chemical/x-mdl-sdfile': 'sdf',
  'chemical/x-mol2': 'mol2',
};
const LONGEST_NAME = 80;

/** Names files inside a package: as they were called, with the ending of their format, and each name once. */
export function packageNames(): (file: { readonly name: string; readonly mediaType: string }) => string {
  const taken = new Set<string>();
  return ({ name, mediaType }) => {
    const plain = name.replace(/^.*\//, '').replaceAll(/[^A-Za-z0-9._-]+/g, '-');
    const [, stem = '', own = ''] = /^[.-]*(.*?)(?:\.([A-Za-z0-9]{1,8}))?$/.exec(plain) ?? [];
    const ending = ENDINGS[mediaType] ?? (own === '' ? 'bin' : own.toLowerCase());
    const base = stem.slice(0, LONGEST_NAME) || 'data';
    for (let count = 1; ; count += 1) {
      const full = `${PACKAGE.data}${base}${count === 1 ? '' : `-${count}`}.${ending}`;
      if (taken.has(full.toLowerCase())) continue;
      taken.add(full.toLowerCase());
      return full;
    }
  };
}
