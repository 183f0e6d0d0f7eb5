/** A statement for each UTC month, as a file for a spreadsheet. */
import { m } from '#messages';

import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { money } from '../../ui/format.ts';
import { NUMBER, Panel, Table } from '../../ui/pieces.tsx';

export function StatementsTab() {
  const answer = useGet('/credits/statements', {});
  return (
    <Panel flush>
      <Loaded answer={answer}>
        {({ statements }) => (
          <Table label={m.credits_tab_statements()}>
            <thead>
              <tr>
                <th scope="col">{m.credits_month()}</th>
                <th scope="col" className={NUMBER}>
                  {m.credits_at_end()}
                </th>
                <th scope="col" className={NUMBER}>
                  {m.credits_held()}
                </th>
                <th scope="col" className={NUMBER}>
                  {m.credits_owed()}
                </th>
                <th scope="col">{m.credits_file()}</th>
              </tr>
            </thead>
            <tbody>
              {statements.map(({ month, final, closing }) => (
                <tr key={month}>
                  <td>
                    {month} {!final && <span className="quiet small">{m.credits_until_now()}</span>}
                  </td>
                  <td className={NUMBER}>{money(closing.wallet_cents + closing.monthly_cents)}</td>
                  <td className={NUMBER}>{money(closing.wallet_held_cents + closing.monthly_held_cents)}</td>
                  <td className={NUMBER}>{money(closing.debt_cents)}</td>
                  <td>
                    <a
                      href={`/api/v1/credits/statements/${month}?format=csv`}
                      download={`statement-${month}.csv`}
                      aria-label={m.credits_csv_of({ month })}
                    >
                      {m.credits_csv()}
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </Loaded>
    </Panel>
  );
}
