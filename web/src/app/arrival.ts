/**
 * What the address brought behind its `#`: the code of a mail, or the code of a sign-in that was refused. It is taken out of the
 * address before anything else runs, so that it stands neither in the history nor in what a person copies.
 */

const brought = new URLSearchParams(location.hash.slice(1));
if (brought.has('code') || brought.has('sign-in'))
  history.replaceState(history.state, '', location.pathname + location.search);

/** The code of the mail that led here; null without one. */
export const mailCode = brought.get('code');
/** The code of the sign-in by a provider that came back here; null without one. */
export const signInCode = brought.get('sign-in');
