/** The audit log of the account, newest first, page by page. */
import { useNavigate } from '@tanstack/react-router';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Loaded } from '../../api/failure.tsx';
import { keyOf, useList } from '../../api/queries.ts';
import { oneOf, useAddress } from '../../app/search.ts';
import { SelectField } from '../../ui/form.tsx';
import { Button, Empty, LINE, Panel, Table } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import { actions, actionWord, authorWord, factsOf, isAction, textOf } from './audit.ts';
import type { Action, Entry } from './audit.ts';
import { OwnersOnly } from './owners-only.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import styles from './settings.module.css';

const PATH = '/settings/audit';
const PAGE = 50;

export function AuditPage() {
  return (
    <SettingsFrame title={m.settings_audit()}>
      <OwnersOnly>
        <AuditLog />
      </OwnersOnly>
    </SettingsFrame>
  );
}

function readPage(action: Action | null, cursor: string | undefined, signal: AbortSignal) {
  const query = {
    limit: PAGE,
    ...(action === null ? {} : { action }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  return api.get('/audit', { query, signal });
}

function AuditLog() {
  const asked = oneOf(useAddress()['action']);
  const action = asked !== null && isAction(asked) ? asked : null;
  const navigate = useNavigate();
  const list = useList(keyOf('/audit', { list: action }), (cursor, signal) =>
    readPage(action, cursor, signal),
  );
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <Panel flush>
        <div className={styles.choices}>
          <p className="quiet">{m.settings_audit_text()}</p>
          <SelectField
            label={m.settings_audit_kind()}
            value={action ?? ''}
            options={[['', m.settings_audit_any()], ...actions()]}
            onText={(kind) => void navigate({ to: PATH, search: { action: kind }, replace: true })}
          />
        </div>
        <Loaded answer={list} lines={8}>
          {() =>
            entries.length === 0 ? <Empty text={m.settings_audit_none()} /> : <Entries entries={entries} />
          }
        </Loaded>
      </Panel>
      {list.hasNextPage && (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {m.settings_audit_older()}
          </Button>
        </div>
      )}
    </>
  );
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <Table label={m.settings_audit()}>
      <thead>
        <tr>
          <th scope="col">{m.settings_audit_what()}</th>
          <th scope="col">{m.settings_audit_who()}</th>
          <th scope="col">{m.settings_audit_facts()}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const { id, at, action, author, address } = entry;
          return (
            <tr key={id}>
              <td>
                {actionWord(action)}
                <div className={`quiet small ${LINE}`}>
                  <When at={at} />
                </div>
              </td>
              <td className={styles.whole}>
                {author.email === null ? authorWord(author.kind) : <bdi>{author.email}</bdi>}
                <div className="quiet small">
                  {author.kind === 'key' && `${m.settings_audit_by_key()} `}
                  {address !== null && <code>{address}</code>}
                </div>
              </td>
              <td className={styles.changes}>
                <Changes entry={entry} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

/** What was before and what is afterwards, fact by fact, and the id of what was changed. */
function Changes({ entry }: { readonly entry: Entry }) {
  return (
    <>
      {factsOf(entry).map(([name, before, after]) => (
        <span key={name}>
          <span className="quiet">{name}</span> {before !== undefined && <bdi>{textOf(before)}</bdi>}
          {before !== undefined && after !== undefined && ' → '}
          {after !== undefined && <bdi>{textOf(after)}</bdi>}
          {' · '}
        </span>
      ))}
      <span className="quiet">
        {m.settings_audit_subject()} <code>{entry.subject}</code>
      </span>
    </>
  );
}
