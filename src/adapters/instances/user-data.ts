/**
 * Text for the first boot of a machine in the cloud. It has two parts. The frame is a pure function of the order and is kept
 * before the first call, because a provider takes a launch token once and for the same request only: a process of a later build
 * repeats the call with the frame that is kept. The credential follows from the launch, and is put into its place in the frame
 * for the call alone.
 *
 * The text starts one service, the watcher, as root. The watcher starts the compute container, which has no right on the machine
 * and does not reach its metadata. From then on the watcher does four things: it hands the container the notice that the machine
 * is taken away, by a file; it powers the machine off when the container has ended, when the worker's sign of life is too old,
 * and when the machine has lived for as long as it may. A watcher that is started a second time, by a crash or a restart of the
 * machine, powers the machine off as well: nothing on it is worth keeping.
 *
 * All times are differences of the uptime, so a clock that is wrong does no harm. Only the credential is secret: it is good for
 * one bootstrap, reaches the container by its standard input and stands on no command line.
 */

/** Container that a machine is to run, and for how long. */
export interface MachineOrder {
  /** The compute image by its digest: `registry/name@sha256:…`. */
  readonly image: string;
  /** GPUs that the container gets; 0 for none. */
  readonly gpus: number;
  /** The settings of the worker, by the names of their environment variables. */
  readonly settings: Readonly<Record<string, string>>;
  /** After so long without the worker's sign of life the machine powers itself off. */
  readonly deadManMinutes: number;
  /** After so long the machine powers itself off, whatever it does. */
  readonly lifetimeMinutes: number;
  /** How often the watcher looks; 5 where it is not said. */
  readonly lookSeconds?: number;
}

/** The most bytes that EC2 takes, before they are written as base64. */
export const USER_DATA_BYTES = 16 * 1024;

/** Folder of the container with the signs between the watcher and the worker. */
export const MACHINE_FOLDER = '/run/dockyard';
/** The folder in which the container works. */
const WORK_FOLDER = '/var/lib/dockyard';

/** The worker is told where its folders are, whatever the image says. */
const FOLDERS = { DOCKYARD_COMPUTE_DIR: WORK_FOLDER, DOCKYARD_MACHINE_DIR: MACHINE_FOLDER };

const LOOK_SECONDS = 5;
const IMAGE = /^[a-z0-9][a-z0-9._/:-]*@sha256:[0-9a-f]{64}$/;
const ECR = /^(\d{12}\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com)\//;
const CREDENTIAL = /^[A-Za-z0-9._~-]{16,2048}$/;
const LONGEST_CREDENTIAL = 2048;
/** The place of the credential. It stands alone on its line, and a setting never does. */
const PLACE = '@CREDENTIAL@';
const PLACE_LINE = /^@CREDENTIAL@$/m;
const VARIABLE = /^[A-Z][A-Z0-9_]{0,63}$/;
const VALUE = /^[\x20-\x7E]*$/;

/**
 * The text of the user-data, with a place for the credential; the same order gives the same text.
 * @throws RangeError for an order that could break out of the text, or that is larger than a machine may be told.
 */
export function frameOf(order: MachineOrder): string {
  const { image, gpus, deadManMinutes, lifetimeMinutes } = order;
  if (!IMAGE.test(image)) throw new RangeError('The image is not named by its digest.');
  const lifetime = wholeSeconds(lifetimeMinutes);
  const text = FRAME.replaceAll(/@([A-Z]+)@/g, (_, name: string) => {
    const values: Readonly<Record<string, string>> = {
      IMAGE: image,
      CREDENTIAL: PLACE,
      GPUS: gpus > 0 ? '--gpus all ' : '',
      ENVIRONMENT: environmentOf({ ...FOLDERS, ...order.settings }),
      LOGIN: loginOf(image),
      DEADMAN: String(wholeSeconds(deadManMinutes)),
      LIFETIME: String(lifetime),
      LIFETIMEMINUTES: String(Math.ceil(lifetime / 60)),
      LOOK: String(order.lookSeconds ?? LOOK_SECONDS),
      MACHINE: MACHINE_FOLDER,
      WORK: WORK_FOLDER,
    };
    return values[name] ?? '';
  });
  if (new TextEncoder().encode(text).byteLength > USER_DATA_BYTES - LONGEST_CREDENTIAL)
    throw new RangeError(`The user-data may be larger than ${String(USER_DATA_BYTES)} bytes.`);
  return text;
}

/**
 * The user-data of one instance: a frame, which another build may have made, with the credential in its place.
 * @throws RangeError for a credential that could break out of the text, and for a frame without a place for it.
 */
export function userDataOf(frame: string, credential: string): string {
  if (!CREDENTIAL.test(credential)) throw new RangeError('The credential has characters that none has.');
  if (!PLACE_LINE.test(frame)) throw new RangeError('The frame has no place for the credential.');
  return frame.replace(PLACE_LINE, () => credential);
}

function wholeSeconds(minutes: number): number {
  return Math.max(1, Math.round(minutes * 60));
}

/** The settings in the order of their names, one a line, as `docker run --env-file` reads them. */
function environmentOf(settings: Readonly<Record<string, string>>): string {
  const names = Object.keys(settings).sort();
  return names
    .map((name) => {
      const value = settings[name] ?? '';
      if (!VARIABLE.test(name) || !VALUE.test(value))
        throw new RangeError(`The setting ${name} cannot be given to a machine.`);
      return `${name}=${value}`;
    })
    .join('\n');
}

/** A private registry of AWS is read with the machine's own role; the container cannot use the role. */
function loginOf(image: string): string {
  const registry = ECR.exec(image)?.[1];
  if (registry === undefined) return ':';
  return `dnf install --assumeyes --quiet amazon-ecr-credential-helper
  mkdir -p "$root/root/.docker"
  printf '{"credHelpers":{"${registry}":"ecr-login"}}\\n' >"$root/root/.docker/config.json"`;
}

/** The frame of this build. Another text is other user-data for new launches only: those under way keep theirs. */
const FRAME = `#!/bin/bash
# A Dockyard instance: starts the compute container and watches over it. DOCKYARD_MACHINE_ROOT is set by simulations only.
set -euo pipefail
umask 077
root="\${DOCKYARD_MACHINE_ROOT:-}"
home="$root/var/lib/dockyard"
mkdir -p "$home/notice" "$home/life" "$home/work" "$root/etc/systemd/system"
chmod 711 "$home"
chmod 755 "$home/notice"
chmod 1777 "$home/life" "$home/work"

# No more than this, also when the watcher is broken.
shutdown -P +@LIFETIMEMINUTES@

cat >"$home/credential" <<'CREDENTIAL'
@CREDENTIAL@
CREDENTIAL

cat >"$home/worker.env" <<'ENVIRONMENT'
@ENVIRONMENT@
ENVIRONMENT

cat >"$home/watcher" <<'WATCHER'
#!/bin/bash
set -uo pipefail
root="\${DOCKYARD_MACHINE_ROOT:-}"
home="$root/var/lib/dockyard"
metadata="\${AWS_EC2_METADATA_SERVICE_ENDPOINT:-http://169.254.169.254}"
image='@IMAGE@'

seconds() { cut -d. -f1 /proc/uptime; }

off() {
  echo "dockyard: powering off: $1"
  poweroff
  sleep 60
  poweroff --force
  exit 1
}

prepare() {
  until docker info >/dev/null 2>&1; do sleep 1; done
  # Hop limit 1 keeps a container from the metadata already; this does so too when somebody raises the limit.
  iptables -I DOCKER-USER -d 169.254.0.0/16 -j DROP || off 'the firewall refuses its rule'
  @LOGIN@
  for pause in 1 5 15 30 60; do
    docker pull --quiet "$image" && return
    sleep "$pause"
  done
  off 'the image cannot be had'
}

# Prints the notice that the machine is to be taken away; fails when there is none.
notice() {
  local token
  token="$(curl --silent --fail --max-time 2 --request PUT \\
    --header 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$metadata/latest/api/token")" || return 1
  printf 'X-aws-ec2-metadata-token: %s\\n' "$token" |
    curl --silent --fail --max-time 2 --header @- "$metadata/latest/meta-data/spot/instance-action"
}

[ -e "$home/started" ] && off 'the watcher was started a second time'
touch "$home/started"
began="$(seconds)"
prepare
docker run --rm --init --interactive --name dockyard-compute --network bridge @GPUS@\\
  --cap-drop ALL --security-opt no-new-privileges --security-opt seccomp=unconfined \\
  --security-opt apparmor=unconfined --security-opt systempaths=unconfined --pids-limit 16384 --stop-timeout 10 \\
  --volume "$home/notice:@MACHINE@/notice:ro" --volume "$home/life:@MACHINE@/life" \\
  --volume "$home/work:@WORK@" --env-file "$home/worker.env" \\
  "$image" node src/bin/machine.ts <"$home/credential" &
container=$!
sleep 1
rm -f "$home/credential"

last_sign=''
heard="$(seconds)"
while sleep @LOOK@; do
  now="$(seconds)"
  kill -0 "$container" 2>/dev/null || off 'the worker has ended'
  sign="$(stat --format %y "$home/life/sign" 2>/dev/null || true)"
  if [ "$sign" != "$last_sign" ]; then
    last_sign="$sign"
    heard="$now"
  fi
  [ $((now - heard)) -ge @DEADMAN@ ] && off 'the worker gives no sign of life'
  [ $((now - began)) -ge @LIFETIME@ ] && off 'the machine has lived for as long as it may'
  if [ ! -e "$home/notice/spot" ] && told="$(notice)"; then
    printf '%s\\n' "$told" >"$home/notice/.spot"
    chmod 644 "$home/notice/.spot"
    mv "$home/notice/.spot" "$home/notice/spot"
  fi
done
WATCHER
chmod 700 "$home/watcher"

cat >"$root/etc/systemd/system/dockyard.service" <<UNIT
[Unit]
Description=Dockyard instance
Wants=docker.service network-online.target
After=docker.service network-online.target

[Service]
ExecStart=$home/watcher
Restart=always
RestartSec=5
StandardOutput=journal+console

[Install]
WantedBy=multi-user.target
UNIT

# The image's own agent would offer the machine to a cluster of containers.
systemctl mask --now --no-block ecs.service || true
systemctl daemon-reload
systemctl enable dockyard.service
systemctl start --no-block dockyard.service
`;
