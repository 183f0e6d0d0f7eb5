/** A bar for each day; the numbers stand in the table below it. */
import type { AnswerOf } from 'dockyard-client/browser';

import { m } from '#messages';

import { money } from '../../ui/format.ts';
import styles from './credits.module.css';

type Day = AnswerOf<'get', '/credits/usage'>['rows'][number];

const HEIGHT = 96;
const STEP = 10;
/** Least height of a bar of a day with any spending, so that the day is seen. */
const LEAST = 2;

export function DayBars({ rows }: { readonly rows: readonly Day[] }) {
  const most = Math.max(...rows.map(({ spent_cents }) => spent_cents), 1);
  const first = rows[0]?.day ?? '';
  const last = rows.at(-1)?.day ?? '';
  return (
    <figure className={styles.bars}>
      <figcaption className="quiet small">{m.credits_most_a_day({ sum: money(most) })}</figcaption>
      <svg
        role="img"
        aria-label={m.credits_chart({ first, last, sum: money(most) })}
        viewBox={`0 0 ${rows.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {rows.map(({ day, spent_cents }, at) => {
          const height = spent_cents === 0 ? 0 : Math.max(LEAST, (spent_cents / most) * HEIGHT);
          return (
            <rect key={day} x={at * STEP + 1} y={HEIGHT - height} width={STEP - 2} height={height}>
              <title>{`${day ?? ''}: ${money(spent_cents)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className={`quiet small ${styles.ends}`} aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </figure>
  );
}
