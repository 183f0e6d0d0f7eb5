/** The page that tells whoever gets a package what it is, how it is opened, and how it is proven. */
import { PACKAGE } from '../../domain/scene-exports.ts';
import type { OpenArtifact } from '../artifacts.ts';

/** Facts that the page tells of a package. */
export interface ReadmeFacts {
  readonly title: string;
  readonly lost: readonly string[];
  readonly data: ReadonlyMap<string, OpenArtifact>;
  readonly others: readonly string[];
}

const ABOUT: Readonly<Record<string, string>> = {
  [PACKAGE.scene]: 'the scene, in MolViewSpec',
  [PACKAGE.content]: 'the content of the revision, byte for byte as it was signed',
  [PACKAGE.receipt]: 'the signed receipt of the revision',
  [PACKAGE.keys]: 'the public keys of the service when this package was made',
};

/** Writes the page. */
export function readmeOf({ title, lost, data, others }: ReadmeFacts): string {
  const files = [...data].map(
    ([name, { byteSize, sha256 }]) => `- \`${name}\`, ${byteSize} bytes, SHA-256 ${sha256}`,
  );
  const beside = others.map(
    (name) => `- \`${name}\`: ${ABOUT[name] ?? 'the signed receipt of a job that made data'}`,
  );
  const missing = [
    '',
    '## Lost',
    '',
    'These sources were not stored any more when the package was made. The rest of the scene opens without them.',
    '',
    ...lost.map((each) => `- ${each}`),
  ];
  return `${[
    `# ${title}`,
    '',
    'A molecular scene with its data. Open the file as it is, with its ending .mvsx, in Mol* (https://molstar.org/viewer): drag it into the',
    'window. Nothing is loaded from elsewhere. It is a zip archive, so any program that unpacks zip gives the files below.',
    '',
    '## Files',
    '',
    ...beside,
    `- \`${PACKAGE.sums}\`: digests of all files, for \`sha256sum -c ${PACKAGE.sums}\``,
    ...files,
    ...(lost.length === 0 ? [] : missing),
    '',
    '## Proof',
    '',
    '`dockyard project verify FILE.mvsx` proves the package without a network: that the receipts were signed by the service and are as they',
    'were, and that the files are those which the receipts name. It asks for the public keys of the service by --keys; the copy in this package',
    'shows that the package is whole, and not who signed it.',
  ].join('\n')}\n`;
}
