/** Command that starts a session of a wave model; its Python needs no package. */
import { invariantBroken } from '../../domain/invariant.ts';
import { pythonSession } from '../python-session.ts';
import type { SessionCommand, ToolInstallation } from '../tool.ts';
import type { WaveModel } from './model.ts';

/**
 * The command of a session.
 * @throws a broken invariant where the pack's Python environment is not there.
 */
export function waveSession(
  { python }: Pick<ToolInstallation, 'python'>,
  { pack, session }: WaveModel,
): SessionCommand {
  if (python === null)
    throw invariantBroken(`the Python environment of the ${pack.name} pack is not installed here`);
  return pythonSession({ python, packages: session.packages }, session.module);
}
