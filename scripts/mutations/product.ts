/**
 * Single changes of product code, each of which the files of tests beside it must notice: one for each guarantee that a customer or an
 * operator would miss first. Before a test goes, the changes show what is still found without it.
 */

/** A change of one place of the product, and the files of tests that notice it. */
export interface ProductMutant {
  readonly file: string;
  /** A text that the file has once. */
  readonly from: string;
  readonly to: string;
  readonly tests: readonly string[];
}

const FUNCTIONS = 'migrations/functions.sql';
const LEDGER_MODEL = 'test/services/ledger-model.test.ts';
const DOORS = 'test/api/doors-matrix.test.ts';
const SCIENCE = 'science/autodock-vina/src/dockyard_science';
const DOCKING = 'science/autodock-vina/tests/docking';
const RECEPTOR = 'science/autodock-vina/tests/receptor';

/** All of them: money, the work of jobs, the doors of the API, uploads, readers, the science, the command line. */
export const PRODUCT_MUTANTS: readonly ProductMutant[] = [
  {
    file: FUNCTIONS,
    from: "where id = hold and state = 'OPEN' and charge <= held_pence",
    to: 'where id = hold and charge <= held_pence',
    tests: [LEDGER_MODEL],
  },
  {
    file: FUNCTIONS,
    from: '    wallet_held = wallet_held - h.wallet_pence, monthly = monthly + to_monthly,',
    to: '    wallet_held = wallet_held - h.wallet_charged_pence, monthly = monthly + to_monthly,',
    tests: [LEDGER_MODEL],
  },
  {
    file: FUNCTIONS,
    from: 'if fault_is_ours then to_wallet := to_wallet + h.monthly_released_pence - to_monthly;',
    to: 'if false then to_wallet := to_wallet + h.monthly_released_pence - to_monthly;',
    tests: [LEDGER_MODEL],
  },
  {
    file: FUNCTIONS,
    from: "if not found or h.state <> 'OPEN' or h.extensions <> nth - 1 then",
    to: "if not found or h.state <> 'OPEN' then",
    tests: ['test/services/ledger-extensions.test.ts'],
  },
  {
    file: 'src/services/ledger/batch.ts',
    from: '  balances.forEach(refuseOverdraft);\n',
    to: '',
    tests: ['test/services/ledger.test.ts'],
  },
  {
    file: 'src/services/ledger/allowance.ts',
    from: '    ...(await expiryOf(tx, accountId)),\n',
    to: '',
    tests: [LEDGER_MODEL],
  },
  {
    file: 'src/domain/charge.ts',
    from: "return above > 0n ? [...lines, costLine('ceiling', -above)] : lines;",
    to: 'return lines;',
    tests: ['test/unit/domain/pricing.test.ts'],
  },
  {
    file: 'src/domain/pricing.ts',
    from: 'return (value + by - 1n) / by;',
    to: 'return value / by;',
    tests: ['test/unit/domain/pricing.test.ts'],
  },
  {
    file: 'src/domain/cover.ts',
    from: 'if (missing <= 0 || (limitPence !== null && needed > limitPence)) return [];',
    to: 'if (missing <= 0) return [];',
    tests: ['test/unit/domain/cover.test.ts'],
  },
  {
    file: 'src/services/idempotency.ts',
    from: 'i.locked_until <= now() and i.fingerprint = excluded.fingerprint',
    to: 'i.locked_until <= now()',
    tests: ['test/services/idempotency.test.ts'],
  },
  {
    file: 'src/services/idempotency.ts',
    from: '  and extract(epoch from locked_until) = $5::numeric`',
    to: '  and $5::numeric is not null`',
    tests: ['test/services/idempotency.test.ts'],
  },
  {
    file: 'api/http/handle.ts',
    from: '    await finish(services.idempotency.abandon(reference));\n    throw error;',
    to: '    throw error;',
    tests: ['test/unit/api/http-idempotency.test.ts'],
  },
  {
    file: 'api/http/networks.ts',
    from: 'const NETWORK_GROUPS = 4;',
    to: 'const NETWORK_GROUPS = 8;',
    tests: ['test/unit/api/buckets.test.ts'],
  },
  {
    file: 'api/http/buckets.ts',
    from: 'const isTaken = tokens.every((each) => each >= count);',
    to: 'const isTaken = tokens.some((each) => each >= count);',
    tests: ['test/unit/api/buckets.test.ts'],
  },
  {
    file: 'api/http/authenticate.ts',
    from: 'if (endpoint.live === true) requireLive(actor);',
    to: '',
    tests: [DOORS],
  },
  {
    file: 'api/http/same-origin.ts',
    from: 'if (isOwn === false || (isOwn === null && actor !== null))',
    to: 'if (isOwn === null && actor !== null)',
    tests: [DOORS],
  },
  {
    file: 'src/services/uploads/quota.ts',
    from: 'if (used + byteSize <= quotaBytes) return null;',
    to: 'if (used <= quotaBytes) return null;',
    tests: ['test/services/uploads-announced.test.ts'],
  },
  {
    file: 'src/services/uploads/parts.ts',
    from: 'bare(etag) !== bare(part.etag)',
    to: 'false',
    tests: ['test/integration/uploads.test.ts'],
  },
  {
    file: 'src/services/uploads/single.ts',
    from: 'if (store.enforcesPartChecksums && bound !== null && bound === sha256?.toLowerCase()) return;',
    to: 'if (bound === (sha256?.toLowerCase() ?? null)) return;',
    tests: ['test/services/uploads-announced.test.ts'],
  },
  {
    file: 'src/services/execution/claim/claim.ts',
    from: '          and o.fenced_at is null)))',
    to: '          and o.fenced_at is not null)))',
    tests: ['test/services/resumed-jobs.test.ts'],
  },
  {
    file: 'src/services/execution/commit/commit.ts',
    from: 'if (!isOrdinal(ordinal) || reports.has(ordinal)) continue;',
    to: 'if (!isOrdinal(ordinal)) continue;',
    tests: ['test/services/judgement.test.ts'],
  },
  {
    file: 'src/services/execution/settle/completeness.ts',
    from: "lost as (select kind, ordinal from missing union select 'merge', 0 from missing where kind = 'task'),",
    to: 'lost as (select kind, ordinal from missing),',
    tests: ['test/services/commit.test.ts'],
  },
  {
    file: 'src/services/execution/settle/settle.ts',
    from: 'if (job.execution > ending.execution && isSettled) return answerOf(tx, ending, execution);',
    to: '',
    tests: ['test/services/resumed-jobs.test.ts'],
  },
  {
    file: 'src/services/execution/settle/settle.ts',
    from: 'exists (select 1 from holds where job_id = $1 and execution < $2 and charged_pence > 0) as charged_before',
    to: 'false as charged_before',
    tests: ['test/services/resumed-jobs.test.ts'],
  },
  {
    file: 'src/services/jobs/resume.ts',
    from: "where job_id = $1 and kind <> 'finish' and state <> 'SUCCEEDED' and failure_code",
    to: "where job_id = $1 and kind <> 'finish' and failure_code",
    tests: ['test/services/walk-rules.test.ts'],
  },
  {
    file: 'src/domain/job-state.ts',
    from: "return isStopped && !(state === 'PAUSED' && isBeingCancelled);",
    to: 'return isStopped;',
    tests: ['test/unit/domain/job-state.test.ts'],
  },
  {
    file: 'src/domain/stop-rule.ts',
    from: 'score >= worst) return false;',
    to: 'score > worst) return false;',
    tests: ['test/unit/domain/stop-rule.test.ts'],
  },
  {
    file: 'src/tools/ligand-library/smi.ts',
    from: "const end = extension === '' ? to : bytes.indexOf(BAR, bytes.indexOf(BAR, to) + 1) + 1;",
    to: 'const end = to;',
    tests: ['test/tools/ligand-library/dialects.test.ts'],
  },
  {
    file: 'src/tools/ligand-library/sdf.ts',
    from: '  if (record?.isBlank === false) yield record.end();\n',
    to: '',
    tests: ['test/tools/ligand-library/library.test.ts'],
  },
  {
    file: 'src/cli/customer/safe-path.ts',
    from: '.split(/[/\\\\]+/)',
    to: ".split('/')",
    tests: ['test/unit/cli/download.test.ts'],
  },
  {
    file: `${SCIENCE}/metals.py`,
    from: 'if residue.name != "TYR" or _takes_proton(owner, distance):',
    to: 'if True:',
    tests: [`${RECEPTOR}/test_fixed_states.py`],
  },
  {
    file: `${SCIENCE}/box.py`,
    from: 'if heavy_atoms < FEWEST_HEAVY_ATOMS:',
    to: 'if heavy_atoms < 0:',
    tests: [`${RECEPTOR}/test_box_and_native.py`],
  },
  {
    file: `${SCIENCE}/poses.py`,
    from: 'if not stereo_agrees(mol, mode):',
    to: 'if False:',
    tests: [`${DOCKING}/test_poses.py`],
  },
  {
    file: `${SCIENCE}/second_opinion.py`,
    from: 'divisor = 1 + _ROTOR_WEIGHT * _rotors(models[0])',
    to: 'divisor = 1',
    tests: [`${DOCKING}/test_second_opinion.py`],
  },
  {
    file: `${SCIENCE}/pose_checks.py`,
    from: 'if time.process_time() >= self._end:',
    to: 'if False:',
    tests: [`${DOCKING}/test_pose_checks.py`],
  },
];
