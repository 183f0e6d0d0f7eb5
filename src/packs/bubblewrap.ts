/**
 * The pack of bubblewrap, which tools run in (src/instance/sandbox.ts). No tool names the pack: it belongs to the machine.
 * Where the system has the program, the system's own is taken; the package is one file that needs no root.
 */
import type { PackDefinition } from './pack.ts';

/** From this version on, what runs inside can be kept from making user namespaces of its own. */
const OLDEST_MINOR = 8;

/** The pack of bubblewrap. */
export const bubblewrapPack: PackDefinition = {
  name: 'bubblewrap',
  version: '0.8.0',
  title: 'bubblewrap',
  licence: { name: 'LGPL-2.0-or-later', url: 'https://github.com/containers/bubblewrap/blob/main/COPYING' },
  programs: ['bwrap'],
  libraries: [],
  pythonLock: null,
  way: {
    packages: [
      {
        name: 'bubblewrap',
        version: '0.8.0-2+deb12u1',
        sizeBytes: 47_320,
        sha256: '3cc9134a3286ad01a323dcd924ba123eb634cefaeec82d774257e06308aeaadb',
      },
    ],
    systemPackages: ['libc6', 'libcap2', 'libselinux1'],
    leftOut: ['usr/share'],
  },
  async prove(run) {
    const { exitCode, stdout, stderr } = await run('bwrap', ['--version']);
    const version = /bubblewrap (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
    if (exitCode !== 0 || version === undefined)
      throw new Error(
        `bwrap --version ended with exit code ${exitCode ?? 'none'}: ${stderr.trim().slice(0, 300)}`,
      );
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major === 0 && minor < OLDEST_MINOR)
      throw new Error(`it is version ${version}; 0.${OLDEST_MINOR} or a later one is needed`);
    return { version };
  },
};
