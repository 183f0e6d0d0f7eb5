/** The people of the account in rows. An owner changes roles and removes people; everybody leaves by themselves. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AnswerOf } from 'dockyard-client/browser';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { shareSignOut } from '../../app/live.ts';
import { Button, LINE, Notice, Panel, Table } from '../../ui/pieces.tsx';
import { Ask } from './ask.tsx';
import { roleText, roleWord } from './role.ts';
import type { Role } from './role.ts';
import { readAgain } from './read-again.ts';
import styles from './settings.module.css';

type Member = AnswerOf<'get', '/members'>['members'][number];
type Left = AnswerOf<'delete', '/members/{userId}'>;
interface Asking {
  readonly kind: 'change' | 'remove';
  readonly member: Member;
}

const otherRole = (role: string): Role => (role === 'owner' ? 'member' : 'owner');
const makeWord = (role: Role): string =>
  role === 'owner' ? m.settings_make_owner() : m.settings_make_member();
export function Members({ isOwner }: { readonly isOwner: boolean }) {
  const answer = useGet('/members', {});
  const [asking, setAsking] = useState<Asking | null>(null);
  const [left, setLeft] = useState<Left | null>(null);
  const close = (): void => setAsking(null);
  return (
    <>
      {left !== null && <HasLeft left={left} />}
      <Panel flush title={m.settings_members()}>
        <Loaded answer={answer}>
          {({ members }) => <MemberTable members={members} isOwner={isOwner} onAsk={setAsking} />}
        </Loaded>
      </Panel>
      {asking?.kind === 'change' && <ChangeRole member={asking.member} onClose={close} />}
      {asking?.kind === 'remove' &&
        (asking.member.current ? (
          <Leave member={asking.member} onClose={close} />
        ) : (
          <Remove member={asking.member} onLeft={setLeft} onClose={close} />
        ))}
    </>
  );
}

function MemberTable({
  members,
  isOwner,
  onAsk,
}: {
  readonly members: readonly Member[];
  readonly isOwner: boolean;
  readonly onAsk: (asking: Asking) => void;
}) {
  return (
    <Table label={m.settings_members()}>
      <thead>
        <tr>
          <th scope="col">{m.settings_email()}</th>
          <th scope="col">{m.settings_role()}</th>
          <th scope="col">
            <span className="hidden-text">{m.settings_do()}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => {
          const { userId, email, role, current } = member;
          return (
            <tr key={userId}>
              <td className={styles.whole}>
                <bdi>{email}</bdi> {current && <span className="quiet small">{m.settings_you()}</span>}
              </td>
              <td className={LINE}>{roleWord(role)}</td>
              <td className={styles.doing}>
                {isOwner && (
                  <Button
                    kind="bare"
                    aria-label={m.settings_role_change_one({ email, action: makeWord(otherRole(role)) })}
                    onClick={() => onAsk({ kind: 'change', member })}
                  >
                    {makeWord(otherRole(role))}
                  </Button>
                )}
                {(isOwner || current) && (
                  <Button
                    kind="bare"
                    aria-label={current ? m.settings_leave_do() : m.settings_remove_one({ email })}
                    onClick={() => onAsk({ kind: 'remove', member })}
                  >
                    {current ? m.settings_leave() : m.settings_remove()}
                  </Button>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

interface AskProps {
  readonly member: Member;
  readonly onClose: () => void;
}

function ChangeRole({ member: { userId, email, role }, onClose }: AskProps) {
  const next = otherRole(role);
  return (
    <Ask
      title={m.settings_role_change_title({ role: roleWord(next) })}
      action={makeWord(next)}
      kind="primary"
      run={async () => {
        await api.put('/members/{userId}', { path: { userId }, body: { role: next } });
        await readAgain('/members');
      }}
      onClose={onClose}
    >
      <Person email={email} />
      <p>{roleText(next)}.</p>
    </Ask>
  );
}

function Remove({
  member: { userId, email },
  onLeft,
  onClose,
}: AskProps & { readonly onLeft: (left: Left) => void }) {
  return (
    <Ask
      title={m.settings_remove_title()}
      action={m.settings_remove_do()}
      run={async () => {
        onLeft(await api.delete('/members/{userId}', { path: { userId } }));
        await readAgain('/members');
      }}
      onClose={onClose}
    >
      <Person email={email} />
      <p>{m.settings_remove_text()}</p>
    </Ask>
  );
}

function Leave({ member: { userId }, onClose }: AskProps) {
  const navigate = useNavigate();
  return (
    <Ask
      title={m.settings_leave_title()}
      action={m.settings_leave_do()}
      run={async () => {
        await api.delete('/members/{userId}', { path: { userId } });
        await navigate({ to: '/sign-in', search: { from: 'left' } });
        shareSignOut();
      }}
      onClose={onClose}
    >
      <p>{m.settings_leave_text()}</p>
    </Ask>
  );
}

function Person({ email }: { readonly email: string }) {
  return (
    <p className={styles.whole}>
      <bdi>{email}</bdi>
    </p>
  );
}

/** Somebody is gone, and the keys that the person has made are not. */
function HasLeft({ left: { email, keys } }: { readonly left: Left }) {
  return (
    <Notice tone={keys.length === 0 ? 'ok' : 'warn'} title={m.settings_has_left({ email })}>
      {keys.length === 0 ? (
        m.settings_left_no_keys()
      ) : (
        <>
          <p>{m.settings_left_keys({ count: keys.length })}</p>
          <ul className={styles.listed}>
            {keys.map(({ id, name, last4 }) => (
              <li key={id}>
                <bdi>{name}</bdi> <code className="quiet">…{last4}</code>
              </li>
            ))}
          </ul>
          <p>
            <Link to="/developers/keys">{m.keys_title()}</Link>
          </p>
        </>
      )}
    </Notice>
  );
}
