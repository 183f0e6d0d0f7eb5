/**
 * The pack of fpocket 4.2.2: built from its sources, because nobody publishes a ready-made program that is pinned here
 * (docs/packs.md). The program seeds its Monte Carlo volumes by the clock, so the pack also brings a small library that
 * fixes what `time()` answers; where the library cannot be built or does not work, the pack has none.
 */
import type { PackDefinition, SourceWay } from '../../packs/pack.ts';

/** The name under which a session finds the library that fixes `time()`. */
export const CLOCK_LIBRARY = 'clock';

/** The variable that tells the library what `time()` answers, as a whole number of seconds. */
export const CLOCK_VARIABLE = 'DOCKYARD_CLOCK_SECONDS';

const CLOCK = `#include <stdlib.h>
#include <time.h>
time_t time(time_t *t) { const char *s = getenv("${CLOCK_VARIABLE}"); time_t n = s ? atoll(s) : 1; if (t) *t = n; return n; }
`;

/** A program that succeeds only when the library works. */
const CLOCK_CHECK = `#include <time.h>
int main(void) { return time(NULL) == 86399 ? 0 : 1; }
`;

const SOURCES: SourceWay = {
  kind: 'source',
  archive: {
    file: 'fpocket-4.2.2.tar.xz',
    sha256: '9bebab173cc84a73442db4eeb87128f4d11b510b89b25bd57ee54cc816082387',
    sizeBytes: 1_233_188,
  },
  url: 'https://github.com/Discngine/fpocket/archive/refs/tags/4.2.2.tar.gz',
  contents: {
    paths: [
      'LICENSE',
      'QHULL_COPYING.txt',
      'makefile',
      'src',
      'headers',
      'plugins/LINUXAMD64',
      'plugins/include',
    ],
    sha256: '6583b3f8f3885a59ca1d980e918a40cf8dc00b9a5fdd72c3e78ecb4bbb309745',
  },
  needs: {
    programs: ['gcc', 'g++', 'make', 'strip'],
    command: '`apt-get install gcc g++ make binutils` (Debian, Ubuntu), or the compiler of the system',
  },
  added: {
    'bin/.keep': '',
    'obj/.keep': '',
    'clock/clock.c': CLOCK,
    'clock/check.c': CLOCK_CHECK,
  },
  steps: [
    {
      program: 'make',
      args: ['ARCH=LINUXAMD64', 'CXX=g++', 'bin/fpocket'],
      environment: { CPATH: '{folder}/src/qhull/src:{folder}/src/qhull/src/libqhull' },
    },
    // Without the notes for debuggers, which name the folder of the build, every build has the same bytes.
    { program: 'strip', args: ['--strip-all', '-R', '.note.gnu.build-id', 'bin/fpocket'] },
    {
      program: 'gcc',
      args: ['-shared', '-fPIC', '-O2', '-s', '-o', 'clock/made.so', 'clock/clock.c'],
      isOptional: true,
    },
    { program: 'gcc', args: ['-O2', '-o', 'clock/check', 'clock/check.c'], isOptional: true },
    {
      program: 'sh',
      args: [
        '-c',
        `${CLOCK_VARIABLE}=86399 LD_PRELOAD=$PWD/clock/made.so clock/check && mv clock/made.so clock/clock.so`,
      ],
      isOptional: true,
    },
  ],
  kept: {
    'bin/fpocket': 'bin/fpocket',
    'lib/clock.so': 'clock/clock.so',
    'share/LICENSE': 'LICENSE',
    'share/QHULL_COPYING.txt': 'QHULL_COPYING.txt',
  },
};

/** The pack of fpocket. */
export const fpocketPack: PackDefinition = {
  name: 'fpocket',
  version: '4.2.2',
  title: 'fpocket',
  licence: { name: 'MIT', url: 'https://github.com/Discngine/fpocket/blob/4.2.2/LICENSE' },
  programs: ['fpocket'],
  libraries: [],
  extras: { [CLOCK_LIBRARY]: 'lib/clock.so' },
  pythonLock: 'science/fpocket/requirements.lock',
  ways: [SOURCES],
  async prove(run) {
    const { exitCode, stdout, stderr } = await run('fpocket', ['-h']);
    const text = `${stdout}${stderr}`;
    const series = /fpocket (4(?:\.\d+)*)/.exec(text)?.[1];
    if (exitCode !== 0 || series === undefined) {
      throw new Error(`fpocket -h ended with exit code ${exitCode ?? 'none'} and named no version 4`);
    }
    // Releases from 4.2 on read and write mmCIF; all releases of the series print the same number.
    if (!text.includes('--write_mode')) throw new Error('it is older than 4.2');
    return { version: `${series} or later` };
  },
};
