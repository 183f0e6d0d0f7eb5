/** Files that are stored; one is removed after a yes, unless something still needs it. */
import { useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure, Loaded } from '../../api/failure.tsx';
import { answers, keyOf, useList } from '../../api/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { bytes } from '../../ui/format.ts';
import { Actions, Button, CLIP, Copy, Empty, NUMBER, Panel, Table } from '../../ui/pieces.tsx';
import { Age } from '../../ui/time.tsx';
import styles from './files.module.css';
import type { Upload } from './sending.ts';

const PAGE = 50;

export function StoredFiles() {
  const [removing, setRemoving] = useState<Upload | null>(null);
  const list = useList(keyOf('/uploads', { list: 'stored' }), (cursor, signal) =>
    api.get('/uploads', {
      query: { state: 'completed', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
      signal,
    }),
  );
  const files = list.data?.pages.flatMap((page) => page.uploads) ?? [];
  return (
    <>
      <Panel title={m.files_stored()} flush>
        <Loaded answer={list}>
          {() =>
            files.length === 0 ? (
              <Empty text={m.files_none()} />
            ) : (
              <Table label={m.files_stored()}>
                <thead>
                  <tr>
                    <th scope="col">{m.files_name()}</th>
                    <th scope="col" className={NUMBER}>
                      {m.files_size()}
                    </th>
                    <th scope="col" className={NUMBER}>
                      {m.files_age()}
                    </th>
                    <th scope="col">
                      <span className="hidden-text">{m.files_do()}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {files.map((file) => (
                    <Row key={file.uploadId} file={file} onRemove={() => setRemoving(file)} />
                  ))}
                </tbody>
              </Table>
            )
          }
        </Loaded>
      </Panel>
      {list.hasNextPage && (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {m.files_older()}
          </Button>
        </div>
      )}
      {removing !== null && <RemoveFile file={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

function Row({ file, onRemove }: { readonly file: Upload; readonly onRemove: () => void }) {
  const name = file.logicalPath ?? file.filename;
  return (
    <tr>
      <td className={`${CLIP} ${styles.wide}`}>
        <bdi title={name}>{name}</bdi>
      </td>
      <td className={NUMBER}>{bytes(file.size)}</td>
      <td className={NUMBER}>
        <Age at={file.completedAt ?? file.createdAt} />
      </td>
      <td className={NUMBER}>
        <Copy text={file.key} label={m.files_copy_key({ name })} />
        <Button kind="bare" aria-label={m.files_remove_one({ name })} onClick={onRemove}>
          {m.files_remove()}
        </Button>
      </td>
    </tr>
  );
}

function RemoveFile({ file, onClose }: { readonly file: Upload; readonly onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const remove = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await api.delete('/uploads/{uploadId}/file', { path: { uploadId: file.uploadId } });
      await answers.invalidateQueries({ queryKey: ['/uploads'] });
      void answers.invalidateQueries({ queryKey: ['/uploads/usage'] });
      onClose();
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Dialog title={m.files_remove_title()} onClose={onClose}>
      <p className={styles.text}>
        <bdi>{file.logicalPath ?? file.filename}</bdi> <span className="quiet">{bytes(file.size)}</span>
      </p>
      <p>{m.files_remove_text()}</p>
      {error !== null && <Failure error={error} />}
      <Actions>
        <Button kind="danger" busy={busy} onClick={() => void remove()}>
          {m.files_remove_do()}
        </Button>
        <Button autoFocus onClick={onClose}>
          {m.files_keep()}
        </Button>
      </Actions>
    </Dialog>
  );
}
