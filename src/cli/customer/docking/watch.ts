/** Follows a batch or a run to its end, with the best ligands so far. The person may leave; the work goes on. */
import type { Client, ResultScope } from '../../../client/index.ts';
import type { DockingResult, JobState } from '../../../client/types.ts';
import type { RankingView } from '../../../tools/shown.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { EXIT } from '../../problems.ts';
import { table } from '../../table.ts';
import { createJobDisplay } from '../display.ts';
import { followJob } from '../follow.ts';
import type { Ranker } from '../follow.ts';
import { exitCodeOf } from '../job-text.ts';
import { UNRANKED } from '../ranking.ts';
import type { Ranking } from '../ranking.ts';
import { bestText, resultColumns, resultLine, SCORE_NOTE } from './text.ts';

const BEST_SHOWN = 10;
/** A page of the best ligands is one call; it is asked for no more often than this. */
const RANKING_INTERVAL_MS = 1500;
const VIEW: RankingView = { columns: [], note: SCORE_NOTE, show: () => [] };

/** Docking that is followed: the job of the newest run, the results that are its own, and the commands that go on with it. */
export interface Followed {
  readonly jobId: string;
  readonly scope: ResultScope;
  /** The command that follows the same again. */
  readonly again: string;
  readonly cancel: string;
  /** Tells its final state, in words and for programs. */
  readonly conclude: () => Promise<{
    readonly data: object;
    readonly text: string;
    readonly status: JobState;
  }>;
}

/** Follows to the end, or until the person leaves. */
export async function watchDocking(
  context: CommandContext,
  client: Client,
  followed: Followed,
): Promise<CommandResult> {
  const { progress, terminal, screen } = context;
  const { jobId, scope } = followed;
  const best: DockingResult[] = [];
  const { hasEnded } = await followJob(client, jobId, {
    display: createJobDisplay(screen),
    terminal,
    ranker: (signal) => createRanker(client, scope, best, signal),
  });
  if (!hasEnded) {
    progress(`\nIt goes on without you. Follow it again with: dockyard ${followed.again}`);
    progress(`End it with: dockyard ${followed.cancel}`);
    return { data: { hasEnded, jobId, best }, text: '', exitCode: EXIT.interrupted };
  }
  const { data, text, status } = await followed.conclude();
  const ranked = best.length === 0 ? '' : `\n${table(resultColumns(false), best)}${SCORE_NOTE}\n`;
  return { data: { hasEnded, ...data, best }, text: `${text}${ranked}`, exitCode: exitCodeOf(status) };
}

/** Reads the best ligands whenever more are docked; a dry run and a tool that scores nothing have none. */
function createRanker(
  client: Client,
  scope: ResultScope,
  best: DockingResult[],
  signal: AbortSignal,
): Ranker {
  let [completed, notBeforeMs] = [0, 0];
  let ranking = UNRANKED;
  const read = async (): Promise<Ranking> => {
    const query = { status: 'SUCCEEDED' as const, limit: BEST_SHOWN };
    const { results } = await client.docking.listResults(scope, query, { signal });
    best.splice(0, best.length, ...results.filter(({ rank }) => rank !== null));
    notBeforeMs = performance.now() + RANKING_INTERVAL_MS;
    ranking = rankingOf(best);
    return ranking;
  };
  return {
    async rank({ progress }) {
      if (progress.completed === completed || performance.now() < notBeforeMs) return ranking;
      completed = progress.completed;
      return read();
    },
    last: read,
    known: () => ranking,
  };
}

function rankingOf(best: readonly DockingResult[]): Ranking {
  const [first] = best;
  if (first === undefined) return UNRANKED;
  const tasks = best.map((result) => ({
    id: result.ligand_id,
    data: { ligandId: result.ligand_id, affinityKcalMol: result.best_affinity_kcal_mol },
    liveLine: resultLine(result),
    cells: [],
  }));
  return { line: `Best so far: ${bestText(first)}`, view: VIEW, tasks };
}
