/** The tools: one folder and one line here for each. All that depends on which tools there are is derived from this list. */
import { autodockVina } from './autodock-vina/index.ts';
import { blender } from './blender/index.ts';
import { blastn } from './blastn/index.ts';
import { blastp } from './blastp/index.ts';
import { formatConvert } from './format-convert/index.ts';
import { fpocket } from './fpocket/index.ts';
import { receptorInspect } from './receptor-inspect/index.ts';
import { swan } from './swan/index.ts';
import type { Tool } from './tool.ts';
import { wavewatch3 } from './wavewatch3/index.ts';

/** All tools, in the order in which documents name them. */
export const TOOLS: readonly Tool[] = [
  autodockVina,
  fpocket,
  blastp,
  blastn,
  swan,
  wavewatch3,
  blender,
  receptorInspect,
  formatConvert,
];
