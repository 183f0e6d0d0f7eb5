/** blastp: proteins searched in a database of proteins. */
import { createSearchTool } from '../blast/tool.ts';

/** The tool that searches proteins. */
export const blastp = createSearchTool({
  id: 'blastp',
  title: 'BLASTP',
  summary: 'Searches proteins in a database of proteins, and aligns what it finds.',
  docsPage: 'docs/tools/blastp.md',
  molecule: 'prot',
  searches: ['blastp', 'blastp-fast', 'blastp-short'],
});
