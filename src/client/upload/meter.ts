/** How far an upload is, how fast it goes and how long it will take, told at most ten times a second. */

/** Present phase of an upload. */
export type UploadPhase = 'sending' | 'verifying' | 'done';

/** How far an upload is. */
export interface UploadProgress {
  readonly phase: UploadPhase;
  readonly totalBytes: number;
  /** Bytes that were stored before, and bytes that were sent since; the bytes of a failed attempt are taken back. */
  readonly doneBytes: number;
  readonly sentBytes: number;
  readonly totalParts: number;
  readonly doneParts: number;
  /** Parts that may be under way at once now. */
  readonly concurrency: number;
  /** Over the last ten seconds. */
  readonly bytesPerSecond: number;
  /** Null as long as nothing was sent. */
  readonly secondsLeft: number | null;
}

/** Counts what an upload does. */
export interface Meter {
  /** Bytes went out; a negative number takes back what a failed attempt had sent. */
  sent(bytes: number): void;
  partDone(): void;
  /** A part that is stored already. */
  partKept(bytes: number): void;
  enter(phase: UploadPhase): void;
}

/** The upload that a meter measures. */
export interface MeterSubject {
  readonly totalBytes: number;
  readonly totalParts: number;
  readonly concurrency: () => number;
  readonly onProgress: ((progress: UploadProgress) => void) | undefined;
}

const TELL_MS = 100;
const RATE_MS = 10_000;

/** Makes a meter. */
export function createMeter(
  { totalBytes, totalParts, concurrency, onProgress }: MeterSubject,
  now: () => number = () => performance.now(),
): Meter {
  let phase: UploadPhase = 'sending';
  let [keptBytes, sentBytes, doneParts, toldMs] = [0, 0, 0, -Infinity];
  const samples: { readonly atMs: number; readonly bytes: number }[] = [{ atMs: now(), bytes: 0 }];

  const bytesPerSecond = (nowMs: number): number => {
    while (samples.length > 2 && nowMs - (samples[0]?.atMs ?? nowMs) > RATE_MS) samples.shift();
    const oldest = samples[0];
    if (oldest === undefined || nowMs <= oldest.atMs) return 0;
    return Math.max(0, ((sentBytes - oldest.bytes) * 1000) / (nowMs - oldest.atMs));
  };
  const tell = (isDue: boolean): void => {
    // Samples are dropped only when the rate is read, so without a listener none are kept.
    if (onProgress === undefined) return;
    const nowMs = now();
    if (!isDue && nowMs - toldMs < TELL_MS) return;
    toldMs = nowMs;
    samples.push({ atMs: nowMs, bytes: sentBytes });
    const rate = bytesPerSecond(nowMs);
    const doneBytes = Math.min(totalBytes, keptBytes + sentBytes);
    onProgress({
      phase,
      totalBytes,
      doneBytes,
      sentBytes,
      totalParts,
      doneParts,
      concurrency: concurrency(),
      bytesPerSecond: rate,
      secondsLeft: rate > 0 ? (totalBytes - doneBytes) / rate : null,
    });
  };
  return {
    sent(bytes) {
      sentBytes += bytes;
      tell(false);
    },
    partDone() {
      doneParts += 1;
      tell(false);
    },
    partKept(bytes) {
      keptBytes += bytes;
      doneParts += 1;
      tell(false);
    },
    enter(next) {
      phase = next;
      tell(true);
    },
  };
}
