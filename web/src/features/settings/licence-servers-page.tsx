/** The licence servers of the account: added, tested, changed, removed. */
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure, Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { useWords } from '../../api/words.ts';
import { Button, Empty, Notice, Panel, Table } from '../../ui/pieces.tsx';
import { Ask } from './ask.tsx';
import { addressOf } from './licence-server.ts';
import type { LicenceServer } from './licence-server.ts';
import { LicenceServerForm } from './licence-server-form.tsx';
import { OwnersOnly } from './owners-only.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { readAgain } from './read-again.ts';
import styles from './settings.module.css';

const PATH = '/settings/license-servers';

type Doing =
  | { readonly kind: 'add' }
  | { readonly kind: 'change' | 'remove'; readonly server: LicenceServer };

interface Tested {
  readonly server: LicenceServer;
  readonly code: string | null;
}

export function LicenceServersPage() {
  return (
    <SettingsFrame title={m.settings_licences()}>
      <OwnersOnly>
        <LicenceServers />
      </OwnersOnly>
    </SettingsFrame>
  );
}

function LicenceServers() {
  const answer = useGet(PATH, {});
  const [doing, setDoing] = useState<Doing | null>(null);
  const [testing, setTesting] = useState<string | null>(null);
  const [tested, setTested] = useState<Tested | { readonly error: unknown } | null>(null);
  const close = (): void => setDoing(null);
  const test = async (server: LicenceServer): Promise<void> => {
    setTesting(server.id);
    setTested(null);
    try {
      const { code } = await api.post(`${PATH}/{licenseServerId}/test`, {
        path: { licenseServerId: server.id },
        idempotencyKey: crypto.randomUUID(),
      });
      setTested({ server, code });
    } catch (error) {
      setTested({ error });
    }
    setTesting(null);
  };
  return (
    <>
      {doing?.kind === 'add' && (
        <LicenceServerForm server={null} onSaved={() => readAgain(PATH)} onClose={close} />
      )}
      {doing?.kind === 'change' && (
        <LicenceServerForm
          key={doing.server.id}
          server={doing.server}
          onSaved={() => readAgain(PATH)}
          onClose={close}
        />
      )}
      {tested !== null && ('error' in tested ? <Failure error={tested.error} /> : <Outcome {...tested} />)}
      <Panel
        flush
        title={m.settings_licences()}
        aside={
          doing === null && (
            <Button kind="primary" onClick={() => setDoing({ kind: 'add' })}>
              {m.settings_licence_add()}
            </Button>
          )
        }
      >
        <Loaded answer={answer}>
          {({ licenseServers }) =>
            licenseServers.length === 0 ? (
              <Empty text={m.settings_licences_none()} />
            ) : (
              <ServerTable
                servers={licenseServers}
                testing={testing}
                onTest={(server) => void test(server)}
                onDo={setDoing}
              />
            )
          }
        </Loaded>
      </Panel>
      {doing?.kind === 'remove' && <Remove server={doing.server} onClose={close} />}
    </>
  );
}

function Remove({ server, onClose }: { readonly server: LicenceServer; readonly onClose: () => void }) {
  return (
    <Ask
      title={m.settings_licence_remove_title()}
      action={m.settings_licence_remove_do()}
      run={async () => {
        await api.delete(`${PATH}/{licenseServerId}`, { path: { licenseServerId: server.id } });
        await readAgain(PATH);
      }}
      onClose={onClose}
    >
      <p className={styles.whole}>
        <bdi>{server.name}</bdi> <code className="quiet">{addressOf(server)}</code>
      </p>
      <p>{m.settings_licence_remove_text()}</p>
    </Ask>
  );
}

/** How a test went, with the meaning of its code. */
function Outcome({ server, code }: Tested) {
  const words = useWords(code ?? '');
  return code === null ? (
    <Notice tone="ok" title={m.settings_licence_reached({ name: server.name })} />
  ) : (
    <Notice tone="warn" title={m.settings_licence_not_reached({ name: server.name })}>
      {words ?? code}
    </Notice>
  );
}

function ServerTable({
  servers,
  testing,
  onTest,
  onDo,
}: {
  readonly servers: readonly LicenceServer[];
  readonly testing: string | null;
  readonly onTest: (server: LicenceServer) => void;
  readonly onDo: (doing: Doing) => void;
}) {
  return (
    <Table label={m.settings_licences()}>
      <thead>
        <tr>
          <th scope="col">{m.settings_licence_name()}</th>
          <th scope="col">{m.settings_licence_address()}</th>
          <th scope="col">
            <span className="hidden-text">{m.settings_do()}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {servers.map((server) => {
          const { id, name, software, hasSecret } = server;
          return (
            <tr key={id}>
              <td className={styles.whole}>
                <bdi>{name}</bdi>
                <div className="quiet small">
                  <bdi>{software}</bdi>
                </div>
              </td>
              <td className={styles.whole}>
                <code>{addressOf(server)}</code>
                <div className="quiet small">
                  {hasSecret ? m.settings_licence_stored() : m.settings_licence_no_secret()}
                </div>
              </td>
              <td className={styles.doing}>
                <Button
                  kind="bare"
                  busy={testing === id}
                  aria-label={m.settings_licence_test_one({ name })}
                  onClick={() => onTest(server)}
                >
                  {m.settings_licence_test()}
                </Button>
                <Button
                  kind="bare"
                  aria-label={m.settings_licence_change_one({ name })}
                  onClick={() => onDo({ kind: 'change', server })}
                >
                  {m.settings_licence_change()}
                </Button>
                <Button
                  kind="bare"
                  aria-label={m.settings_licence_remove_one({ name })}
                  onClick={() => onDo({ kind: 'remove', server })}
                >
                  {m.settings_remove()}
                </Button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
