/** Keys: `/` finds, `n` begins a job, `g` and a letter go to a place, `?` shows this list. None acts while somebody types. */
import { useEffect, useRef } from 'react';

import { m } from '#messages';

import { Dialog } from '../ui/dialog.tsx';
import styles from './frame.module.css';
import { places } from './navigation.ts';

const SOON_MS = 1_500;

interface Actions {
  readonly onFind: () => void;
  readonly onHelp: () => void;
  readonly onPlace: (path: string) => void;
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
      target.closest('dialog') !== null)
  );
}

/** Listens for the keys. */
export function useKeys(actions: Actions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    let goneAt = 0;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const { onFind, onHelp, onPlace } = latest.current;
      const place =
        event.timeStamp - goneAt < SOON_MS ? places.find(({ letter }) => letter === event.key) : undefined;
      goneAt = event.key === 'g' ? event.timeStamp : 0;
      if (place !== undefined) onPlace(place.path);
      else if (event.key === '/') onFind();
      else if (event.key === '?') onHelp();
      else if (event.key === 'n') onPlace('/jobs/new');
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** The list of keys. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  const lines = [
    ['/', m.app_find()],
    ['n', m.app_new_job()],
    ...places.map(({ letter, label }) => [`g ${letter}`, label()] as const),
    ['?', m.app_keys()],
  ] as const;
  return (
    <Dialog title={m.app_keys()} onClose={onClose}>
      <dl className={styles.keys}>
        {lines.map(([key, words]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
