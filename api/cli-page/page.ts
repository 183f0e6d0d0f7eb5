/** The texts of the page on which a person lets a command line in. The page's script uses nothing but endpoints of the API. */
import { createHash } from 'node:crypto';

import { API_BASE } from '../endpoints.ts';

/** The script: signs in where nobody is signed in, asks, and hands the code to the command line. */
export const SCRIPT = `'use strict';
const asked = new URLSearchParams(location.search);
const challenge = asked.get('challenge') || '';
const state = asked.get('state') || '';
const port = Number(asked.get('port'));
const isAsked = /^[A-Za-z0-9_-]{43}$/.test(challenge) && /^[A-Za-z0-9_-]{1,200}$/.test(state) &&
  Number.isInteger(port) && port >= 1024 && port <= 65535;
const element = (id) => document.getElementById(id);
const show = (name) => {
  for (const step of ['wrong', 'sign-in', 'factor', 'approve', 'done']) element(step).hidden = step !== name;
};
const tell = (text) => { element('told').textContent = text; };
const call = async (method, path, body) => {
  const answer = await fetch('${API_BASE.slice(1)}' + path, {
    method,
    credentials: 'same-origin',
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: answer.status, body: answer.status === 204 ? {} : await answer.json() };
};
const attempt = (work) => async (event) => {
  event.preventDefault();
  tell('');
  try {
    await work();
  } catch {
    tell('The service cannot be reached.');
  }
};
element('sign-in').addEventListener('submit', attempt(async () => {
  const totp = element('totp').value.trim();
  const credentials = { email: element('email').value.trim(), password: element('password').value };
  const { status, body } = await call('POST', '/auth/sign-in', totp === '' ? credentials : { ...credentials, totp });
  if (status === 200) return show('approve');
  if (body.code === 'TOTP_REQUIRED') element('second').hidden = false;
  tell(body.error);
}));
element('factor').addEventListener('submit', attempt(async () => {
  const { status, body } = await call('POST', '/auth/oidc/finish', { totp: element('code').value.trim() });
  if (status === 200) return show('approve');
  if (body.code === 'OIDC_EXPIRED') show('sign-in');
  tell(body.error);
}));
element('approve').addEventListener('submit', attempt(async () => {
  const { status, body } = await call('POST', '/auth/cli/approve', { challenge });
  if (status === 401 || body.code === 'SIGN_IN_AGAIN') show('sign-in');
  if (status !== 201) return tell(body.error);
  show('done');
  location.replace('http://127.0.0.1:' + port + '/callback?' + new URLSearchParams({ code: body.code, state }));
}));
element('refuse').addEventListener('click', attempt(async () => {
  show('done');
  location.replace('http://127.0.0.1:' + port + '/callback?' + new URLSearchParams({ error: 'refused', state }));
}));
const refusals = {
  OIDC_NOT_CONFIGURED: 'This service has no provider of sign-ins. Sign in with address and password.',
  OIDC_REFUSED: 'The provider has refused the sign-in. Begin again, or sign in with address and password.',
  OIDC_EXPIRED: 'That took too long, or was begun in another browser. Begin again.',
  OIDC_ADDRESS_UNVERIFIED: 'Your e-mail address is not proved at both the provider and here. Confirm it, then begin again.',
  ACCOUNT_SUSPENDED: 'The account is suspended. Ask the operator of the service.',
  ACCOUNT_CLOSED: 'The account was closed.',
};
const refusal = new URLSearchParams(location.hash.slice(1)).get('sign-in');
if (refusal !== null) history.replaceState(null, '', location.pathname + location.search);
element('by-provider').href = '${API_BASE.slice(1)}/auth/oidc/start?' +
  new URLSearchParams({ returnTo: location.pathname + location.search });
if (isAsked) {
  if (refusal !== null && refusal !== 'TOTP_REQUIRED') tell(refusals[refusal] || 'The sign-in has failed (' + refusal + '). Begin again.');
  element('mark').textContent = challenge.slice(0, 4) + '-' + challenge.slice(4, 8);
  if (refusal === 'TOTP_REQUIRED') show('factor');
  else call('GET', '/auth/sessions').then(({ status }) => show(status === 200 ? 'approve' : 'sign-in'), () => show('sign-in'));
} else {
  show('wrong');
}
`;

/** The style sheet. */
export const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 30em; margin: 3em auto; padding: 0 1em; }
label { display: block; margin: 0.5em 0; }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: 0.3em; }
button { font: inherit; padding: 0.3em 1em; margin: 1em 0.5em 0 0; }
#mark { font-family: monospace; font-size: 1.5em; }
#told { color: #a00; }
`;

/** The version of the files, which their paths have. */
export const VERSION = createHash('sha256').update(SCRIPT).update(STYLE).digest('hex').slice(0, 16);

/** The page; addresses are relative, so that the page also works below another path. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Dockyard: let a command line in</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="cli-login/${VERSION}/page.css">
  </head>
  <body>
    <h1>Let a command line in</h1>
    <p id="told" role="alert"></p>
    <p id="wrong" hidden>No command line has opened this page. Type: dockyard login --browser</p>
    <form id="sign-in" hidden>
      <p>Sign in first.</p>
      <label>E-mail address <input id="email" type="email" autocomplete="username" required></label>
      <label>Password <input id="password" type="password" autocomplete="current-password" required></label>
      <label id="second" hidden>Code of the second factor <input id="totp" autocomplete="one-time-code"></label>
      <button type="submit">Sign in</button>
      <p>Or <a id="by-provider" href="${API_BASE.slice(1)}/auth/oidc/start">sign in by your provider</a>, where there is one.</p>
    </form>
    <form id="factor" hidden>
      <p>The provider knows you. Your second factor is asked for as well.</p>
      <label>Code of the second factor <input id="code" autocomplete="one-time-code" required></label>
      <button type="submit">Sign in</button>
    </form>
    <form id="approve" hidden>
      <p>A command line on this machine asks to act for you: it makes, rotates and revokes API keys, and does whatever else you may do,
        for twelve hours at most. Allow it only if you have just typed <code>dockyard login --browser</code> yourself, and if it shows the
        same mark:</p>
      <p id="mark"></p>
      <button type="submit">Allow</button><button type="button" id="refuse">Refuse</button>
    </form>
    <p id="done" hidden>Go back to the command line.</p>
    <noscript><p>This page needs scripts.</p></noscript>
    <script src="cli-login/${VERSION}/page.js"></script>
  </body>
</html>
`;
