import type { Bucket } from './ports/file-storage.ts'
import type { Network } from './ports/index.ts'
import type { S3Environment } from './ports/s3/settings.ts'
import type { AddressLimit, BackgroundRuns } from './services.ts'

/** Bindings of the worker. Only `worker/index.ts` reads them. */
export interface Env extends S3Environment {
  /** libSQL over HTTP: Turso, sqld, or the embedded server of `db/local`. */
  LIBSQL_URL: string
  LIBSQL_AUTH_TOKEN?: string
  /** 32 random bytes in base64url. Encrypts the workspaces' data keys. */
  MASTER_KEY: string
  /** The master key before, while `npm run keys:rotate` renews what it encrypted. */
  MASTER_KEY_PREVIOUS?: string
  /** 32 random bytes in base64url. Signs access tokens and cookies. */
  SESSION_KEY: string
  /** `enterprise`, `cloud` or `open source` (the default). */
  PLATFORM_TYPE?: string
  /** At least 16 characters, required to create the first account. Ignored in cloud, where anyone may register. */
  SETUP_TOKEN?: string
  /** Asked for in front of /setup, both or neither. The password has at least 8 characters. */
  SETUP_USERNAME?: string
  SETUP_PASSWORD?: string
  /** The account that administers the platform, once its address is confirmed. By default whoever made the first one. */
  PLATFORM_ADMIN_EMAIL?: string
  /** The address of the pages: `https://app.example.com`. Links in emails begin with it. */
  APP_URL?: string
  /** DNS over HTTPS in its JSON form, for the TXT records of domains. By default Cloudflare's. */
  DNS_URL?: string
  /** Comma-separated `host` or `host:port` of private hosts that outgoing calls may reach. */
  ALLOW_PRIVATE_HOSTS?: string
  /**
   * Requests that an address may make to a public route without a limit of its own; ten times as many with a key. 120 by
   * default.
   */
  PUBLIC_CALLS_PER_MINUTE?: string
  /** Megabytes that calls without a key may leave in the database, by workspace. In cloud 100 by default, elsewhere no limit. */
  ANONYMOUS_MB_PER_DAY?: string
  /** `true`: each call of the API is a line of JSON in the log. */
  LOG_REQUESTS?: string
  /** At least 16 characters: opens `/api/v1/metrics`, which is 404 without it. */
  METRICS_TOKEN?: string
  /**
   * The header that whatever is in front sets to the caller's address, whatever the caller sent: `CF-Connecting-IP` on
   * Cloudflare. Unset where callers connect themselves: then no header is believed.
   */
  CLIENT_ADDRESS_HEADER?: string
  /**
   * Comma-separated `host` or `host:port` that the product serves besides localhost; requests for other hosts are refused.
   * The local runners always set it. Leave it unset where the platform routes by host.
   */
  PUBLIC_HOSTS?: string
  /**
   * The origin of the pages when another server serves them: `https://app.example.com`. It must be on the same site as the
   * worker, because cookies are SameSite=Strict.
   */
  UI_BASE_URL?: string
  /** `true` where no edge in front of the worker compresses what it answers. The local runner sets it. */
  COMPRESS_RESPONSES?: string
  /** Comma-separated names of bindings that every workspace can read as runtime variables. */
  RUNTIME_VARIABLES?: string
  /** Connects to every address. The local runners bind it to spare each call a worker of Miniflare's; by default, `fetch`. */
  NETWORK?: Network
  /**
   * A network that only connects to public addresses, checked on connect. The local runners bind it to refuse public names
   * that resolve to private addresses; Cloudflare's network needs none.
   */
  PUBLIC_NETWORK?: Network
  /**
   * Endpoint for outgoing email: `POST` of JSON `{from, to, subject, text}` with the key as Bearer token, as in Resend's
   * API. Set all three mail variables or none.
   */
  MAIL_URL?: string
  MAIL_KEY?: string
  /** `Heddle <heddle@example.com>` */
  MAIL_FROM?: string
  /** Takes emails where no mail service is set. The local runners bind it. */
  OUTBOX?: { fetch(request: Request): Promise<Response> }
  /** Says what the worker cannot know (`worker/ports/machine.ts`). `npm start` binds it. */
  MACHINE?: { fetch(request: Request): Promise<Response> }
  /** Starts background runs, each in its own Workflow instance. */
  BACKGROUND_RUNS: BackgroundRuns
  /** An R2 bucket. The local runners keep it in the data folder. Unused where S3_BUCKET is set. */
  FILES: Bucket
  /** Cloudflare's rate limit. Absent elsewhere: the database then counts all calls. */
  ADDRESS_LIMIT?: AddressLimit
  ASSETS: { fetch(request: Request): Promise<Response> }
}
