/** Connections that customers ask the service to make: where to, and how it went. */

/** Protocols with the other side. */
export const OUTBOUND_PROTOCOLS = ['tcp', 'http', 'https'] as const;

/** A way to speak to the other side: a bare connection, or one question of HTTP over it. */
export type OutboundProtocol = (typeof OUTBOUND_PROTOCOLS)[number];

/** A place that a customer names. */
export interface Destination {
  readonly protocol: OutboundProtocol;
  readonly host: string;
  readonly port: number;
}

/** Why the service does not connect to a destination, whoever answers there. */
export type DestinationFault = 'HOST_INVALID' | 'PORT_REFUSED' | 'ADDRESS_REFUSED';

/** Everything that is told of a connection that did not come to a good end; the other side has no words in it. */
export type OutboundFault =
  | DestinationFault
  | 'NAME_UNKNOWN'
  | 'CONNECTION_FAILED'
  | 'TIMED_OUT'
  | 'TLS_FAILED'
  | 'REDIRECTED'
  | 'CREDENTIALS_REFUSED'
  | 'ANSWER_UNEXPECTED';

/** The end of a message that was sent. */
export interface OutboundPost {
  /** Null when the message was taken: the answer had a status of 2xx. */
  readonly fault: OutboundFault | null;
  /** The status of the answer; null where no answer of HTTP came. */
  readonly status: number | null;
  /** The beginning of the answer; null where none came, or its address is not of the public internet. */
  readonly body: string | null;
}
