/** A choice of types of events, by what they tell of; each with its meaning. */
import { events } from 'document:events';

import { m } from '#messages';

import { CheckField } from '../../ui/form.tsx';
import { number } from '../../ui/format.ts';
import { Button, Stack } from '../../ui/pieces.tsx';
import styles from './developers.module.css';

/** What the types of a family tell of; a family that is not known here stands for itself. */
const FAMILIES: Readonly<Record<string, () => string>> = {
  job: m.event_of_jobs,
  upload: m.event_of_uploads,
  inspection: m.event_of_inspections,
  docking: m.event_of_docking,
  topup: m.event_of_topups,
  credits: m.event_of_credits,
  project: m.event_of_projects,
  account: m.event_of_account,
  key: m.event_of_keys,
  member: m.event_of_members,
  webhook: m.event_of_webhooks,
};

const familyOf = (type: string): string => type.slice(0, type.indexOf('.'));

export function TypeChoice({
  names,
  chosen,
  problem,
  onChosen,
}: {
  readonly names: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly problem: string | null;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
}) {
  return (
    <fieldset>
      <Stack>
        <legend>{m.webhook_types()}</legend>
        <div>
          {[...Map.groupBy(names, familyOf)].map(([family, types]) => (
            <Family key={family} family={family} types={types} chosen={chosen} onChosen={onChosen} />
          ))}
        </div>
        {problem !== null && <p role="alert">{problem}</p>}
      </Stack>
    </fieldset>
  );
}

function Family({
  family,
  types,
  chosen,
  onChosen,
}: {
  readonly family: string;
  readonly types: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
}) {
  const count = types.filter((type) => chosen.has(type)).length;
  const choose = (some: readonly string[], isChosen: boolean): void => {
    const next = new Set(chosen);
    for (const type of some)
      if (isChosen) next.add(type);
      else next.delete(type);
    onChosen(next);
  };
  const isWhole = count === types.length;
  return (
    <details className={styles.family} open={family === 'job'}>
      <summary>
        <strong>{FAMILIES[family]?.() ?? family}</strong>{' '}
        <span className="quiet">{m.event_chosen({ n: number(count), of: number(types.length) })}</span>
      </summary>
      <Button kind="bare" onClick={() => choose(types, !isWhole)}>
        {isWhole ? m.event_none_of_them() : m.event_all_of_them()}
      </Button>
      <div className={styles.types}>
        {types.map((type) => (
          <CheckField
            key={type}
            label={
              <>
                <code>{type}</code>
                <p>{events[type]}</p>
              </>
            }
            checked={chosen.has(type)}
            onCheck={(isChosen) => choose([type], isChosen)}
          />
        ))}
      </div>
    </details>
  );
}
