/**
 * The outputs of a job: one, all, or straight into a folder where the browser can. A file counts only when its SHA-256 is the announced
 * one; in a folder, files that are there and right are not fetched again. Files of customers are saved, never shown.
 */
import type { AnswerOf } from 'dockyard-client/browser';
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure, Loaded } from '../../api/failure.tsx';
import { keyOf, useList } from '../../api/queries.ts';
import { bytes, number } from '../../ui/format.ts';
import {
  Actions,
  Button,
  CLIP,
  Copy,
  Empty,
  LINE,
  Notice,
  NUMBER,
  Panel,
  Stack,
  Table,
} from '../../ui/pieces.tsx';
import { allOutputs, folderOf, mayChooseFolder, saveFile, saveInto } from './fetch-outputs.ts';
import type { TabProps } from './job.ts';

type Output = AnswerOf<'get', '/jobs/{jobId}/outputs'>['outputs'][number];

interface Saving {
  readonly done: number;
  readonly kept: number;
  readonly name: string;
}

export function OutputsTab({ status }: TabProps) {
  const { jobId } = status;
  const [saving, setSaving] = useState<Saving | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const list = useList(keyOf('/jobs/{jobId}/outputs', { path: { jobId } }), (cursor, signal) =>
    api.get('/jobs/{jobId}/outputs', {
      path: { jobId },
      query: cursor === undefined ? {} : { cursor },
      signal,
    }),
  );
  const outputs = list.data?.pages.flatMap((page) => page.outputs) ?? [];
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (failed) {
      // Whoever closes the choice of a folder has changed their mind.
      if (!(failed instanceof DOMException && failed.name === 'AbortError')) setError(failed);
    } finally {
      setBusy(false);
    }
  };
  const saveAll = async (): Promise<void> => {
    const folder = mayChooseFolder() ? await folderOf() : null;
    let [done, kept] = [0, 0];
    for await (const output of allOutputs(jobId)) {
      setSaving({ done, kept, name: output.name });
      const isKept = folder === null ? await saveFile(output) : await saveInto(folder, output);
      done += 1;
      if (isKept) kept += 1;
    }
    setSaving({ done, kept, name: '' });
  };
  return (
    <Stack>
      {outputs.length > 0 && (
        <Actions>
          <Button busy={busy} onClick={() => void attempt(saveAll)}>
            {mayChooseFolder() ? m.outputs_into_folder() : m.outputs_all()}
          </Button>
          {saving !== null && (
            <span role="status">
              {saving.name === ''
                ? m.outputs_saved({ n: number(saving.done), kept: number(saving.kept) })
                : m.outputs_saving({ n: number(saving.done), name: saving.name })}
            </span>
          )}
        </Actions>
      )}
      {error !== null && <Failure error={error} />}
      <Panel flush>
        <Loaded answer={list} lines={8}>
          {({ pages }) =>
            outputs.length === 0 ? (
              <Empty text={pages.at(-1)?.final === true ? m.outputs_none() : m.outputs_none_yet()} />
            ) : (
              <Outputs
                outputs={outputs}
                onSave={(output) => void attempt(async () => void (await saveFile(output)))}
              />
            )
          }
        </Loaded>
      </Panel>
      {list.hasNextPage && <Button onClick={() => void list.fetchNextPage()}>{m.jobs_more_rows()}</Button>}
      {outputs.length > 0 && <Notice title={m.outputs_checked()} />}
    </Stack>
  );
}

function Outputs({
  outputs,
  onSave,
}: {
  readonly outputs: readonly Output[];
  readonly onSave: (output: Output) => void;
}) {
  return (
    <Table label={m.jobs_tab_outputs()}>
      <thead>
        <tr>
          <th scope="col">{m.outputs_name()}</th>
          <th scope="col" className={NUMBER}>
            {m.task_number()}
          </th>
          <th scope="col">{m.jobs_kind()}</th>
          <th scope="col" className={NUMBER}>
            {m.outputs_size()}
          </th>
          <th scope="col">SHA-256</th>
          <th scope="col">
            <span className="hidden-text">{m.outputs_save()}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {outputs.map((output) => (
          <tr key={output.artifactId}>
            <td className={CLIP} title={output.name}>
              <bdi>{output.name}</bdi>
            </td>
            <td className={NUMBER}>{output.taskIndex === null ? '' : number(output.taskIndex)}</td>
            <td>{output.kind}</td>
            <td className={NUMBER}>{bytes(output.byteSize)}</td>
            <td className={LINE}>
              <code title={output.sha256}>{output.sha256.slice(0, 12)}…</code>
              <Copy text={output.sha256} label={m.outputs_copy({ name: output.name })} />
            </td>
            <td>
              <Button
                kind="bare"
                aria-label={m.outputs_save_one({ name: output.name })}
                onClick={() => onSave(output)}
              >
                {m.outputs_save()}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
