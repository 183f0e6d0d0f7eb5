/** Filters of the list of jobs, which stand in the address. */
import { useState } from 'react';

import { m } from '#messages';

import { useGet } from '../../api/queries.ts';
import type { Search } from '../../app/search.ts';
import { SelectField, TextField } from '../../ui/form.tsx';
import { Button } from '../../ui/pieces.tsx';
import styles from './jobs.module.css';
import { ENDED, OPEN, stateWord } from './state.tsx';
import type { JobState } from './state.tsx';

/** The part of a list of jobs that is shown. */
export interface JobFilter {
  readonly status?: JobState[];
  readonly simulator?: string;
  readonly jobName?: string;
}

const STATES = new Map<string, JobState>([...OPEN, ...ENDED].map((state) => [state, state]));

/** The filter of an address; what no filter is, is left out. */
export function filterOf(search: Search): JobFilter {
  const status = [search['status'] ?? []].flat().flatMap((state) => STATES.get(state) ?? []);
  const { simulator, jobName } = search;
  return {
    ...(status.length > 0 ? { status } : {}),
    ...(typeof simulator === 'string' ? { simulator } : {}),
    ...(typeof jobName === 'string' ? { jobName } : {}),
  };
}

const GROUPS: readonly (readonly [value: string, words: () => string, states: readonly JobState[]])[] = [
  ['', m.jobs_any_state, []],
  ['open', m.jobs_open, OPEN],
  ['ended', m.jobs_ended, ENDED],
];

export function JobFilters({
  filter,
  onFilter,
}: {
  readonly filter: JobFilter;
  readonly onFilter: (filter: JobFilter) => void;
}) {
  const { data } = useGet('/simulators', {});
  const [name, setName] = useState(filter.jobName ?? '');
  const { status = [], jobName: _, ...others } = filter;
  const group = GROUPS.find(
    ([, , states]) => states.length === status.length && states.every((state) => status.includes(state)),
  );
  const options = [
    ...GROUPS.map(([value, words]) => [value, words()] as const),
    ...[...STATES.keys()].map((state) => [state, stateWord(state)] as const),
  ];
  const withStatus = (value: string): JobFilter => {
    const { status: __, ...rest } = filter;
    const one = STATES.get(value);
    const states = GROUPS.find(([each]) => each === value)?.[2] ?? (one === undefined ? [] : [one]);
    return states.length === 0 ? rest : { ...rest, status: [...states] };
  };
  return (
    <form
      className={styles.filters}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const text = name.trim();
        onFilter({
          ...others,
          ...(status.length > 0 ? { status } : {}),
          ...(text === '' ? {} : { jobName: text }),
        });
      }}
    >
      <SelectField
        label={m.jobs_state()}
        value={group?.[0] ?? status[0] ?? ''}
        options={options}
        onText={(value) => onFilter(withStatus(value))}
      />
      <SelectField
        label={m.jobs_kind()}
        value={filter.simulator ?? ''}
        options={[['', m.jobs_any_kind()], ...(data?.simulators ?? []).map(({ id }) => [id, id] as const)]}
        onText={(simulator) => {
          const { simulator: __, ...rest } = filter;
          onFilter(simulator === '' ? rest : { ...rest, simulator });
        }}
      />
      <TextField label={m.jobs_name_begins()} value={name} onText={setName} />
      <Button type="submit">{m.jobs_filter()}</Button>
    </form>
  );
}
