/** Services of people, members, keys and the audit log that the API needs, as plain interfaces. */
import type { KeyActor, SessionActor } from '../src/domain/access.ts';
import type { AuditListQuery, AuditListResponse } from '../src/domain/audit.ts';
import type {
  ApiKeyRecord,
  CreateApiKeyRequest,
  IssuedApiKey,
  RevokedApiKey,
  RotateApiKeyRequest,
  RotatedApiKey,
} from '../src/domain/keys.ts';
import type {
  AcceptInvitationRequest,
  ChangeMemberRequest,
  InvitationListResponse,
  InvitationRecord,
  InviteRequest,
  JoinedAccount,
  LeftMember,
  MemberListResponse,
  MemberRecord,
} from '../src/domain/members.ts';
import type {
  BegunTotp,
  CliApproval,
  CliSessionRequest,
  Credentials,
  EnabledTotp,
  EndedSession,
  EndedSessions,
  ForgotPasswordRequest,
  MailSentResponse,
  OidcCallbackQuery,
  OidcFinishRequest,
  ResetPasswordRequest,
  SessionListResponse,
  SignInRequest,
  SignInResponse,
  TotpState,
  VerifiedResponse,
  VerifyRequest,
  Visit,
} from '../src/domain/people.ts';

/** An answer, and the mails that leave once the answer is out. */
export interface WithMail<Response> {
  readonly response: Response;
  readonly afterwards: () => void;
}

/** Cookies of a browser at a step of a sign-in at a provider: that of the sign-in, and that of a session. */
export interface BrowserCookies {
  readonly attempt: string | null;
  readonly session: string | null;
}

/** Signing up and in, sessions and passwords. */
export interface PeopleServices {
  signUp(visit: Visit, body: Credentials): Promise<WithMail<MailSentResponse>>;
  verify(visit: Visit, body: VerifyRequest): Promise<VerifiedResponse>;
  /** The cookie is the value of the new session's cookie; the session of the former cookie ends. */
  signIn(
    visit: Visit,
    body: SignInRequest,
    formerCookie: string | null,
  ): Promise<{ readonly cookie: string; readonly response: SignInResponse }>;
  forgotPassword(visit: Visit, body: ForgotPasswordRequest): Promise<WithMail<MailSentResponse>>;
  resetPassword(visit: Visit, body: ResetPasswordRequest): Promise<void>;
  /** Begins a sign-in at the provider: the page that the browser goes to, and the cookie that binds the sign-in to the browser. */
  startOidc(): Promise<{ readonly location: string; readonly cookie: string }>;
  /** @throws OIDC_EXPIRED, OIDC_REFUSED, OIDC_ADDRESS_UNVERIFIED, TOTP_REQUIRED. */
  oidcCallback(
    visit: Visit,
    query: OidcCallbackQuery,
    cookies: BrowserCookies,
  ): Promise<{ readonly cookie: string; readonly response: SignInResponse }>;
  /** @throws OIDC_EXPIRED, TOTP_REFUSED. */
  finishOidc(
    visit: Visit,
    body: OidcFinishRequest,
    cookies: BrowserCookies,
  ): Promise<{ readonly cookie: string; readonly response: SignInResponse }>;
  sessions(actor: SessionActor): Promise<SessionListResponse>;
  endSession(actor: SessionActor, sessionId: string, address: string): Promise<EndedSession>;
  endSessions(actor: SessionActor, address: string): Promise<EndedSessions>;
  totp(actor: SessionActor): Promise<TotpState>;
  /** @throws TOTP_ENABLED. */
  beginTotp(actor: SessionActor): Promise<BegunTotp>;
  /** @throws TOTP_ENABLED, TOTP_REFUSED. */
  confirmTotp(actor: SessionActor, code: string, address: string): Promise<EnabledTotp>;
  /** @throws TOTP_REFUSED. */
  disableTotp(actor: SessionActor, code: string, address: string): Promise<TotpState>;
  approveCli(actor: SessionActor, challenge: string): Promise<CliApproval>;
  /** @throws CODE_EXPIRED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED. */
  beginCliSession(
    visit: Visit,
    body: CliSessionRequest,
  ): Promise<{ readonly cookie: string; readonly response: SignInResponse }>;
}

/** A request to invite somebody, as the API hands it over. */
export interface InviteCommand {
  readonly body: InviteRequest;
  readonly idempotencyKey: string | null;
  /** The address of the caller, for the audit log. */
  readonly address: string;
}

/** Members of an account, and invitations. */
export interface MemberServices {
  list(actor: SessionActor): Promise<MemberListResponse>;
  /** @throws LAST_OWNER. */
  change(
    actor: SessionActor,
    userId: string,
    change: ChangeMemberRequest & { readonly address: string },
  ): Promise<MemberRecord>;
  /** @throws OWNER_REQUIRED, LAST_OWNER. */
  remove(actor: SessionActor, userId: string, address: string): Promise<WithMail<LeftMember>>;
  invitations(actor: SessionActor): Promise<InvitationListResponse>;
  /** @throws ALREADY_MEMBER, MEMBER_LIMIT_REACHED. */
  invite(actor: SessionActor, command: InviteCommand): Promise<WithMail<InvitationRecord>>;
  endInvitation(actor: SessionActor, invitationId: string, address: string): Promise<InvitationRecord>;
  /** @throws CODE_EXPIRED, SIGN_IN_REFUSED, ALREADY_MEMBER, OTHER_ACCOUNT. */
  accept(visit: Visit, body: AcceptInvitationRequest): Promise<JoinedAccount>;
}

/** Query of GET /keys; `cursor` is opaque and comes from the page before. */
export interface KeyListQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** A page of keys. */
export interface KeyListResponse {
  readonly keys: ApiKeyRecord[];
  readonly nextCursor: string | null;
}

/** A request that makes a key, as the API hands it over. */
export interface KeyCommand<Body> {
  readonly body: Body;
  /** SHA-256 (hex) of the canonical body as sent. */
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
  /** The address of the caller, for the audit log. */
  readonly address: string;
}

/** Keys as people and their holders manage them. */
export interface KeyServices {
  list(actor: SessionActor, query: KeyListQuery): Promise<KeyListResponse>;
  /** @throws KEY_ALREADY_ISSUED, IDEMPOTENCY_KEY_REUSED, KEY_LIMIT_REACHED. */
  issue(actor: SessionActor, command: KeyCommand<CreateApiKeyRequest>): Promise<IssuedApiKey>;
  revoke(actor: SessionActor, keyId: string, address: string): Promise<RevokedApiKey>;
  /** @throws KEY_ENDED, and what issue throws. */
  rotate(
    actor: SessionActor,
    keyId: string,
    command: KeyCommand<RotateApiKeyRequest>,
  ): Promise<RotatedApiKey>;
  /** Revokes the key of the call. The address is that of the caller, for the audit log. */
  revokeThis(actor: KeyActor, address: string): Promise<RevokedApiKey>;
}

/** Changes of the account, and their authors. */
export interface AuditServices {
  list(actor: SessionActor, query: AuditListQuery): Promise<AuditListResponse>;
}
