/** A clock that jumps from one event to the next. */

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Events in the order of their times; of one time in the order in which they were planned. */
export class Clock {
  now = 0;
  private order = 0;
  private readonly heap: Event[] = [];

  after(seconds: number, run: () => void): void {
    this.push({ at: this.now + seconds, order: (this.order += 1), run });
  }

  /** Runs events until none is left. */
  run(): void {
    for (let next = this.pop(); next !== undefined; next = this.pop()) {
      this.now = next.at;
      next.run();
    }
  }

  private push(event: Event): void {
    let at = this.heap.push(event) - 1;
    for (let up = (at - 1) >> 1; at > 0 && isBefore(event, this.heap[up]); up = (at - 1) >> 1) {
      this.swap(at, up);
      at = up;
    }
  }

  private pop(): Event | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (first === undefined || last === undefined || this.heap.length === 0) return first;
    this.heap[0] = last;
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const least = isBefore(this.heap[left + 1], this.heap[left]) ? left + 1 : left;
      if (!isBefore(this.heap[least], this.heap[at])) return first;
      this.swap(at, least);
      at = least;
    }
  }

  private swap(a: number, b: number): void {
    const [one, other] = [this.heap[a], this.heap[b]];
    if (one === undefined || other === undefined) return;
    this.heap[a] = other;
    this.heap[b] = one;
  }
}

function isBefore(a: Event | undefined, b: Event | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
