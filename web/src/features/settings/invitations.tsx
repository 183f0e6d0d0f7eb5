/** Inviting somebody by mail, and the invitations that nobody has accepted yet. */
import { fields } from 'document:fields/InviteRequest';
import { useState } from 'react';
import type { AnswerOf } from 'dockyard-client/browser';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure, Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { problemOf, SelectField, TextField } from '../../ui/form.tsx';
import { Actions, Button, Empty, LINE, Notice, Panel, Stack, Table } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import { Ask } from './ask.tsx';
import { roleText, roleWord } from './role.ts';
import type { Role } from './role.ts';
import { readAgain } from './read-again.ts';
import styles from './settings.module.css';

type Invitation = AnswerOf<'get', '/invitations'>['invitations'][number];

export function Invitations() {
  const answer = useGet('/invitations', {});
  const [ending, setEnding] = useState<Invitation | null>(null);
  return (
    <>
      <Invite />
      <Panel flush title={m.settings_invitations()}>
        <Loaded answer={answer} lines={2}>
          {({ invitations }) =>
            invitations.length === 0 ? (
              <Empty text={m.settings_invitations_none()} />
            ) : (
              <InvitationTable invitations={invitations} onEnd={setEnding} />
            )
          }
        </Loaded>
      </Panel>
      {ending !== null && (
        <Ask
          title={m.settings_invitation_end_title()}
          action={m.settings_invitation_end_do()}
          run={async () => {
            await api.delete('/invitations/{invitationId}', { path: { invitationId: ending.id } });
            await readAgain('/invitations');
          }}
          onClose={() => setEnding(null)}
        >
          <p className={styles.whole}>
            <bdi>{ending.email}</bdi>
          </p>
          <p>{m.settings_invitation_end_text()}</p>
        </Ask>
      )}
    </>
  );
}

function Invite() {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [isSent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [invited, setInvited] = useState<string | null>(null);
  const rule = fields['email'];
  const problem = rule === undefined ? null : problemOf(rule, email.trim());
  const invite = async (): Promise<void> => {
    setSent(true);
    setInvited(null);
    setError(null);
    if (problem !== null) return;
    setBusy(true);
    try {
      const body = { email: email.trim(), role };
      setInvited((await api.post('/invitations', { body, idempotencyKey: crypto.randomUUID() })).email);
      setEmail('');
      setSent(false);
      await readAgain('/invitations');
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  return (
    <Panel title={m.settings_invite_title()}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void invite();
        }}
      >
        <Stack>
          <div className={styles.two}>
            <TextField
              label={m.settings_email()}
              help={m.settings_invite_help()}
              problem={isSent ? problem : null}
              type="email"
              autoComplete="off"
              required
              value={email}
              onText={setEmail}
            />
            <SelectField
              label={m.settings_role()}
              value={role}
              options={[
                ['member', roleText('member')],
                ['owner', roleText('owner')],
              ]}
              onText={(chosen) => setRole(chosen === 'owner' ? 'owner' : 'member')}
            />
          </div>
          {error !== null && <Failure error={error} />}
          {invited !== null && <Notice tone="ok" title={m.settings_invited({ email: invited })} />}
          <Actions>
            <Button kind="primary" type="submit" busy={busy}>
              {m.settings_invite()}
            </Button>
          </Actions>
        </Stack>
      </form>
    </Panel>
  );
}

function InvitationTable({
  invitations,
  onEnd,
}: {
  readonly invitations: readonly Invitation[];
  readonly onEnd: (invitation: Invitation) => void;
}) {
  return (
    <Table label={m.settings_invitations()}>
      <thead>
        <tr>
          <th scope="col">{m.settings_email()}</th>
          <th scope="col">{m.settings_role()}</th>
          <th scope="col">{m.settings_invited_at()}</th>
          <th scope="col">{m.settings_invited_until()}</th>
          <th scope="col">
            <span className="hidden-text">{m.settings_do()}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {invitations.map((invitation) => (
          <tr key={invitation.id}>
            <td className={styles.whole}>
              <bdi>{invitation.email}</bdi>
            </td>
            <td>{roleWord(invitation.role)}</td>
            <td className={LINE}>
              <When at={invitation.createdAt} />
            </td>
            <td className={LINE}>
              <When at={invitation.expiresAt} />
            </td>
            <td className={styles.doing}>
              <Button
                kind="bare"
                aria-label={m.settings_invitation_end_one({ email: invitation.email })}
                onClick={() => onEnd(invitation)}
              >
                {m.settings_session_end()}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
