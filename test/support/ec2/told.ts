/** Events of the simulated cloud, in lines for people. */
import type { CloudEvent } from './simulated-ec2.ts';

/** Tells each event in one line. Listings are told once in a row, because they come every few seconds while instances boot. */
export function tellCalls(tell: (line: string) => void): (event: CloudEvent) => void {
  let last = '';
  return (event) => {
    const line = lineOf(event);
    if (line !== last || event.type !== 'called') tell(line);
    last = line;
  };
}

function lineOf(event: CloudEvent): string {
  switch (event.type) {
    case 'called':
      return event.refusal === null ? event.action : `${event.action}: refused, ${event.refusal}`;
    case 'launched': {
      const { id, type, isSpot, zone } = event.instance;
      return `${id} is launched: ${type}, ${isSpot ? 'spot' : 'on demand'}, ${zone}`;
    }
    case 'reclaimed':
      return `${event.instance.id} is to be taken away in ${String(event.seconds)} s`;
    case 'ended':
      return `${event.instance.id} has ended: ${event.instance.reason}`;
  }
}
