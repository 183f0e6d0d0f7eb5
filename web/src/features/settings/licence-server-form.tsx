/** A licence server that is added or changed. Its secret is typed, never shown. */
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { CheckField, SelectField, TextField } from '../../ui/form.tsx';
import { Actions, Button, Panel, Stack } from '../../ui/pieces.tsx';
import { bodyOf, draftOf, helpOf, problemsOf, protocolOf, PROTOCOLS } from './licence-server.ts';
import type { Draft, LicenceServer, TextName } from './licence-server.ts';
import styles from './settings.module.css';

const LABELS: readonly (readonly [name: TextName, label: () => string])[] = [
  ['name', m.settings_licence_name],
  ['software', m.settings_licence_software],
  ['host', m.settings_licence_host],
  ['port', m.settings_licence_port],
];

export function LicenceServerForm({
  server,
  onSaved,
  onClose,
}: {
  /** The server to change; null for a new one. */
  readonly server: LicenceServer | null;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(server));
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [isSent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const problems = isSent ? problemsOf(draft) : {};
  const save = async (): Promise<void> => {
    setSent(true);
    if (Object.keys(problemsOf(draft)).length > 0) return;
    setBusy(true);
    setError(null);
    try {
      const body = bodyOf(draft);
      if (server === null) await api.post('/settings/license-servers', { body, idempotencyKey });
      else
        await api.put('/settings/license-servers/{licenseServerId}', {
          path: { licenseServerId: server.id },
          body,
        });
      await onSaved();
      onClose();
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Panel title={server === null ? m.settings_licence_add() : m.settings_licence_change_title()}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          <div className={styles.two}>
            {LABELS.slice(0, 2).map(([name, label]) => (
              <TextField
                key={name}
                label={label()}
                help={helpOf(name)}
                problem={problems[name] ?? null}
                autoFocus={name === 'name'}
                autoComplete="off"
                required
                value={draft[name]}
                onText={(text) => change({ [name]: text })}
              />
            ))}
            <SelectField
              label={m.settings_licence_protocol()}
              help={helpOf('protocol')}
              value={draft.protocol}
              options={PROTOCOLS.map((each) => [each, each])}
              onText={(text) => change({ protocol: protocolOf(text) })}
            />
            {LABELS.slice(2).map(([name, label]) => (
              <TextField
                key={name}
                label={label()}
                help={helpOf(name)}
                problem={problems[name] ?? null}
                inputMode={name === 'port' ? 'numeric' : 'url'}
                autoComplete="off"
                required
                value={draft[name]}
                onText={(text) => change({ [name]: text })}
              />
            ))}
            <TextField
              label={m.settings_licence_secret()}
              help={
                server?.hasSecret === true
                  ? m.settings_licence_secret_stays()
                  : m.settings_licence_secret_help()
              }
              problem={problems.secret ?? null}
              type="password"
              autoComplete="off"
              value={draft.secret}
              onText={(secret) => change({ secret })}
            />
          </div>
          {server?.hasSecret === true && (
            <CheckField
              label={m.settings_licence_forget()}
              checked={draft.forget}
              onCheck={(forget) => change({ forget })}
            />
          )}
          {error !== null && <Failure error={error} />}
          <Actions>
            <Button kind="primary" type="submit" busy={busy}>
              {server === null ? m.settings_licence_add() : m.settings_licence_save()}
            </Button>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
          </Actions>
        </Stack>
      </form>
    </Panel>
  );
}
