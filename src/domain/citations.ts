/** Citations of revisions of molecular projects: as a sentence, as BibTeX and as CSL-JSON. */

/** The facts of a citation. */
export interface Citation {
  readonly projectId: string;
  readonly version: number;
  /** Name of the project. */
  readonly name: string;
  readonly savedAt: string;
  readonly contentSha256: string;
  /** Address at which readers find the revision. */
  readonly url: string;
}

/** The forms of a citation. */
export const CITATION_FORMATS = ['text', 'bibtex', 'csl-json'] as const;
/** A form of a citation. */
export type CitationFormat = (typeof CITATION_FORMATS)[number];

/** An item of CSL-JSON. */
export type CslItem = {
  id: string;
  type: 'dataset';
  title: string;
  version: string;
  publisher: string;
  issued: { 'date-parts': number[][] };
  URL: string;
  note: string;
};

const PUBLISHER = 'Dockyard';
const DAY_CHARACTERS = 10;

/** Writes a citation. */
export function citationText(citation: Citation, format: CitationFormat): string {
  switch (format) {
    case 'text':
      return `${sentence(citation)}\n`;
    case 'bibtex':
      return bibtex(citation);
    case 'csl-json':
      return `${JSON.stringify(cslItems(citation), null, 2)}\n`;
    default:
      return format satisfies never;
  }
}

function sentence({ name, version, savedAt, url, contentSha256 }: Citation): string {
  const title = oneLine(name);
  return `${title}, version ${version} [molecular project]. ${PUBLISHER}, ${dayOf(savedAt)}. ${url} (SHA-256 of the content: ${contentSha256})`;
}

function bibtex({ name, version, savedAt, url, contentSha256, projectId }: Citation): string {
  const fields = [
    ['title', `{${texOf(oneLine(name))}}`],
    ['version', String(version)],
    ['date', dayOf(savedAt)],
    ['year', savedAt.slice(0, 4)],
    ['publisher', PUBLISHER],
    ['howpublished', `${PUBLISHER} molecular project, version ${version}`],
    ['url', url],
    ['note', `SHA-256 of the content: ${contentSha256}`],
  ];
  const lines = fields.map(([field = '', value = '']) => `  ${field} = {${value}},\n`);
  return `@misc{${keyOf(projectId, version)},\n${lines.join('')}}\n`;
}

/** A citation as a list of CSL-JSON with one item. */
export function cslItems({ name, version, savedAt, url, contentSha256, projectId }: Citation): CslItem[] {
  return [
    {
      id: keyOf(projectId, version),
      type: 'dataset',
      title: oneLine(name),
      version: String(version),
      publisher: PUBLISHER,
      issued: { 'date-parts': [dayOf(savedAt).split('-').map(Number)] },
      URL: url,
      note: `SHA-256 of the content: ${contentSha256}`,
    },
  ];
}

function keyOf(projectId: string, version: number): string {
  return `dockyard-${projectId}-v${version}`;
}

function dayOf(time: string): string {
  return time.slice(0, DAY_CHARACTERS);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

const TEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

/** A text whose characters that TeX would take for commands are escaped. */
function texOf(text: string): string {
  return text.replaceAll(/[\\~^&%$#_{}]/g, (character) => TEX[character] ?? `\\${character}`);
}
