// The command line `dockyard` of a checkout or image.
import { runCommandLine } from '../cli/program.ts';
import { runProcess } from './process/command-line.ts';

await runProcess(runCommandLine);
