/**
 * How a session of the Python side is started: with one thread, and with modules from the checkout and the locked
 * packages only.
 */
import { invariantBroken } from '../../domain/invariant.ts';
import type { SessionCommand, ToolInstallation } from '../tool.ts';
import { SCIENCE_FOLDER } from './toolchain.ts';

/**
 * A ligand gets one core, so a library must not start more threads: they would take the cores of neighbouring tasks.
 */
const ONE_THREAD = ['OMP_NUM_THREADS', 'MKL_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMEXPR_NUM_THREADS'];

/**
 * The command of a session.
 * @throws a broken invariant where the Python side is not installed.
 */
export function scienceSession(science: ToolInstallation): SessionCommand {
  return scienceCommand(science, 'dockyard_science.session');
}

/**
 * The command of the process that computes the charges of ligands for a preview.
 * @throws a broken invariant where the Python side is not installed.
 */
export function previewCommand(science: ToolInstallation): SessionCommand {
  return scienceCommand(science, 'dockyard_science.ligand_preview');
}

function scienceCommand(science: ToolInstallation, module: string): SessionCommand {
  if (science.python === null || science.ccd === null) {
    throw invariantBroken(
      'the Python side is not installed here: DOCKYARD_SCIENCE_PYTHON and DOCKYARD_CCD must be set where tools run',
    );
  }
  return {
    file: science.python,
    args: ['-m', module],
    env: {
      ...Object.fromEntries(ONE_THREAD.map((name) => [name, '1'])),
      PYTHONPATH: `${SCIENCE_FOLDER}/src`,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONHASHSEED: '0',
      PYTHONSAFEPATH: '1',
      PYTHONNOUSERSITE: '1',
      DOCKYARD_CCD: science.ccd,
    },
  };
}
