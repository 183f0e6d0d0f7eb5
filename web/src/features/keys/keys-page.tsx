/** The API keys of the account: what each may do, making one, giving one a successor, ending one. */
import { useMemo, useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Loaded } from '../../api/failure.tsx';
import { answers, keyOf, useList } from '../../api/queries.ts';
import { CheckField } from '../../ui/form.tsx';
import { Button, Empty, PageHead, Panel, Stack } from '../../ui/pieces.tsx';
import { DeveloperPlaces } from '../developers/places.tsx';
import type { ApiKey, IssuedKey } from './key.ts';
import { KeyTable } from './key-table.tsx';
import { MakeKey } from './make-key.tsx';
import { NewSecret } from './new-secret.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

const PAGE = 100;

/** What is done on the page now. */
type Doing =
  | { readonly kind: 'make' }
  | { readonly kind: 'rotate' | 'revoke'; readonly key: ApiKey }
  | { readonly kind: 'store'; readonly issued: IssuedKey };

const readAgain = (): void => void answers.invalidateQueries({ queryKey: ['/keys'] });

export function KeysPage() {
  const [doing, setDoing] = useState<Doing | null>(null);
  const [withEnded, setWithEnded] = useState(false);
  const list = useList(keyOf('/keys'), (cursor, signal) =>
    api.get('/keys', { query: { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) }, signal }),
  );
  const keys = useMemo(() => list.data?.pages.flatMap((page) => page.keys) ?? [], [list.data]);
  const active = keys.filter(({ status }) => status === 'ACTIVE');
  const shown = withEnded ? keys : active;
  const done = (): void => {
    setDoing(null);
    readAgain();
  };
  const issued = (key: IssuedKey): void => {
    setDoing({ kind: 'store', issued: key });
    readAgain();
  };
  return (
    <Stack>
      <title>{m.app_title({ page: m.keys_title() })}</title>
      <PageHead
        title={m.keys_title()}
        facts={m.keys_text()}
        actions={
          <Button
            kind="primary"
            disabled={doing?.kind === 'make' || doing?.kind === 'store'}
            onClick={() => setDoing({ kind: 'make' })}
          >
            {m.keys_make()}
          </Button>
        }
      />
      <DeveloperPlaces />
      {doing?.kind === 'make' && <MakeKey onIssued={issued} onClose={() => setDoing(null)} />}
      {doing?.kind === 'store' && <NewSecret issued={doing.issued} onStored={done} />}
      <Panel
        flush
        title={m.keys_yours()}
        aside={
          keys.length > active.length && (
            <CheckField label={m.keys_with_ended()} checked={withEnded} onCheck={setWithEnded} />
          )
        }
      >
        <Loaded answer={list}>
          {() =>
            shown.length === 0 ? (
              <Empty text={m.keys_none()}>
                <a href="/docs">{m.app_reference()}</a>
              </Empty>
            ) : (
              <KeyTable
                keys={shown}
                onEnded={readAgain}
                onRotate={(key) => setDoing({ kind: 'rotate', key })}
                onRevoke={(key) => setDoing({ kind: 'revoke', key })}
              />
            )
          }
        </Loaded>
      </Panel>
      {list.hasNextPage && (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {m.keys_older()}
          </Button>
        </div>
      )}
      {doing?.kind === 'rotate' && (
        <RotateKey apiKey={doing.key} onIssued={issued} onClose={() => setDoing(null)} />
      )}
      {doing?.kind === 'revoke' && (
        <RevokeKey apiKey={doing.key} onDone={done} onClose={() => setDoing(null)} />
      )}
    </Stack>
  );
}
