/**
 * The pack of NCBI BLAST+ 2.12.0, which blastp and blastn share: the packages of Debian 12 with the libraries that a
 * system may lack, unpacked without root. The programs look for their libraries at an absolute path, so they run with
 * LD_LIBRARY_PATH.
 */
import type { PackDefinition } from '../../packs/pack.ts';

const OLDEST_MINOR = 12;
const PROGRAMS = ['blastp', 'blastn', 'makeblastdb', 'blastdbcmd', 'blast_formatter'];

/** The pack of BLAST+. */
export const blastPack: PackDefinition = {
  name: 'blast',
  version: '2.12.0',
  title: 'NCBI BLAST+',
  licence: {
    name: 'Public domain',
    url: 'https://www.ncbi.nlm.nih.gov/IEB/ToolBox/CPP_DOC/lxr/source/scripts/projects/blast/LICENSE',
  },
  programs: PROGRAMS,
  libraries: ['usr/lib/ncbi-blast+', 'usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'],
  pythonLock: null,
  way: {
    packages: [
      {
        name: 'ncbi-blast+',
        version: '2.12.0+ds-3+b1',
        sizeBytes: 11_923_644,
        sha256: 'b13b88df78836c9ea80a4ebb4c92c3cb75b3a5175258e8375b6e5851ff487caf',
      },
      {
        name: 'ncbi-data',
        version: '6.1.20170106+dfsg1-10',
        sizeBytes: 3_556_660,
        sha256: '354cc0c37faae65a6f32b301f18611a19e496ff32e364dff8ad00013a1710be0',
      },
      {
        name: 'liblmdb0',
        version: '0.9.24-1',
        sizeBytes: 44_996,
        sha256: '126d5d9d645dbe4e60c63c55160f3db31372bc7f6351d8b4480a51b40c551ff6',
      },
      {
        name: 'libmbedcrypto7',
        version: '2.28.3-1',
        sizeBytes: 277_112,
        sha256: 'af3295f80abf7e6ba2cba419134e29bde04192bf3614622ee53ce49de8d02abe',
      },
      {
        name: 'libmbedtls14',
        version: '2.28.3-1',
        sizeBytes: 163_324,
        sha256: '621ddfb85c668a86d755fae7bb0f31f00d83e4456c8171f9da7445a54b04da9c',
      },
      {
        name: 'libmbedx509-1',
        version: '2.28.3-1',
        sizeBytes: 128_084,
        sha256: '3377b6bedec2882b9fefeb0ef960ad4dc372939854d76adf761ba70e71d35c3b',
      },
      {
        name: 'libpcre3',
        version: '2:8.39-15',
        sizeBytes: 340_864,
        sha256: '993ea623ce5b42d67f653f2faaa7ef15e7c9d72bfcb93e22a1eaff7aa3532303',
      },
    ],
    systemPackages: ['libbz2-1.0', 'libc6', 'libgcc-s1', 'libgomp1', 'libstdc++6', 'zlib1g'],
    leftOut: ['usr/share/doc', 'usr/share/man', 'usr/share/lintian'],
  },
  async prove(run) {
    const versions = await Promise.all(PROGRAMS.map((program) => versionOf(run, program)));
    const [version] = versions;
    if (version === undefined || versions.some((other) => other !== version)) {
      throw new Error(`its programs are of several versions: ${versions.join(', ')}`);
    }
    const [major, minor] = version.split('.').map(Number);
    if (major !== 2 || minor === undefined || minor < OLDEST_MINOR) {
      throw new Error(`it is version ${version}; 2.${OLDEST_MINOR} or a later one of 2 is needed`);
    }
    return { version };
  },
};

async function versionOf(run: Parameters<PackDefinition['prove']>[0], program: string): Promise<string> {
  const { exitCode, stdout, stderr } = await run(program, ['-version']);
  const version = /: (\d+\.\d+\.\d+)\+/.exec(stdout)?.[1];
  if (exitCode === 0 && version !== undefined) return version;
  throw new Error(
    `${program} -version ended with exit code ${exitCode ?? 'none'}: ${stderr.trim().slice(0, 300)}`,
  );
}
