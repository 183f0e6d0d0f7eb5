/** blastn: nucleotide sequences searched in a database of nucleotide sequences. */
import { createSearchTool } from '../blast/tool.ts';

/** The tool that searches nucleotide sequences. */
export const blastn = createSearchTool({
  id: 'blastn',
  title: 'BLASTN',
  summary: 'Searches nucleotide sequences in a database of nucleotide sequences, and aligns what it finds.',
  docsPage: 'docs/tools/blastn.md',
  molecule: 'nucl',
  searches: ['megablast', 'dc-megablast', 'blastn', 'blastn-short'],
});
