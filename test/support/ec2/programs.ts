/**
 * The programs that a simulated machine finds first on its path. `docker` starts the worker of the checkout instead of the image's,
 * `systemctl` runs the unit that the user-data has written, `poweroff` asks the cloud to end the machine. None of them touches the
 * machine that the simulation runs on.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCKER = fileURLToPath(new URL('docker.ts', import.meta.url));

const NOTED = `#!/bin/bash
echo "$(basename "$0") $*" >>"$DOCKYARD_MACHINE_ROOT/commands.log"
`;

const PROGRAMS: Readonly<Record<string, string>> = {
  docker: `${NOTED}[ "$1" = run ] || exit 0\nexec '${process.execPath}' '${DOCKER}' "$@"\n`,
  systemctl: `${NOTED}
[ "$1" = start ] || exit 0
unit="$DOCKYARD_MACHINE_ROOT/etc/systemd/system/\${*: -1}"
program="$(sed -n 's/^ExecStart=//p' "$unit")"
(while :; do "$program"; sleep 1; done) >>"$DOCKYARD_MACHINE_ROOT/console.log" 2>&1 </dev/null &
`,
  shutdown: `${NOTED}
minutes="\${*: -1}"
(sleep "$((\${minutes#+} * 60))"; poweroff) >/dev/null 2>&1 </dev/null &
`,
  poweroff: `${NOTED}exec curl --silent --request POST "$AWS_EC2_METADATA_SERVICE_ENDPOINT/power-off"\n`,
  iptables: `${NOTED}echo "$*" >>"$DOCKYARD_MACHINE_ROOT/firewall"\n`,
  dnf: NOTED,
};

/** Writes the programs into a folder. */
export function writePrograms(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(PROGRAMS)) {
    const file = join(folder, name);
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  }
}
