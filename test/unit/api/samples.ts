/** Valid values that the tests of this folder start from. */
/** A value of unknown shape, whose members a test reads. */
export type Loose = ReturnType<typeof JSON.parse>;

export const HEX64 = 'a'.repeat(64);

export const artifact = {
  schema: 'svc.docking.artifact/v1',
  artifactId: '018f2f3a-0000-7000-8000-000000000009',
  storageKey: 'accounts/a/uploads/u/receptor.pdb',
  sha256: HEX64,
  byteSize: 0,
  mediaType: 'chemical/x-pdb',
  format: 'pdb',
};

export const ligand = {
  ligandId: 'aspirin',
  label: 'Aspirin',
  source: { kind: 'smiles', smiles: 'CC(=O)Oc1ccccc1C(=O)O' },
};

export const residueAt = { chain: 'A', residue: 25 };

export const preparedReceptor = {
  cacheKey: HEX64,
  receptorIdentitySha256: HEX64,
  preparationSha256: HEX64,
  toolchainSha256: HEX64,
  workerImageDigest: `sha256:${HEX64}`,
};

export const text = (length: number): string => 'x'.repeat(length);

export const list = <T>(length: number, item: T): T[] => Array.from({ length }, () => item);

export const library = (length: number): (typeof ligand)[] =>
  Array.from({ length }, (_, index) => ({ ...ligand, ligandId: `l${index}` }));
