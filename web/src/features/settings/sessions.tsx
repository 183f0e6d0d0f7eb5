/** The open sessions of the person; one is ended alone, or all others at once. */
import { useState } from 'react';
import type { AnswerOf } from 'dockyard-client/browser';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { Button, LINE, Panel, Pill, Table } from '../../ui/pieces.tsx';
import { Age, When } from '../../ui/time.tsx';
import { Ask } from './ask.tsx';
import { programOf } from './program.ts';
import { readAgain } from './read-again.ts';
import styles from './settings.module.css';

type Session = AnswerOf<'get', '/auth/sessions'>['sessions'][number];

export function Sessions() {
  const answer = useGet('/auth/sessions', {});
  const [ending, setEnding] = useState<readonly Session[] | null>(null);
  const others = answer.data?.sessions.filter(({ current }) => !current) ?? [];
  return (
    <Panel
      flush
      title={m.settings_sessions()}
      aside={
        others.length > 1 && (
          <Button onClick={() => setEnding(others)}>{m.settings_sessions_end_others()}</Button>
        )
      }
    >
      <Loaded answer={answer}>
        {({ sessions }) => <SessionTable sessions={sessions} onEnd={(session) => setEnding([session])} />}
      </Loaded>
      {ending !== null && <EndSessions sessions={ending} onClose={() => setEnding(null)} />}
    </Panel>
  );
}

function SessionTable({
  sessions,
  onEnd,
}: {
  readonly sessions: readonly Session[];
  readonly onEnd: (session: Session) => void;
}) {
  return (
    <Table label={m.settings_sessions()}>
      <thead>
        <tr>
          <th scope="col">{m.settings_session_program()}</th>
          <th scope="col">{m.settings_session_address()}</th>
          <th scope="col">{m.settings_session_begun()}</th>
          <th scope="col">{m.settings_session_used()}</th>
          <th scope="col">
            <span className="hidden-text">{m.settings_session_end()}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id}>
            <td className={styles.program}>
              <bdi title={session.userAgent ?? undefined}>{nameOf(session)}</bdi>
            </td>
            <td>
              <code>{session.address}</code>
            </td>
            <td className={LINE}>
              <When at={session.createdAt} />
            </td>
            <td>
              {session.current ? (
                <Pill mark="✓" tone="ok">
                  {m.settings_session_here()}
                </Pill>
              ) : (
                <Age at={session.lastSeenAt} />
              )}
            </td>
            <td>
              {!session.current && (
                <Button
                  kind="bare"
                  aria-label={m.settings_session_end_one({ program: nameOf(session) })}
                  onClick={() => onEnd(session)}
                >
                  {m.settings_session_end()}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function nameOf({ userAgent }: Session): string {
  const program = programOf(userAgent ?? '');
  return program === null ? userAgent || m.settings_session_unnamed() : m.settings_session_browser(program);
}

/** Ends what was listed, by its ids: a session that has begun meanwhile stays. */
function EndSessions({
  sessions,
  onClose,
}: {
  readonly sessions: readonly Session[];
  readonly onClose: () => void;
}) {
  return (
    <Ask
      title={m.settings_sessions_end_title({ count: sessions.length })}
      action={m.settings_sessions_end_do({ count: sessions.length })}
      run={async () => {
        for (const { id } of sessions)
          await api.delete('/auth/sessions/{sessionId}', { path: { sessionId: id } });
        await readAgain('/auth/sessions');
      }}
      onClose={onClose}
    >
      <ul className={styles.listed}>
        {sessions.map((session) => (
          <li key={session.id}>
            <bdi>{nameOf(session)}</bdi> <code className="quiet">{session.address}</code>
          </li>
        ))}
      </ul>
      <p>{m.settings_sessions_end_text()}</p>
    </Ask>
  );
}
