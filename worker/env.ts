import type { BackgroundRuns } from './services.ts'

/** What the platform hands to the worker. Only `worker/index.ts` reads it. */
export interface Env {
  /** libSQL over HTTP: Turso, sqld, or the embedded server of `db/local`. */
  LIBSQL_URL: string
  LIBSQL_AUTH_TOKEN?: string
  /** 32 random bytes, base64url: wraps the workspaces' data keys. */
  MASTER_KEY: string
  /** 32 random bytes, base64url: signs access tokens and cookies. */
  SESSION_KEY: string
  /** `enterprise`, `cloud`, or `open source`, which is the same as none. */
  PLATFORM_TYPE?: string
  /** At least 16 characters: the first account is made by who knows it. Not asked in cloud, where everybody registers. */
  SETUP_TOKEN?: string
  /** Comma-separated `host` or `host:port` that outside calls may reach although they are private. */
  ALLOW_PRIVATE_HOSTS?: string
  /**
   * Comma-separated `host` or `host:port` under which the product is reached besides localhost; requests for others are
   * refused. The local runners always set it. Not set: the platform sends only requests for hosts that are ours.
   */
  PUBLIC_HOSTS?: string
  /**
   * The origin that the pages are served from where that is not this worker: `https://app.example.com`. It must be of the
   * same site as the worker, since cookies stay SameSite=Strict.
   */
  UI_BASE_URL?: string
  /** Comma-separated names of further bindings that runtime variables of the same name read, in every workspace. */
  RUNTIME_VARIABLES?: string
  /**
   * A network that connects to public addresses only, checked when it connects. The local runners bind it, so that a
   * public name that resolves to a private address is refused; Cloudflare's own network needs none.
   */
  PUBLIC_NETWORK?: { fetch(request: Request): Promise<Response> }
  /**
   * Where letters are handed in: `POST` of JSON `{from, to, subject, text}` with the key as Bearer token, as Resend and
   * others have it. All three, or none.
   */
  MAIL_URL?: string
  MAIL_KEY?: string
  /** `Heddle <heddle@example.com>` */
  MAIL_FROM?: string
  /** Starts runs that nobody waits for, each in a Workflow instance of its own. */
  BACKGROUND_RUNS: BackgroundRuns
  ASSETS: { fetch(request: Request): Promise<Response> }
}
