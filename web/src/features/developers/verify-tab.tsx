/** How a receiver verifies what it is sent: the receivers of the documents, as they were run. */
import { verifying } from 'document:verifying';
import { useState } from 'react';

import { m } from '#messages';

import { Actions, Chip, Code, Copy, Stack } from '../../ui/pieces.tsx';

export function VerifyTab() {
  const [chosen, choose] = useState(0);
  const { title = '', text = '' } = verifying[chosen] ?? {};
  return (
    <Stack>
      <p>{m.verify_text()}</p>
      <Actions>
        {verifying.map((each, at) => (
          <Chip key={each.title} pressed={at === chosen} onClick={() => choose(at)}>
            {each.title}
          </Chip>
        ))}
        <Copy text={text} label={m.verify_copy({ language: title })} />
      </Actions>
      <Code text={text} label={title} />
      <p className="quiet">{m.verify_advice()}</p>
    </Stack>
  );
}
