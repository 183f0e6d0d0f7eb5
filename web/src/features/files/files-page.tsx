/** Files: sending them, going on with unfinished ones, what is stored, and the room that is left. */
import { m } from '#messages';

import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { bytes, number } from '../../ui/format.ts';
import { PageHead, Panel, Progress, Stack } from '../../ui/pieces.tsx';
import { ChooseFiles } from './choose-files.tsx';
import { SendingList } from './sending-list.tsx';
import { StoredFiles } from './stored-files.tsx';
import { Unfinished } from './unfinished.tsx';

export function FilesPage() {
  return (
    <Stack>
      <title>{m.app_title({ page: m.files_title() })}</title>
      <PageHead title={m.files_title()} facts={m.files_text()} />
      <ChooseFiles />
      <SendingList />
      <Unfinished />
      <StoredFiles />
      <Room />
    </Stack>
  );
}

function Room() {
  const answer = useGet('/uploads/usage', {});
  return (
    <Panel title={m.files_room()}>
      <Loaded answer={answer} lines={2}>
        {({ usedBytes, reservedBytes, quotaBytes, files }) => {
          const taken = usedBytes + reservedBytes;
          const words = m.files_room_of({
            used: bytes(usedBytes),
            quota: bytes(quotaBytes),
            count: files,
            n: number(files),
            reserved: bytes(reservedBytes),
          });
          return (
            <Stack>
              <p>{words}</p>
              <Progress percent={quotaBytes === 0 ? 100 : (taken / quotaBytes) * 100} label={words} />
            </Stack>
          );
        }}
      </Loaded>
    </Panel>
  );
}
