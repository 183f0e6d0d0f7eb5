/**
 * The statements of a page of results. Docked ligands are read in the order of an index, run by run, so that a page costs the same
 * wherever it begins; all others are read from the rows of the tasks by their ids. A record that equals an earlier one of
 * its library is listed with what became of the earlier one, under its own id.
 *
 * Every statement has the jobs first ($1, the newest run first) and the library second ($2). Of the runs that have a ligand
 * the newest one counts: the planning of a newer run marks the tasks of older runs as superseded, and what is superseded is left out.
 */
import { FIRST_REPEATED } from '../../../domain/docking-ids.ts';
import { exactTime } from '../../exact-time.ts';
import { recordOf } from '../../libraries/record-sql.ts';
import { beginOfRankStep, rankStepOf } from '../rank-counts-sql.ts';

/** Rows of the jobs that count: the list of the jobs, and the conditions on results and tasks. */
interface Membership {
  /** The jobs as `run` with their place. */
  readonly runs: (sets: string) => string;
  /** On a result `r`. */
  readonly result: string;
  /** On a task `t`, once for each index of tasks that are not done. */
  readonly tasks: readonly string[];
  /** Whether the library may have records that equal earlier ones. */
  readonly mayRepeat: boolean;
}

const NOT_SUPERSEDED = 'not t.superseded';
const RUNS = (): string => 'unnest($1::uuid[]) with ordinality run (job_id, place)';
/** The newest run of each ligand. A docked ligand is looked up for each row that is shown, which the offset keeps so. */
const NEWEST: Membership = {
  runs: RUNS,
  result: `not exists (select from tasks nt
            where nt.job_id = r.job_id and nt.kind = 'task' and nt.ordinal = r.ordinal and nt.superseded offset 0)`,
  tasks: [NOT_SUPERSEDED],
  mayRepeat: true,
};
/** All ligands of a batch that has one run. The planner walks an index in its order only where nothing is taken out of it. */
const OF_ONE_RUN: Membership = { ...NEWEST, result: 'true' };
/**
 * All ligands of one run without equal records, as nearly every page is: planning parts that it does not need takes half of a
 * page's time.
 */
const PLAIN: Membership = { ...OF_ONE_RUN, mayRepeat: false };
/** All ligands of one run, those that newer runs have docked again included. */
const WHOLE_RUN: Membership = { ...OF_ONE_RUN, tasks: [NOT_SUPERSEDED, 't.superseded'] };
/** Of each job the ordinals that an export was asked for with. */
const INCLUDED: Membership = {
  runs: (sets) =>
    `unnest($1::uuid[], ${sets}::int4multirange[]) with ordinality run (job_id, ordinals, place)`,
  result: 'r.ordinal <@ run.ordinals',
  tasks: WHOLE_RUN.tasks.map((index) => `${index} and t.ordinal <@ run.ordinals`),
  mayRepeat: true,
};

/** Facts of a ligand in its library record; a run without a library has one ligand, whose label is given. */
const RECORD = (fallback: string): string => `
  left join lateral ${recordOf('$2', 'x.ligand_id')} l on true
  cross join lateral (select coalesce(l.label, ${fallback}::text, x.ligand_id) as label) named`;
const LABEL_OF = (ligandId: string, fallback: string): string =>
  `coalesce((select l.label from ${recordOf('$2', ligandId)} l), ${fallback}::text, ${ligandId})`;

const DOCKED = `r.id as docked_id, r.job_id, r.ordinal, r.best_affinity_kcal_mol, r.ligand_efficiency, r.size_independent_efficiency,
  r.pose_count, r.plausible_pose_count, r.smiles_input, r.smiles_docked, r.formal_charge, r.heavy_atoms, r.warnings,
  r.descriptors, r.second_affinity_kcal_mol, r.second_rank, r.key_interactions, r.cluster, r.states,
  r.cached_from_result_id, r.created_at`;
const SHOWN_DOCKED = DOCKED.replaceAll('r.', 'x.')
  .replace('x.id as docked_id', 'x.docked_id')
  .replace(', x.created_at', '');

/**
 * Results with a mode that has as many of the contacts $8 as are asked for ($9, $10). Sums of modes have 52 bits, so they are exact
 * in floating point, which is several times as quick as the sum of whole numbers, whose type has no bound.
 */
const HITS = `select c.result_id from docking_contacts c where c.job_id = any($1::uuid[]) and c.contact = any($8::text[])
        group by c.result_id, c.block having ((sum(c.modes::float8)::bigint + $9::bigint) & $10::bigint) <> 0`;
/**
 * Filters of docked ligands: $5 the highest score, $6 a warning, $7 the beginning of the label, $8 to $10 contacts, $11 the only label, $14 the id of the ligand,
 * $15 a path that the figures of the ligand fulfil, $16 the results whose molecules have a pattern.
 */
const PASSES = (ligandId: string): string => `
      ($5::float8 is null or r.best_affinity_kcal_mol <= $5)
      and ($6::text is null or r.warnings @> jsonb_build_array(jsonb_build_object('code', $6::text)))
      and ($7::text is null or starts_with(${LABEL_OF(ligandId, '$11')}, $7))
      and ($8::text[] is null or r.id in (${HITS}))
      and ($14::text is null or ${ligandId} = $14)
      and ($15::jsonpath is null or r.descriptors @@ $15::jsonpath)
      and ($16::uuid[] is null or r.id = any($16))`;

/** A page of docked ligands after the place $3, $4; $12 is how many, $13 whether the library has equal records. */
function dockedBy(
  { runs, result, mayRepeat }: Membership,
  [key, after, order]: readonly [key: string, after: (ligandId: string) => string, order: string],
): string {
  const once = `
      (select d.* from ${runs('$17')} cross join lateral (
        select r.ordinal as place, r.ligand_id, ${key} as key, ${DOCKED} from docking_results r
        where r.job_id = run.job_id and ${after('r.ligand_id')} and ${PASSES('r.ligand_id')}
          and ${result}
        order by ${order} limit $12::int) d)`;
  const again = `
      union all
      (select ${FIRST_REPEATED} + a.ordinal as place, a.ligand_id, ${key} as key, ${DOCKED}
       from ligand_library_records a
         join ligand_library_records o on o.library_id = a.library_id and o.ordinal = a.same_as
         cross join ${runs('$17')}
         join docking_results r on r.job_id = run.job_id and r.ligand_id = o.ligand_id
       where $13::boolean and a.library_id = $2::uuid and a.same_as is not null
         and ${after('a.ligand_id')} and ${PASSES('a.ligand_id')} and ${result})`;
  return `
  select x.place, x.ligand_id, x.key, ${SHOWN_DOCKED}, ${exactTime('x.created_at')} as created_at, named.label, l.properties, l.line
  from (
    select * from (${once} ${mayRepeat ? again : ''}
    ) found where ${mayRepeat ? 'true' : 'not $13::boolean'} order by key, ligand_id collate "C" limit $12::int
  ) x
  ${RECORD('$11')}
  order by x.key, x.ligand_id collate "C"`;
}

const EFFICIENCY = `(- coalesce(r.ligand_efficiency, '-infinity'::float8))`;

/** A page without a place begins before everything, so that the place is always a condition that an index begins at. */
const AFTER = `(coalesce($3::float8, '-infinity'), coalesce($4::text, ''))`;
const BY = {
  affinity: [
    'r.best_affinity_kcal_mol',
    (id) => `(r.best_affinity_kcal_mol, ${id}) > ${AFTER}`,
    'r.best_affinity_kcal_mol, r.ligand_id',
  ],
  efficiency: [EFFICIENCY, (id) => `(${EFFICIENCY}, ${id}) > ${AFTER}`, `${EFFICIENCY}, r.ligand_id`],
  ligandId: [
    '0::float8',
    (id) => `coalesce($3::float8, 0) <= 0 and ${id} > coalesce($4::text, '')`,
    'r.ligand_id',
  ],
} as const satisfies Readonly<Record<string, Parameters<typeof dockedBy>[1]>>;

/** The page of docked ligands in each order. Ids are compared by their bytes. */
export const DOCKED_PAGES = {
  affinity: dockedBy(NEWEST, BY.affinity),
  efficiency: dockedBy(NEWEST, BY.efficiency),
  ligandId: dockedBy(NEWEST, BY.ligandId),
} as const;

/** The same where there is one run. */
export const DOCKED_PAGES_OF_ONE = {
  affinity: dockedBy(OF_ONE_RUN, BY.affinity),
  efficiency: dockedBy(OF_ONE_RUN, BY.efficiency),
  ligandId: dockedBy(OF_ONE_RUN, BY.ligandId),
} as const;

/** The same where there is one run, whose library has no equal records. */
export const DOCKED_PAGES_PLAIN = {
  affinity: dockedBy(PLAIN, BY.affinity),
  efficiency: dockedBy(PLAIN, BY.efficiency),
  ligandId: dockedBy(PLAIN, BY.ligandId),
} as const;

/** The page of an export's docked ligands: $17 has the ordinals of each job. */
export const INCLUDED_PAGES = {
  affinity: dockedBy(INCLUDED, BY.affinity),
  efficiency: dockedBy(INCLUDED, BY.efficiency),
  ligandId: dockedBy(INCLUDED, BY.ligandId),
} as const;

/** How many ligands of an export pass its filters. */
export const INCLUDED_COUNT = `select count(*)::int as count from (${INCLUDED_PAGES.ligandId}) counted`;

/** Of a run `run`, tasks of the asked state and code without a record; the offset keeps this a look for each row of a page. */
const UNDOCKED = `t.job_id = run.job_id and t.kind = 'task'
        and ($4::text is null or t.state = $4) and ($5::text is null or t.failure_code = $5)
        and not exists (select from docking_results r where r.job_id = t.job_id and r.ordinal = t.ordinal offset 0)`;
const NOT_DONE = `t.state <> 'SUCCEEDED'`;
/** A tool that writes records writes one with each ligand that succeeds, so where there is one record none is missing; a job asks only once a task is done. */
const DONE_WITHOUT_RECORDS = `t.state = 'SUCCEEDED' and exists (select from jobs v where v.id = run.job_id and v.tasks_verified > 0)
        and not exists (select from docking_results d where d.job_id = run.job_id)`;
const OTHER = 't.job_id, t.ordinal, t.state, t.failure_code, t.failure_message, t.attempts, t.finished_at';
const ITEM = 't.item_id collate "C"';
const WANTED = (ligandId: string): string => `($3::text is null or ${ligandId} > $3)
        and ($6::text is null or starts_with(${LABEL_OF(ligandId, '$7')}, $6)) and ($10::text is null or ${ligandId} = $10)`;

/**
 * The ligands that are not docked: of the state $4 and with the failure code $5 where these are told, after the id $3. $6 is the
 * beginning of the label, $7 the only label, $8 how many, $9 whether the library has equal records, $10 the id of the ligand.
 */
export const OTHERS_PAGE = othersOf(NEWEST);

/** The same where there is one run. */
export const OTHERS_OF_ONE = othersOf(OF_ONE_RUN);

/** The same where there is one run, whose library has no equal records. */
export const OTHERS_PLAIN = othersOf(PLAIN);

/** The ligands of one run that are not docked, with those that newer runs have docked again. */
export const OTHERS_OF_RUN = othersOf(WHOLE_RUN);

/** The ligands of an export that are not docked: $11 has the ordinals of each job. */
export const INCLUDED_OTHERS = othersOf(INCLUDED);

/** How many ligands of an export are not docked and pass its filters. */
export const INCLUDED_OTHERS_COUNT = `select count(*)::int as count from (${INCLUDED_OTHERS}) counted`;

/** Each kind of ligands in the order of an index of ids, as far as the page goes: the tasks that are not done, and those that are. */
function othersOf({ runs, tasks, mayRepeat }: Membership): string {
  const next = (state: string): string => `
      (select d.* from ${runs('$11')} cross join lateral (
        select t.ordinal as place, ${ITEM} as ligand_id, ${OTHER} from tasks t
        where ${UNDOCKED} and ${state} and ${WANTED(ITEM)}
        order by ${ITEM} limit $8::int) d)`;
  const again = `
      union all
      (select ${FIRST_REPEATED} + a.ordinal as place, a.ligand_id, ${OTHER}
       from ligand_library_records a
         join ligand_library_records e on e.library_id = a.library_id and e.ordinal = a.same_as
         cross join ${runs('$11')}
         join tasks t on t.item_id = e.ligand_id and ${UNDOCKED}
       where $9::boolean and a.library_id = $2::uuid and a.same_as is not null and ${WANTED('a.ligand_id')}
         and (${NOT_DONE} or ${DONE_WITHOUT_RECORDS}) and (${tasks.join(' or ')}))`;
  const states = [
    ...tasks.map((index) => `${NOT_DONE} and ${index}`),
    `${DONE_WITHOUT_RECORDS} and (${tasks.join(' or ')})`,
  ];
  return `
  select x.place, x.ligand_id, x.job_id, x.ordinal, x.state, x.failure_code, x.failure_message, x.attempts,
    ${exactTime('x.finished_at')} as finished_at,
    ${exactTime('j.submitted_at')} as created_at, named.label, l.properties, l.line, l.smiles
  from (
    select * from (${states.map(next).join(' union all ')} ${mayRepeat ? again : ''}
    ) found where ${mayRepeat ? 'true' : 'not $9::boolean'} order by ligand_id limit $8::int
  ) x join jobs j on j.id = x.job_id
  ${RECORD('$7')}
  order by x.ligand_id`;
}

/** How many ligands have failed with each code; $3: whether the library has equal records. */
export const FAILURE_COUNTS = `
  select t.failure_code as code, sum(1 + case when $3::boolean then (
      select count(*) from ligand_library_records e join ligand_library_records a on a.library_id = e.library_id and a.same_as = e.ordinal
      where e.library_id = $2::uuid and e.ligand_id = t.item_id) else 0 end)::int as count
  from tasks t where t.job_id = any($1::uuid[]) and t.kind = 'task' and t.state = 'FAILED' and ${NOT_SUPERSEDED}
  group by t.failure_code order by count desc, code`;

/**
 * The ranks of docked ligands in one run whose library has no equal records: how many there are in the steps of score before that of the
 * ligand, and those of its own step up to it, counted from one ligand of the page to the next. So a rank costs the same on every
 * page, also of results that have just arrived.
 */
export const RANKS_OF_RUN = `
  with page as (select p.affinity, p.ligand_id collate "C" as ligand_id, ${rankStepOf('p.affinity')} as step
      from unnest($2::float8[], $3::text[]) as p (affinity, ligand_id)),
    better as materialized (select k.step, sum(k.count) over (order by k.step) - k.count as count
      from docking_rank_counts k where k.job_id = $1::uuid),
    stretches as (select affinity, ligand_id, step, coalesce(lag(affinity) over w, ${beginOfRankStep('step')}) as after_affinity,
        coalesce(lag(ligand_id) over w, '') as after_id
      from page window w as (partition by step order by affinity, ligand_id))
  select s.ligand_id, (better.count + sum(n.count) over (partition by s.step order by s.affinity, s.ligand_id))::int as rank
  from stretches s join better on better.step = s.step cross join lateral (
    select count(*) as count from docking_results r where r.job_id = $1::uuid
      and (r.best_affinity_kcal_mol, r.ligand_id) > (s.after_affinity, s.after_id)
      and (r.best_affinity_kcal_mol, r.ligand_id) <= (s.affinity, s.ligand_id)) n`;

/** Condition for leaving superseded ligands out: several runs are asked. Of a run alone every ligand counts. */
const AMONG_SEVERAL = 'cardinality($1::uuid[]) > 1';

/**
 * Ranks over several runs ($1), or with equal records of the library $2: without the ligands up to each one that a newer run has,
 * and with the records that equal earlier ones.
 */
export const RANKS = `
  with page as (select p.affinity, p.ligand_id collate "C" as ligand_id, ${rankStepOf('p.affinity')} as step
      from unnest($3::float8[], $4::text[]) as p (affinity, ligand_id)),
    better as materialized (select k.step, (sum(sum(k.count)) over (order by k.step) - sum(k.count)) as count
      from docking_rank_counts k where k.job_id = any($1::uuid[]) group by k.step),
    stretches as (select affinity, ligand_id, step, coalesce(lag(affinity) over w, ${beginOfRankStep('step')}) as after_affinity,
        coalesce(lag(ligand_id) over w, '') as after_id
      from page window w as (partition by step order by affinity, ligand_id)),
    ranked as (select s.ligand_id, better.count + sum(n.count) over (partition by s.step order by s.affinity, s.ligand_id) as rank
      from stretches s join better on better.step = s.step cross join lateral (
        select count(*) as count from unnest($1::uuid[]) run (job_id) join docking_results r on r.job_id = run.job_id
          and (r.best_affinity_kcal_mol, r.ligand_id) > (s.after_affinity, s.after_id)
          and (r.best_affinity_kcal_mol, r.ligand_id) <= (s.affinity, s.ligand_id)) n),
    changes as (
      select r.best_affinity_kcal_mol as affinity, r.ligand_id, -1 as change
      from tasks t join docking_results r on r.job_id = t.job_id and r.ordinal = t.ordinal
      where t.job_id = any($1::uuid[]) and t.kind = 'task' and t.state = 'SUCCEEDED' and t.superseded and ${AMONG_SEVERAL}
      union all
      select r.best_affinity_kcal_mol, a.ligand_id, 1
      from ligand_library_records a join ligand_library_records o on o.library_id = a.library_id and o.ordinal = a.same_as
        cross join ${RUNS()}
        join docking_results r on r.job_id = run.job_id and r.ligand_id = o.ligand_id
      where a.library_id = $2::uuid and a.same_as is not null and (not ${AMONG_SEVERAL} or ${NEWEST.result})
      union all
      select affinity, ligand_id, 0 from page),
    summed as (select ligand_id, sum(change) over (order by affinity, ligand_id) as change, change = 0 as is_asked from changes)
  select ranked.ligand_id, (ranked.rank + summed.change)::int as rank
  from ranked join summed on summed.is_asked and summed.ligand_id = ranked.ligand_id`;

/** The ranks of all docked ligands of an export: $3 has the ordinals of each job. */
export const INCLUDED_RANKS = `
  select d.ligand_id, (row_number() over (order by d.affinity, d.ligand_id collate "C"))::int as rank from (
    select r.ligand_id, r.best_affinity_kcal_mol as affinity
    from ${INCLUDED.runs('$3')} join docking_results r on r.job_id = run.job_id
    where ${INCLUDED.result}
    union all
    select a.ligand_id, r.best_affinity_kcal_mol
    from ligand_library_records a join ligand_library_records o on o.library_id = a.library_id and o.ordinal = a.same_as
      cross join ${INCLUDED.runs('$3')}
      join docking_results r on r.job_id = run.job_id and r.ligand_id = o.ligand_id
    where a.library_id = $2::uuid and a.same_as is not null and ${INCLUDED.result}
  ) d`;

const ORDINALS = (of: string): string =>
  `coalesce(range_agg(int4range(t.ordinal, t.ordinal + 1)) filter (where ${of}), '{}')::text`;

/** Ligands of an export that is asked for now: docked ones, and those that have ended without, by their newest run. */
export const PRESENT_LIGANDS = `
  select run.job_id, ${ORDINALS('r.ordinal is not null')} as docked,
    ${ORDINALS(`r.ordinal is null and t.state in ('SUCCEEDED', 'FAILED', 'CANCELLED')`)} as others
  from unnest($1::uuid[]) with ordinality run (job_id, place)
    left join tasks t on t.job_id = run.job_id and t.kind = 'task' and (not ${AMONG_SEVERAL} or ${NOT_SUPERSEDED})
    left join docking_results r on r.job_id = t.job_id and r.ordinal = t.ordinal
  group by run.job_id, run.place order by run.place`;

/** The modes that pass the filter of contacts $2, by result and block; $1 the results, $5 their jobs. One look for each result. */
export const MATCHED = `
  select p.result_id, c.block, c.marked from unnest($1::uuid[], $5::uuid[]) p (result_id, job_id)
    cross join lateral (
      select c.block, ((sum(c.modes::float8)::bigint + $3::bigint) & $4::bigint) as marked from docking_contacts c
      where c.job_id = p.job_id and c.contact = any($2::text[]) and c.result_id = p.result_id group by c.block) c
  order by p.result_id, c.block`;

/** The stored files of ligands; $3 is the only kind that is wanted, or null. */
export const FILES = `
  select a.job_id, a.task_ordinal, a.id, a.name, a.kind, a.media_type, a.format, a.byte_size, a.sha256, a.storage_key
  from unnest($1::uuid[], $2::int[]) as p (job_id, ordinal)
    join artifacts a on a.job_id = p.job_id and a.task_ordinal = p.ordinal and a.task_kind = 'task'
  where $3::text is null or a.kind = $3
  order by a.name, a.id`;

/** Result of the control docking of each job. */
export const VALIDATIONS = `
  select job_id, summary -> 'validation' as validation from tasks
  where job_id = any($1::uuid[]) and kind = 'control' and state = 'SUCCEEDED'`;
