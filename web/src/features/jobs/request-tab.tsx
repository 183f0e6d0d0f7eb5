/** The request of a job as JSON and as code, and the way to run it again with changes. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { m } from '#messages';

import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { Actions, buttonClass, Chip, Code, Copy, Stack } from '../../ui/pieces.tsx';
import type { TabProps } from './job.ts';
import { LANGUAGES } from './request-code.ts';

export function RequestTab({ status }: TabProps) {
  const { jobId } = status;
  const [language, setLanguage] = useState('JSON');
  const answer = useGet('/jobs/{jobId}/request', { path: { jobId } });
  return (
    <Loaded answer={answer} lines={8}>
      {({ request, submittable, advice }) => {
        const text = (LANGUAGES[language] ?? LANGUAGES['JSON'])?.(request, location.origin) ?? '';
        return (
          <Stack>
            {advice !== null && <p>{advice}</p>}
            <Actions>
              {Object.keys(LANGUAGES).map((each) => (
                <Chip key={each} pressed={each === language} onClick={() => setLanguage(each)}>
                  {each}
                </Chip>
              ))}
              <Copy text={text} label={m.request_copy({ language })} />
              {submittable && (
                <Link to="/jobs/new" search={{ from: jobId }} className={buttonClass()}>
                  {m.request_again()}
                </Link>
              )}
            </Actions>
            <Code text={text} label={m.jobs_tab_request()} />
          </Stack>
        );
      }}
    </Loaded>
  );
}
