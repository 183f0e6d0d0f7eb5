/** Commands that start the processes of docking's Python side. */
import { invariantBroken } from '../../domain/invariant.ts';
import { pythonCommand, pythonSession } from '../python-session.ts';
import type { PythonOptions } from '../python-session.ts';
import type { SessionCommand, ToolInstallation } from '../tool.ts';
import { DOCKING_PACKAGES } from './toolchain.ts';

/**
 * The command of a session; `tool` is one of the modules of docking's package that open a tool.
 * @throws a broken invariant where the Python side is not installed.
 */
export function scienceSession(science: ToolInstallation, tool: string): SessionCommand {
  return pythonSession(optionsOf(science), tool);
}

/**
 * The command of the process that computes the charges of ligands for a preview.
 * @throws a broken invariant where the Python side is not installed.
 */
export function previewCommand(science: ToolInstallation): SessionCommand {
  return pythonCommand(optionsOf(science), 'dockyard_science.ligand_preview');
}

/**
 * The command of the process that compares molecules.
 * @throws a broken invariant where the Python side is not installed.
 */
export function diversityCommand(science: ToolInstallation): SessionCommand {
  return pythonCommand(optionsOf(science), 'dockyard_science.diversity');
}

function optionsOf({ python, ccd }: ToolInstallation): PythonOptions {
  if (python === null || ccd === null) {
    throw invariantBroken(
      'the Python side is not installed here: DOCKYARD_SCIENCE_PYTHON and DOCKYARD_CCD must be set where tools run',
    );
  }
  return { python, packages: DOCKING_PACKAGES, env: { DOCKYARD_CCD: ccd }, reads: [ccd] };
}
