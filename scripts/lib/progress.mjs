// Tells a person what the set-up is doing: on a terminal one live line, elsewhere a line every 15 seconds, so that
// neither a log nor a watching person is left wondering.

const quietMilliseconds = 15_000;

/** A size in bytes as people read it. */
export function formatSize(bytes) {
  if (bytes >= 1e9) return (bytes / 1e9).toFixed(2) + ' GB';
  if (bytes >= 1e6) return (bytes / 1e6).toFixed(1) + ' MB';
  return Math.max(1, Math.round(bytes / 1e3)) + ' kB';
}

/** Prints one line at once. */
export function say(text) {
  process.stderr.write('set-up: ' + text + '\n');
}

/** Shows one step from its start to `done` or `failed`; `update` takes what is to be seen at this moment. */
export class Step {
  constructor(label) {
    this.label = label;
    this.startedAt = Date.now();
    this.detail = '';
    this.live = Boolean(process.stderr.isTTY);
    this.printed = false;
    this.timer = setInterval(() => this.#show(), this.live ? 500 : quietMilliseconds);
    this.timer.unref();
    if (!this.live) say(label + ' …');
  }

  update(detail) {
    this.detail = detail;
  }

  seconds() {
    return ((Date.now() - this.startedAt) / 1000).toFixed(1) + ' s';
  }

  #show() {
    const text = 'set-up: ' + this.label + ': ' + (this.detail ? this.detail + ', ' : '') + this.seconds();
    if (this.live) {
      process.stderr.write('\r\u001b[K' + text.slice(0, (process.stderr.columns || 80) - 1));
      this.printed = true;
    } else {
      process.stderr.write(text + '\n');
    }
  }

  #end(text) {
    clearInterval(this.timer);
    if (this.live && this.printed) process.stderr.write('\r\u001b[K');
    say(this.label + ': ' + text);
  }

  done(detail) {
    this.#end((detail ? detail + ', ' : 'done, ') + this.seconds());
  }

  failed(reason) {
    this.#end('no: ' + reason + ' (' + this.seconds() + ')');
  }
}
