/** Settings of sessions that an address has, as `?options=-c log_min_messages=log`; TypeORM reads host and credentials of it alone. */

/** Finds the options that a connection to this address opens with. */
export function sessionOptions(url: string): { readonly options?: string } {
  const options = URL.canParse(url) ? new URL(url).searchParams.get('options') : null;
  return options === null ? {} : { options };
}
