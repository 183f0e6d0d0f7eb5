/** Makes a key: its name, what it may do, from where, and how much it may spend. */
import { fields } from 'document:fields/CreateApiKeyRequest';
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { CheckField, problemOf, SelectField, TextArea, TextField } from '../../ui/form.tsx';
import { penceOf } from '../../ui/pounds.ts';
import { Actions, Button, Panel, Stack } from '../../ui/pieces.tsx';
import type { IssuedKey, NewKey, Scope } from './key.ts';
import { scopes, scopeWords } from './key.ts';
import styles from './keys.module.css';

/** What a program needs that submits jobs and fetches their outputs. */
const USUAL: readonly Scope[] = ['jobs:read', 'jobs:write', 'credits:read'];

interface Draft {
  readonly name: string;
  readonly environment: NonNullable<NewKey['environment']>;
  readonly scopes: ReadonlySet<Scope>;
  readonly networks: string;
  readonly limit: string;
}

const networksOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

function bodyOf({ name, environment, scopes: chosen, networks, limit }: Draft): NewKey {
  const allowedCidrs = networksOf(networks);
  const monthlyLimitCents = penceOf(limit);
  return {
    name: name.trim(),
    environment,
    scopes: [...chosen],
    ...(allowedCidrs.length === 0 ? {} : { allowedCidrs }),
    ...(monthlyLimitCents === null ? {} : { monthlyLimitCents }),
  };
}

/** What is wrong with the networks, by the pattern that the document has for each. */
function networksProblem(text: string): string | null {
  const pattern = fields['allowedCidrs']?.items?.pattern;
  if (pattern === undefined) return null;
  const wrong = networksOf(text).find((network) => !new RegExp(pattern, 'u').test(network));
  return wrong === undefined ? null : m.keys_no_network({ network: wrong });
}

export function MakeKey({
  onIssued,
  onClose,
}: {
  readonly onIssued: (issued: IssuedKey) => void;
  readonly onClose: () => void;
}) {
  const [draft, setDraft] = useState<Draft>({
    name: '',
    environment: 'live',
    scopes: new Set(USUAL),
    networks: '',
    limit: '',
  });
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [busy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const problems = problemsOf(draft, isSent);
  const make = async (): Promise<void> => {
    setSent(true);
    if (Object.values(problemsOf(draft, true)).some((problem) => problem !== null)) return;
    setBusy(true);
    setError(null);
    try {
      onIssued(await api.post('/keys', { body: bodyOf(draft), idempotencyKey }));
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Panel title={m.keys_make()}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Stack>
          <div className={styles.two}>
            <TextField
              label={m.keys_name()}
              help={m.keys_name_help()}
              problem={problems.name}
              autoFocus
              required
              value={draft.name}
              onText={(name) => change({ name })}
            />
            <SelectField
              label={m.keys_environment()}
              help={fields['environment']?.help}
              value={draft.environment}
              options={[
                ['live', m.keys_live()],
                ['test', m.keys_test()],
              ]}
              onText={(environment) => change({ environment: environment === 'test' ? 'test' : 'live' })}
            />
          </div>
          <ScopeChoice
            chosen={draft.scopes}
            problem={problems.scopes}
            onChosen={(chosen) => change({ scopes: chosen })}
          />
          <div className={styles.two}>
            <TextField
              label={m.keys_limit()}
              help={m.keys_limit_help()}
              problem={problems.limit}
              inputMode="decimal"
              value={draft.limit}
              onText={(limit) => change({ limit })}
            />
            <TextArea
              label={m.keys_networks()}
              help={fields['allowedCidrs']?.help}
              problem={problems.networks}
              rows={2}
              value={draft.networks}
              onText={(networks) => change({ networks })}
            />
          </div>
          {error !== null && <Failure error={error} />}
          <Actions>
            <Button kind="primary" type="submit" busy={busy}>
              {m.keys_make()}
            </Button>
            <Button onClick={onClose}>{m.ui_cancel()}</Button>
          </Actions>
        </Stack>
      </form>
    </Panel>
  );
}

function problemsOf(draft: Draft, isSent: boolean) {
  const rule = fields['name'];
  const name = draft.name.trim();
  return {
    name: rule === undefined || (name === '' && !isSent) ? null : problemOf(rule, name),
    scopes: draft.scopes.size === 0 ? m.keys_no_scope() : null,
    limit: draft.limit !== '' && penceOf(draft.limit) === null ? m.ui_pounds() : null,
    networks: networksProblem(draft.networks),
  };
}

function ScopeChoice({
  chosen,
  problem,
  onChosen,
}: {
  readonly chosen: ReadonlySet<Scope>;
  readonly problem: string | null;
  readonly onChosen: (chosen: ReadonlySet<Scope>) => void;
}) {
  return (
    <fieldset>
      <Stack>
        <legend>{m.keys_may()}</legend>
        <div className={styles.scopes}>
          {scopes.map((scope) => (
            <CheckField
              key={scope}
              label={
                <>
                  <code>{scope}</code>
                  <p>{scopeWords(scope)}</p>
                </>
              }
              checked={chosen.has(scope)}
              onCheck={(isChosen) => {
                const next = new Set(chosen);
                if (isChosen) next.add(scope);
                else next.delete(scope);
                onChosen(next);
              }}
            />
          ))}
        </div>
        {problem !== null && <p role="alert">{problem}</p>}
      </Stack>
    </fieldset>
  );
}
