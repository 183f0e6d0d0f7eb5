/**
 * Fills in what most tools leave empty, so that a tool says only what is its own: no aliases, no price classes, no seed, no
 * preparation that is kept, no checkpoints, no files at the end, no pack.
 */
import type { Tool } from './tool.ts';

const ABSENT = {
  about: { aliases: [] },
  request: { artifactReferences: () => [] },
  planning: {
    priceModel: 'fixed',
    classes: () => null,
    defaultInputBytes: null,
    figures: null,
    seed: () => null,
  },
  inputs: {
    stored: () => [],
    structures: () => [],
    preparation: () => null,
    preparedAs: () => null,
    cachedOutputs: () => [],
  },
  work: { taskSpec: () => ({}), checkpoint: null, startsAhead: false },
  outputs: { finishValues: [], finishFiles: () => [] },
  shown: { statusPart: null },
} as const satisfies { readonly [F in keyof Tool]?: Partial<Tool[F]> };

type Absent = typeof ABSENT;
/** A facet without the members that may be left out, and those as options. */
type Declared<T, A> = Omit<T, keyof A> & { readonly [K in keyof A & keyof T]?: T[K] };

/** A tool as its folder declares it. */
export type ToolDeclaration = Omit<Tool, keyof Absent | 'pack'> & {
  readonly [F in Exclude<keyof Absent, 'shown'>]: Declared<Tool[F], Absent[F]>;
} & { readonly shown?: Declared<Tool['shown'], Absent['shown']>; readonly pack?: Tool['pack'] };

/** Makes the tool. */
export function defineTool(declared: ToolDeclaration): Tool {
  const { about, request, planning, inputs, work, outputs, shown, pack = null, ...rest } = declared;
  return {
    ...rest,
    about: { ...ABSENT.about, ...about },
    request: { ...ABSENT.request, ...request },
    planning: { ...ABSENT.planning, ...planning },
    inputs: { ...ABSENT.inputs, ...inputs },
    work: { ...ABSENT.work, ...work },
    outputs: { ...ABSENT.outputs, ...outputs },
    shown: { ...ABSENT.shown, ...shown },
    pack,
  };
}
