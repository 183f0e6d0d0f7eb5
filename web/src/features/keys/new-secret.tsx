/** A new key, which is shown this once, with a first call to try it. */
import { m } from '#messages';

import { SecretOnce } from '../../app/secret-once.tsx';
import { Code } from '../../ui/pieces.tsx';
import type { IssuedKey } from './key.ts';

export function NewSecret({
  issued,
  onStored,
}: {
  readonly issued: IssuedKey;
  readonly onStored: () => void;
}) {
  const curl = `curl -H "Authorization: Bearer $DOCKYARD_API_KEY" ${location.origin}/api/v1/credits/balance`;
  return (
    <SecretOnce
      title={m.keys_once()}
      text={m.keys_once_text({ name: issued.name })}
      secret={issued.key}
      copy={m.keys_copy()}
      leave={m.keys_leave()}
      onStored={onStored}
    >
      {issued.scopes.includes('credits:read') && (
        <>
          <p>{m.keys_try()}</p>
          <Code text={curl} label={m.keys_try()} />
        </>
      )}
    </SecretOnce>
  );
}
