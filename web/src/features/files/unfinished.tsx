/** Uploads that have begun and not ended: the same file goes on where it stopped. */
import { useRef, useState } from 'react';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { Failure } from '../../api/failure.tsx';
import { answers } from '../../api/queries.ts';
import { bytes } from '../../ui/format.ts';
import { Actions, Button, Panel } from '../../ui/pieces.tsx';
import { When } from '../../ui/time.tsx';
import styles from './files.module.css';
import { send } from './sending.ts';
import type { Upload } from './sending.ts';
import { useUnfinished } from './use-unfinished.ts';

export function Unfinished() {
  const { open, error } = useUnfinished();
  if (open === null) return error === null ? null : <Failure error={error} />;
  if (open.length === 0) return null;
  return (
    <Panel title={m.files_unfinished()} flush>
      <ul className={styles.list}>
        {open.map((upload) => (
          <Row key={upload.uploadId} upload={upload} />
        ))}
      </ul>
    </Panel>
  );
}

function Row({ upload }: { readonly upload: Upload }) {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { uploadId, filename, size, projectId, logicalPath, expiresAt } = upload;
  const name = logicalPath ?? filename;
  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    if (file.size !== size) {
      setProblem(m.files_other({ name: file.name, is: bytes(file.size), size: bytes(size) }));
      return;
    }
    const place = projectId === null || logicalPath === null ? null : { projectId, logicalPath };
    send([{ file, name: filename, place }], uploadId);
  };
  const discard = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await api.delete('/uploads/{uploadId}', { path: { uploadId } });
      await answers.invalidateQueries({ queryKey: ['/uploads'] });
      void answers.invalidateQueries({ queryKey: ['/uploads/usage'] });
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <li>
      <div className={styles.line}>
        <bdi className={styles.name} title={name}>
          {name}
        </bdi>
        <span className="quiet small">
          {bytes(size)}{' '}
          {expiresAt !== null && (
            <>
              · {m.files_kept_until()} <When at={expiresAt} />
            </>
          )}
        </span>
        <Actions>
          <Button
            kind="bare"
            aria-label={m.files_choose_again_one({ name })}
            onClick={() => field.current?.click()}
          >
            {m.files_choose_again()}
          </Button>
          <Button
            kind="bare"
            busy={busy}
            aria-label={m.files_discard_one({ name })}
            onClick={() => void discard()}
          >
            {m.files_discard()}
          </Button>
        </Actions>
        <input
          ref={field}
          type="file"
          hidden
          aria-label={m.files_choose_again_one({ name })}
          onChange={(event) => {
            setProblem(null);
            take(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {problem !== null && <p role="alert">{problem}</p>}
      {error !== null && <Failure error={error} />}
    </li>
  );
}
