/** Faults of scenes. */

/** A part of a scene that is refused. */
export interface SceneFault {
  /** The part, as in `snapshots[1].root.children[0].params.url`. */
  readonly path: string;
  readonly message: string;
  /** `source`: the part names data that a scene may not name. */
  readonly kind: 'tree' | 'source';
}
