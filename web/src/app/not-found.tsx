/** The page of an address that has none. */
import { Link } from '@tanstack/react-router';

import { m } from '#messages';

import { buttonClass, Empty, PageHead, Stack } from '../ui/pieces.tsx';

export function NotFound() {
  return (
    <Stack>
      <title>{m.app_title({ page: m.app_no_page() })}</title>
      <PageHead title={m.app_no_page()} />
      <Empty text={m.app_no_page_text()}>
        <Link to="/" className={buttonClass()}>
          {m.app_go_home()}
        </Link>
      </Empty>
    </Stack>
  );
}
