/** Pictures that a page may embed: a picture runs no script and loads nothing from elsewhere. */

const ELEMENTS = [
  'svg',
  'g',
  'rect',
  'path',
  'ellipse',
  'circle',
  'polygon',
  'polyline',
  'line',
  'text',
  'tspan',
];
/** Addresses of XML vocabularies, which no reader fetches. */
const VOCABULARY = /\sxmlns(?::\w+)?='http:\/\/www\.[\w./]+'/g;

/** Whether a picture has a size and contains nothing but shapes and letters. */
export function isPlainSvg(svg: string): boolean {
  if (!svg.startsWith('<svg') || !svg.endsWith('</svg>')) return false;
  const [head = ''] = svg.split('>', 1);
  if (!/\swidth='\d+px'/.test(head) || !/\sheight='\d+px'/.test(head)) return false;
  const body = svg.replace(VOCABULARY, '').replaceAll(/<!-- [A-Z ]+ -->/g, '');
  const names = [...body.matchAll(/<\/?([^\s/>]*)/g)].map(([, name = '']) => name);
  const isForeign = /\son\w+\s*=|\bhref\b|:\/\/|javascript:|url\s*\(|@import|&(?!lt;|gt;|amp;|quot;|#\d+;)/i;
  return names.every((name) => ELEMENTS.includes(name)) && !isForeign.test(body);
}
