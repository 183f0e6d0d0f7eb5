/** The page to sign in on: at its own address, or in the place of any page that needs a person. */
import { Link, useLocation, useNavigate } from '@tanstack/react-router';

import { m } from '#messages';

import { readAccountAgain } from '../../api/account.ts';
import { useGet } from '../../api/queries.ts';
import { useWords } from '../../api/words.ts';
import { signInCode } from '../../app/arrival.ts';
import { oneOf, useAddress } from '../../app/search.ts';
import { Notice, PageHead, Panel, Stack } from '../../ui/pieces.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage() {
  const { pathname, searchStr } = useLocation();
  const navigate = useNavigate();
  const here = pathname === '/sign-in' ? '/' : `${pathname}${searchStr}`;
  const installation = useGet('/public/installation', {});
  const provider = `/api/v1/auth/oidc/start?${new URLSearchParams({ returnTo: here })}`;
  return (
    <Stack>
      <title>{m.app_title({ page: m.sign_in_title() })}</title>
      <PageHead title={m.sign_in_title()} />
      <Gone />
      <Refusal />
      <Panel>
        <SignInForm
          onDone={() => {
            void readAccountAgain();
            if (pathname === '/sign-in') void navigate({ to: '/' });
          }}
        />
      </Panel>
      {installation.data?.signInProvider === true && (
        <p>
          <a href={provider}>{m.sign_in_by_provider()}</a>
        </p>
      )}
      <p>
        {m.sign_in_new_here()} <Link to="/sign-up">{m.sign_up_do()}</Link>
      </p>
      <p>
        <Link to="/reset">{m.sign_in_forgot()}</Link>
      </p>
    </Stack>
  );
}

/** What a person did who has come here because of it. */
function Gone() {
  const from = oneOf(useAddress()['from']);
  if (from === 'left') return <Notice tone="ok" title={m.sign_in_left()} />;
  return from === 'closed' ? <Notice tone="ok" title={m.sign_in_closed()} /> : null;
}

/** Why a sign-in by the provider has failed. */
function Refusal() {
  const words = useWords(signInCode ?? '');
  if (signInCode === null || signInCode === 'TOTP_REQUIRED') return null;
  return (
    <Notice tone="warn" title={m.sign_in_refused()}>
      <p>{signInCode === 'OIDC_NOT_CONFIGURED' ? m.sign_in_no_provider() : (words ?? signInCode)}</p>
    </Notice>
  );
}
