/** The finder: places and jobs by what is typed; arrows choose, Enter goes there. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { m } from '#messages';

import { useGet } from '../api/queries.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/form.tsx';
import styles from './frame.module.css';
import { pagesOfPlaces, places } from './navigation.ts';

interface Found {
  readonly path: string;
  readonly label: string;
  readonly kind: string;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function Finder({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const asked = text.trim();
  const { data } = useGet(
    '/jobs',
    { query: asked === '' || ID.test(asked) ? { limit: 8 } : { limit: 8, jobName: asked } },
    { keep: true },
  );
  const found: readonly Found[] = [
    ...[...places, ...pagesOfPlaces]
      .map(({ path, label }) => ({ path, label: label(), kind: m.app_page() }))
      .filter(({ label }) => label.toLowerCase().includes(asked.toLowerCase())),
    ...(ID.test(asked) ? [{ path: `/jobs/${asked}`, label: asked, kind: m.app_job() }] : []),
    ...(data?.jobs ?? []).map(({ jobId, jobName }) => ({
      path: `/jobs/${jobId}`,
      label: jobName ?? jobId,
      kind: m.app_job(),
    })),
  ];
  const at = Math.min(chosen, found.length - 1);
  const go = (path: string): void => {
    onClose();
    void navigate({ to: path });
  };
  return (
    <Dialog title={m.app_find()} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const target = found[at];
          if (target !== undefined) go(target.path);
        }}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
          if (step === 0) return;
          event.preventDefault();
          setChosen(Math.max(0, Math.min(found.length - 1, at + step)));
        }}
      >
        <TextField label={m.app_find_label()} value={text} onText={setText} autoFocus autoComplete="off" />
      </form>
      <nav className={styles.found} aria-label={m.app_found()}>
        {found.map(({ path, label, kind }, index) => (
          <a
            key={path}
            href={path}
            data-chosen={index === at}
            onClick={(event) => {
              event.preventDefault();
              go(path);
            }}
          >
            <span>{label}</span>
            <span className="quiet small">{kind}</span>
          </a>
        ))}
      </nav>
    </Dialog>
  );
}
