/** The page in the place of one that has broken, or whose files a newer version of the app has replaced. */
import type { ErrorComponentProps } from '@tanstack/react-router';

import { m } from '#messages';

import { Button, Empty, PageHead, Stack } from '../ui/pieces.tsx';

export function Broken({ error }: ErrorComponentProps) {
  return (
    <Stack>
      <title>{m.app_title({ page: m.app_broken() })}</title>
      <PageHead title={m.app_broken()} />
      <Empty text={m.app_broken_text()}>
        <Button onClick={() => window.location.reload()}>{m.app_reload()}</Button>
        <code>{String(error)}</code>
      </Empty>
    </Stack>
  );
}
