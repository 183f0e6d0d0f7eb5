/** A provider of identities that proves people for this service, where an operator has named one. */

/** Secrets that bind a sign-in at the provider to the browser that began the sign-in. */
export interface Binding {
  readonly state: string;
  readonly nonce: string;
  /** The secret of the proof key for code exchange. */
  readonly verifier: string;
}

/** A person as the provider has proved the person. */
export interface ProvedPerson {
  readonly issuer: string;
  /** The name of the person at the issuer, which never changes. */
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
}

/** A provider of identities. */
export interface IdentityProvider {
  /** Makes the address of the sign-in page for the browser. @throws SERVICE_UNAVAILABLE. */
  startUrl(binding: Binding): Promise<string>;
  /** Proves the person from what the browser brings back. @throws OIDC_REFUSED, SERVICE_UNAVAILABLE. */
  prove(parameters: Readonly<Record<string, string>>, binding: Binding): Promise<ProvedPerson>;
}
