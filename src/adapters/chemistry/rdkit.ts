/**
 * RDKit as WebAssembly: reads a molecule, writes its canonical SMILES and draws it. A customer's molecule is read here first, in
 * a sandbox that reaches neither memory nor files of the process. Objects of the module are deleted by hand, because the memory
 * of the module has no garbage collection. RDKit may take long over a hostile molecule:
 * `molecules.ts` sets the limit.
 */
import rdkit from '@rdkit/rdkit';
import type { Log, MainModule, Mol } from '@rdkit/rdkit';

import type { MatchAnswer, StructureAnswer, StructureFault } from './chemistry.ts';
import { compositionOf } from './formula.ts';
import { isPlainSvg } from './svg.ts';

/** The reader and drawer of molecules. */
export interface Rdkit {
  /**
   * `text` is SMILES or a mol block; `what` names the molecule in messages.
   * @throws whatever the module throws, such as after a stack overflow; the module may be broken afterwards.
   */
  draw(text: string, what: string): StructureAnswer;
  /** Whether each molecule has the pattern; what is no molecule has it not. `smiles` are as RDKit writes them. */
  match(smarts: string, smiles: readonly string[]): MatchAnswer;
}

const PICTURE = JSON.stringify({ width: 320, height: 240 });
/**
 * A hydrogen that only gives an imine its configuration is removed, too, because such a hydrogen turns over by itself.
 */
const HYDROGENS = JSON.stringify({ removeDefiningBondStereo: true });
const REASON_CHARACTERS = 200;
const NO_MATCH = '{}';
/** A pattern that each of these has alone is one that every molecule has. */
const ELEMENTS = ['C', 'N', 'O', 'S', 'P', 'F', 'Cl', 'Br', 'I', 'B', '[SiH4]'];
/** Twice what can be docked; a picture of more atoms shows nothing and takes seconds to draw. */
const MOST_ATOMS = 200;

/** Loads the module, which takes a quarter of a second and 30 MB. */
export async function loadRdkit(): Promise<Rdkit> {
  const quiet = (): void => undefined;
  const module = await rdkit.default({ print: quiet, printErr: quiet });
  const log = module.set_log_capture('rdApp.error');
  return {
    draw: (text, what) => drawText(module, log, text, what),
    match: (smarts, smiles) => matchAll(module, log, smarts, smiles),
  };
}

function matchAll(
  module: MainModule,
  log: Log | null,
  smarts: string,
  smiles: readonly string[],
): MatchAnswer {
  log?.clear_buffer();
  const pattern = module.get_qmol(smarts);
  if (pattern === null) return { ok: false, reason: reasonIn(log) };
  try {
    if (pattern.get_num_atoms() === 0) return { ok: false, reason: 'it has no atoms' };
    const has = (text: string): boolean => {
      const mol = module.get_mol(text);
      if (mol === null) return false;
      try {
        return mol.get_substruct_match(pattern) !== NO_MATCH;
      } finally {
        mol.delete();
      }
    };
    if (ELEMENTS.every(has)) return { ok: false, reason: 'every molecule has it, so it chooses none' };
    return { ok: true, matched: smiles.map(has) };
  } finally {
    pattern.delete();
  }
}

function drawText(module: MainModule, log: Log | null, text: string, what: string): StructureAnswer {
  log?.clear_buffer();
  const owned: Mol[] = [];
  const read = (input: string): Mol | null => {
    const mol = module.get_mol(input);
    if (mol !== null) owned.push(mol);
    return mol;
  };
  try {
    const given = read(text);
    if (given === null || given.get_num_atoms() === 0) return refused(what, reasonIn(log));
    given.remove_hs_in_place(HYDROGENS);
    if (given.get_num_atoms() > MOST_ATOMS) return tooLarge(what, given.get_num_atoms());
    const smiles = given.get_smiles();
    // Drawn from its SMILES, a molecule looks the same whatever form it was sent in. Some metals cannot be read back.
    const drawn = read(smiles) ?? given;
    drawn.set_new_coords();
    const svg = withoutProlog(drawn.get_svg_with_highlights(PICTURE));
    if (!isPlainSvg(svg)) return refused(what, 'it cannot be drawn');
    return { ok: true, structure: { smiles, ...compositionOf(given.get_json()), svg } };
  } finally {
    for (const mol of owned) mol.delete();
  }
}

/** The answer for a text that is no molecule. */
export function refused(what: string, reason: string): StructureAnswer {
  const fault: StructureFault = {
    code: 'LIGAND_PARSE_FAILED',
    message: `The ${what} cannot be read: ${reason}.`,
  };
  return { ok: false, fault };
}

function tooLarge(what: string, atoms: number): StructureAnswer {
  const message = `The ${what} has ${atoms} atoms without hydrogens; ${MOST_ATOMS} are the most for a preview, half of that for docking.`;
  return { ok: false, fault: { code: 'LIGAND_TOO_LARGE', message } };
}

/** The first complaint of RDKit, without the time of day and without the text that the caller sent. */
function reasonIn(log: Log | null): string {
  const [line = ''] = (log?.get_buffer() ?? '').split('\n');
  const reason = line
    .replace(/^\[[\d:]+\]\s*/, '')
    .replace(/^SM(?:ILES|ARTS) Parse Error:\s*/, '')
    .replace(/\s*(?:while parsing|for input):.*$/, '')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, REASON_CHARACTERS)
    .trim();
  return reason === '' ? 'it is no complete molecule' : inWords(reason);
}

/** A complaint in a chemist's words; RDKit counts atoms from 0, and a chemist from 1. */
function inWords(reason: string): string {
  const plain = reason.replaceAll(/(?<=atom (?:# )?|atoms: [\d ]*)\d+/g, (index) =>
    String(Number(index) + 1),
  );
  const [, atoms] = /^Can't kekulize mol\. +Unkekulized atoms: ([\d ]+)/.exec(plain) ?? [];
  if (atoms === undefined) return plain.replace('atom # ', 'atom ');
  return `no alternating double bonds fit the aromatic atoms ${atoms.trim().replaceAll(' ', ', ')}; if a nitrogen there has a hydrogen, write [nH]`;
}

/**
 * A picture within a page has no XML declaration, and RDKit's declaration names an encoding that the answer does not
 * have.
 */
function withoutProlog(svg: string): string {
  return svg.replace(/^<\?xml[^>]*\?>\s*/, '').trim();
}
