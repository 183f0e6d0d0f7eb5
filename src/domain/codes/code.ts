/** What a code says to the people who meet it; the words of every code stand in the tables of this folder, and nowhere else. */

/** The two things that are said of every code, each in full sentences. */
export interface CodeWords {
  /** What has happened, or how things stand. */
  readonly meaning: string;
  /** What the reader does now. */
  readonly advice: string;
}

/** Where a code is met: in an answer of the API that refuses, in the client, or in what is told of a job. */
export type CodeKind =
  'error' | 'error of the client' | 'failure' | 'warning' | 'state' | 'pause reason' | 'reason';

/** Puts the words of a code together. */
export function says(meaning: string, advice: string): CodeWords {
  return { meaning, advice };
}
