/** Senders of mail: a server for mail, or a folder where none is set up. */

/** A mail of plain text to one address. */
export interface Mail {
  /** Id that the same mail has when it is sent again; left out where a mail is sent once. */
  readonly id?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mails. */
export interface Mailer {
  /** Destination of the mails, for the log, without secrets. */
  readonly place: string;
  /** Resolves once the mail has been handed over. */
  send(mail: Mail): Promise<void>;
  close(): void;
}
