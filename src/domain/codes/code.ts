/**
 * Words of a code for the people who meet it. Those of the service's codes stand in the tables of this folder, those of a tool's
 * codes in the tool's own folder, and nowhere else.
 */

/** The two things that are said of every code, each in full sentences. */
export interface CodeWords {
  /** Event or condition that the code stands for. */
  readonly meaning: string;
  /** Next step for the reader. */
  readonly advice: string;
}

/** Kind of a code, by the place where it is met: a refusal of the API, the client, or the report about a job. */
export type CodeKind =
  | 'error'
  | 'error of the client'
  | 'failure'
  | 'warning'
  | 'state'
  | 'pause reason'
  | 'reason';

/** Codes of one kind that are met in one place. */
export interface CodeGroup {
  readonly kind: CodeKind;
  /** The simulator that gives the codes; null for codes of the service, which every job may carry. */
  readonly tool: string | null;
  readonly title: string;
  /** Note on the places where the codes are met, and on their consequences. */
  readonly note: string;
  readonly codes: Readonly<Record<string, CodeWords>>;
}

/** Facts of an error code. */
export interface ErrorFacts extends CodeWords {
  readonly status: number;
  /** Repeating the same call later may succeed. */
  readonly retryable: boolean;
}

/** The facts of an error that stays when the same call is repeated. */
export const final = (status: number, meaning: string, advice: string): ErrorFacts => ({
  status,
  retryable: false,
  meaning,
  advice,
});

/** The facts of an error that passes: the same call may succeed later. */
export const passing = (status: number, meaning: string, advice: string): ErrorFacts => ({
  status,
  retryable: true,
  meaning,
  advice,
});

declare const OF_A_TOOL: unique symbol;

/** The code of a refusal that stands in the table of a tool. */
export type ToolErrorCode = string & { readonly [OF_A_TOOL]: true };

/** A refusal by a tool: the request is well-formed, and the tool cannot do it. */
export interface ToolRefusal extends ErrorFacts {
  readonly code: ToolErrorCode;
  /** Whether an estimate is refused so too; an estimate may leave inputs out. */
  readonly atEstimate: boolean;
  /** Whether a job that is submitted is refused so; false for what only a batch can be refused for. */
  readonly atSubmit: boolean;
}

/**
 * Makes a refusal of a tool, for the tool's table.
 * @throws Error when the code is not written as codes are.
 */
export function refusal(
  code: string,
  { meaning, advice }: CodeWords,
  { atSubmit = true, atEstimate = atSubmit }: Partial<Pick<ToolRefusal, 'atEstimate' | 'atSubmit'>> = {},
): ToolRefusal {
  if (!isWrittenAsCode(code)) throw new Error(`${code} is not written as codes are`);
  return { code, status: 422, retryable: false, meaning, advice, atEstimate, atSubmit };
}

function isWrittenAsCode(text: string): text is ToolErrorCode {
  return /^[A-Z]+(?:_[A-Z]+)*$/.test(text);
}

/** Puts the words of a code together. */
export function says(meaning: string, advice: string): CodeWords {
  return { meaning, advice };
}
