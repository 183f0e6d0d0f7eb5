// Types and lint in one process, for `npm test`: the compiler and the lint rules that ask for types share one program, so
// that the checkout is read and its types are worked out once. `npm run typecheck` and `npm run lint` find the same.
//
//   node scripts/types-and-lint.ts FOLDER REPORT    prints the findings, and writes a JUnit file of the two cases
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

/** What the compiler or the linter says; nothing where all is well. */
type Complaint = string;

/** The program that `tsc -p tsconfig.json` makes of a checkout. */
function programOf(root: string): ts.Program {
  const parsed = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic(diagnostic) {
      throw new Error(ts.formatDiagnostic(diagnostic, formatHost(root)));
    },
  });
  if (parsed === undefined) throw new Error(`${root} has no tsconfig.json.`);
  return ts.createProgram({
    rootNames: parsed.fileNames,
    options: parsed.options,
    configFileParsingDiagnostics: parsed.errors,
    // The parser of the lint rules walks from a node to its parents.
    host: ts.createCompilerHost(parsed.options, true),
  });
}

function checkTypes(root: string, program: ts.Program): Complaint {
  const diagnostics = ts.sortAndDeduplicateDiagnostics(ts.getPreEmitDiagnostics(program));
  return ts.formatDiagnostics(diagnostics, formatHost(root));
}

async function lint(root: string, program: ts.Program): Promise<Complaint> {
  const languageOptions = { parserOptions: { projectService: false, programs: [program] } };
  const eslint = new ESLint({ cwd: root, overrideConfig: { files: ['**/*.ts'], languageOptions } });
  const results = await eslint.lintFiles(['.']);
  // The formatter answers nothing where there is neither an error nor a warning, and a warning fails as an error does.
  return (await eslint.loadFormatter('stylish')).format(results);
}

function formatHost(root: string): ts.FormatDiagnosticsHost {
  return { getCurrentDirectory: () => root, getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
}

const [folder, report] = process.argv.slice(2);
if (folder === undefined || report === undefined) throw new Error('Name the folder and the report.');
const root = resolve(folder);
const program = programOf(root);
const complaints = [checkTypes(root, program), await lint(root, program)].filter((text) => text !== '');
for (const complaint of complaints) console.log(complaint);
const counts = `tests="2" failures="${String(complaints.length)}" errors="0" skipped="0"`;
mkdirSync(dirname(report), { recursive: true });
writeFileSync(report, `<testsuite name="types and lint" ${counts} />\n`);
process.exitCode = complaints.length === 0 ? 0 : 1;
