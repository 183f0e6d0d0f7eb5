declare module 'document:codes' {
  export const codes: Readonly<Record<string, string>>;
}
declare module 'document:events' {
  export const events: Readonly<Record<string, string>>;
}
declare module 'document:verifying' {
  export const verifying: readonly {
    readonly title: string;
    readonly language: string;
    readonly text: string;
  }[];
}
declare module 'document:fields/*' {
  export const fields: Readonly<
    Record<
      string,
      {
        readonly type?: string | readonly string[];
        readonly enum?: readonly string[];
        readonly minLength?: number;
        readonly maxLength?: number;
        readonly minimum?: number;
        readonly maximum?: number;
        readonly pattern?: string;
        readonly items?: { readonly pattern?: string; readonly enum?: readonly string[] };
        readonly default?: unknown;
        /** The names of the fields of an object. */
        readonly names?: readonly string[];
        readonly help: string;
        readonly required: boolean;
      }
    >
  >;
}
