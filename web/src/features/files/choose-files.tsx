/** Where files and folders are dropped or chosen. */
import { useRef, useState } from 'react';

import { m } from '#messages';

import { Failure } from '../../api/failure.tsx';
import { Actions, Button } from '../../ui/pieces.tsx';
import { chosenOf, droppedOf } from './chosen.ts';
import styles from './files.module.css';
import { send } from './sending.ts';

export function ChooseFiles() {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const take = (field: HTMLInputElement): void => {
    send(chosenOf(field.files ?? []));
    // The same file can be chosen again.
    field.value = '';
  };
  return (
    <>
      <div
        className={`${styles.drop} ${isOver ? styles.over : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          setError(null);
          droppedOf(event.dataTransfer.items).then((chosen) => send(chosen), setError);
        }}
      >
        <p>{m.files_drop()}</p>
        <Actions>
          <Button kind="primary" onClick={() => files.current?.click()}>
            {m.files_choose()}
          </Button>
          <Button onClick={() => folder.current?.click()}>{m.files_choose_folder()}</Button>
        </Actions>
        <p className="quiet small">{m.files_checked()}</p>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={m.files_choose()}
          onChange={(event) => take(event.currentTarget)}
        />
        <input
          ref={folder}
          type="file"
          webkitdirectory=""
          hidden
          aria-label={m.files_choose_folder()}
          onChange={(event) => take(event.currentTarget)}
        />
      </div>
      {error !== null && <Failure error={error} />}
    </>
  );
}
