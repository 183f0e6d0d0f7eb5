// Loaded before a client (`node --import`): leads its connections to some ports of this machine to others, where a link
// begins. The client still believes to speak to the first, so that the host in every signed address stays good.
// DOCKYARD_BENCH_ROUTES: `{ "<port>": <port of the link> }`.
import { Socket } from 'node:net';

const routes = JSON.parse(process.env['DOCKYARD_BENCH_ROUTES']);
const { connect } = Socket.prototype;

Socket.prototype.connect = function (...given) {
  // Node hands on `[options, callback]` as one array.
  const options = Array.isArray(given[0]) ? given[0][0] : given[0];
  if (typeof options === 'object' && options !== null) {
    const port = routes[String(options.port)];
    if (port !== undefined) options.port = port;
  }
  return Reflect.apply(connect, this, given);
};
