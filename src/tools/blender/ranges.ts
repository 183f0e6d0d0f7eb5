/** Frames of a request: ranges with steps, negative numbers too, and the order in which they are drawn. */

/** Frames from a first to a last one, each so many after the other. */
export type FrameRange = readonly [first: number, last: number, step: number];

/** The numbers that a scene may have frames of. */
const FRAME_BOUND = 1_048_574;
/** The frames of one job. */
const MOST_FRAMES = 100_000;

const RANGE = /^(-?\d{1,7})(?:-(-?\d{1,7})(?::(\d{1,7}))?)?$/;

/** Reads `1-100:10,205`; answers what is wrong as a text. */
export function readRanges(text: string): readonly FrameRange[] | string {
  const ranges: FrameRange[] = [];
  for (const part of text.split(',').map((one) => one.trim())) {
    const found = RANGE.exec(part);
    if (found === null) return `${part.slice(0, 40)} is no frame and no range such as 1-100:10.`;
    const first = Number(found[1]);
    const last = found[2] === undefined ? first : Number(found[2]);
    const step = found[3] === undefined ? 1 : Number(found[3]);
    if (last < first) return `${part} goes backwards.`;
    if (step < 1) return `${part} has a step that is not above 0.`;
    ranges.push([first, last, step]);
  }
  return faultOf(ranges) ?? ranges;
}

/** Finds what is wrong with ranges: numbers that no scene has, or too many; null for nothing. */
export function faultOf(ranges: readonly FrameRange[]): string | null {
  const beyond = ranges.flatMap(([first, last]) => [first, last]).find((one) => Math.abs(one) > FRAME_BOUND);
  if (beyond !== undefined) return `frame ${beyond} is beyond ${FRAME_BOUND}, where scenes end.`;
  const most = ranges.reduce((sum, [first, last, step]) => sum + Math.floor((last - first) / step) + 1, 0);
  return most > MOST_FRAMES ? `a job has at most ${MOST_FRAMES} frames, and these are ${most}.` : null;
}

/** The frames of ranges, each once, ascending. */
export function framesIn(ranges: readonly FrameRange[]): readonly number[] {
  const frames = new Set<number>();
  for (const [first, last, step] of ranges)
    for (let frame = first; frame <= last; frame += step) frames.add(frame);
  return [...frames].sort((left, right) => left - right);
}

/**
 * Orders frames so that those that are done show the whole film: the first, the last, the middle, the middles of the halves, and so on.
 */
export function spread(frames: readonly number[]): readonly number[] {
  const last = frames.length - 1;
  if (last < 2) return frames;
  const order = [0, last];
  for (let gaps: readonly (readonly [number, number])[] = [[0, last]]; gaps.length > 0;) {
    const next: (readonly [number, number])[] = [];
    for (const [from, to] of gaps) {
      if (to - from < 2) continue;
      const middle = Math.floor((from + to) / 2);
      order.push(middle);
      next.push([from, middle], [middle, to]);
    }
    gaps = next;
  }
  return order.flatMap((place) => frames[place] ?? []);
}

/** A frame number in names: four digits at least, a minus before them. */
export function padded(frame: number): string {
  return `${frame < 0 ? '-' : ''}${String(Math.abs(frame)).padStart(4, '0')}`;
}
