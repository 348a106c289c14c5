/**
 * How an area declares its calls. Every route names its access rule, and schemas decode each request before its handler
 * runs. `worker/app.ts` mounts nothing else.
 */
import type { BatchItem } from 'drizzle-orm/batch'
import type { Context } from 'hono'
import type * as z from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import type { AuditEvent } from '#contract/organization/audit.ts'
import type { HeldRead } from '#db/held-read.ts'
import type { Services } from '../services.ts'

/** The caller, as a tagged union that is passed explicitly and matched exhaustively. */
export type Actor =
  | { kind: 'nobody' }
  | {
      kind: 'user'
      userId: string
      name: string
      sessionId: string
      workspaceId: string
      organizationId: string
      isOrganizationAdmin: boolean
      /** Names of the person's roles in the workspace and in its organization. */
      roles: string[]
      permissions: string[]
      features: Record<string, boolean | string>
      isPlatformAdmin: boolean
      /** When the person last proved who they are in this session; null: they have not yet. */
      confirmedDate: string | null
      /** The organization whose identity provider opened the session and speaks for that organization only; null: for the person. */
      limitedTo: string | null
    }
  | { kind: 'apiKey'; keyId: string; workspaceId: string; permissions: string[] }
  | {
      /** The token with which an organization's directory provisions people. It opens the routes for directories only. */
      kind: 'directory'
      tokenId: string
      name: string
      organizationId: string
      /** Who made the token, and must hold what it does. */
      makerId: string
    }

export type UserActor = Extract<Actor, { kind: 'user' }>

export type DirectoryActor = Extract<Actor, { kind: 'directory' }>

/** An actor with a workspace. */
export type Member = UserActor | Extract<Actor, { kind: 'apiKey' }>

export interface AppEnv {
  Variables: {
    services: Services
    actor: Actor
    requestId: string
    route: Route
    /** The workspace that a public call turned out to be about. */
    calledWorkspaceId?: string
    prefetched?: () => unknown
    ahead?: Ahead
    received?: Promise<Received>
  }
}

/**
 * - `public`: everyone
 * - `signed-in`: any user session, no API key
 * - `account`: a session that may read and change what is the person's in every organization: none that an
 *   organization's identity provider opened, unless nothing else opens the account (`session/managed-account.ts`)
 * - `{ permission }`: a member with at least one of the comma-separated permissions
 * - `{ permission, feature }`: such a member, with the feature enabled; nobody in open source
 * - `{ organizationAdminOnly }`: an admin of the organization, with the feature enabled where one is named
 * - `{ adminOnly }`: the platform admin's session, with the feature enabled where one is named
 * - `{ directoryOnly }`: the token of an organization's directory, with the feature enabled where one is named
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'account'
  | PermissionAccess
  | OrganizationAdminAccess
  | AdminAccess
  | DirectoryAccess

interface OrganizationAdminAccess {
  organizationAdminOnly: true
  feature?: string
}

interface AdminAccess {
  adminOnly: true
  feature?: string
}

export interface DirectoryAccess {
  directoryOnly: true
  feature?: string
}

export interface PermissionAccess {
  permission: string
  feature?: string
}

/**
 * - an event of `worker/contract/organization/audit.ts`: the handler writes it in the batch of its change, with `auditEvent`
 * - `{ none }`: why nobody will ask later who did it
 */
export type AuditRule = AuditEvent | { none: string }

/** A body before a schema has validated it. */
export interface Received {
  body: unknown
  /** The files of a multipart body. */
  files: File[]
}

/** The allowed fields of a multipart body; all others are rejected. */
export interface Multipart {
  /** The field of the files, and their maximum number. */
  files: { field: string; max: number }
  text: readonly string[]
  /** Fields that contain JSON. */
  json?: readonly string[]
  /** Converts the fields to what the body's schema describes; by default, they are used unchanged. */
  toBody?(fields: Record<string, unknown>): unknown
}

interface RouteLimit {
  /** Requests per window and caller address; for directories, per token. */
  max: number
  windowSeconds: number
  /** Counted in the isolate's memory, for routes that cost less than a round trip. */
  isOfIsolate?: true
}

export interface RouteInput<Body, Query, Params> {
  body: Body
  query: Query
  params: Params
  /** The files of a multipart body, with the names and types that the sender declared. */
  files: File[]
  /**
   * `nobody` on public routes. Call `resolveActor(context)` of `actor.ts` where a public call may carry an identity.
   */
  actor: Actor
  services: Services
  context: Context<AppEnv>
  /** Returns what the route's `prefetch` read, or undefined where it did not; throws when that failed. */
  prefetched(): unknown
}

/** Statements that run in the round trip that identifies the caller, and a reader of their rows. */
export interface Prefetch {
  statements: readonly BatchItem<'sqlite'>[]
  read(rows: unknown[]): unknown
}

/** A handler that has begun for whom the isolate takes for the caller (`ahead.ts`). */
export interface Ahead extends Pick<HeldRead, 'statements' | 'give' | 'release'> {
  guess: Actor
  answer: Promise<unknown>
  /** The handler wanted more than the database, and so has to begin again. */
  isSpoiled(): boolean
}

/** An error that is about to be answered. */
export interface AnsweredError {
  status: number
  message: string
  /** Path of the invalid field. */
  field?: string
  [key: string]: unknown
}

export interface ErrorForm {
  schema: z.ZodType
  /** Media type. Defaults to `application/json`. */
  type?: string
  bodyOf(error: AnsweredError): unknown
}

/** One form of the response. */
export interface Answer {
  /** Defaults to 200. */
  status?: number
  /** Media type. Defaults to `application/json` with a schema, and to no body without. */
  type?: string
  schema?: z.ZodType
  /** When this form is sent, for the API's description. */
  description?: string
}

/** The response of calls without a result. */
export const noContent: readonly Answer[] = [{ status: 204 }]

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/v1, in Hono's syntax: `/chatflows/:id`. */
  path: string
  /** A few words: `List variables`. */
  summary: string
  /** Further information for callers. */
  description?: string
  /** Kept for clients of Flowise. `description` says what to use in its place. */
  deprecated?: true
  /** The schema of the JSON that a successful call returns with 200, or each form of its response. */
  answer: z.ZodType | readonly Answer[]
  /** Errors besides those that follow from the declaration (`worker/areas/openapi/errors.ts`). */
  errors?: readonly ErrorCode[]
  access: Access
  /** Every call that changes something has one. */
  audit?: AuditRule
  /**
   * Wants proof, of the last minutes, that the session's user is who calls (`confirmed.ts`): for what changes how people
   * sign in, and what gives lasting power. Keys pass.
   */
  confirmed?: true
  /** Pages of other sites may call it (CORS without credentials). `resolveActor` ignores cookies. Only for public routes. */
  embeddable?: true
  /** Maximum body size in bytes. Defaults to 1 MiB. */
  maxBodyBytes?: number
  /**
   * Asked before a public route reads more than 1 MiB. Throws unless the caller may call what the address names, and that
   * takes so much.
   */
  beforeLargeBody?(context: Context<AppEnv>): Promise<void>
  /** Maximum number of values in a JSON body. Defaults to 100,000. */
  maxValues?: number
  /** Public routes without one get `PUBLIC_CALLS_PER_MINUTE`, counted in the isolate. */
  limit?: RouteLimit
  /** Also mounted below /v1 at the root, where clients of OpenAI expect it. */
  isOfOpenAi?: true
  /** Also mounted at the root, without /api/v1. */
  isAtRoot?: true
  /** The form of errors, for clients that read another one than Flowise's. */
  errorForm?: ErrorForm
  body?: z.ZodType
  /** Media types of the body. Defaults to JSON. */
  bodyTypes?: readonly string[]
  /** The body may also be multipart/form-data. */
  multipart?: Multipart
  query?: z.ZodType
  params?: z.ZodType
  /**
   * Saves a guarded route a round trip in calls with a session, whose cookie is signed, or with a key that this isolate has
   * seen; another may be anybody's guess. Runs before the caller is known to go on, so it must not write, and the handler, which alone sees the result, must compare
   * it with the actor's workspace. Returns undefined when the call cannot be read.
   */
  prefetch?(context: Context<AppEnv>): Promise<Prefetch | undefined>
  handle(input: RouteInput<never, never, never>): Promise<unknown>
}

type Decoded<Schema> = Schema extends z.ZodType<infer Out> ? Out : undefined

/** Where one schema describes the response, the compiler checks the handler's result. */
type Handled<Declared> = Declared extends z.ZodType<infer Out> ? Out | Response : unknown

/**
 * Declares a route. The handler's result is sent as JSON unless it is a Response.
 * Routes with `permission` or `signed-in` narrow the actor with `memberOf(actor)`, `signed-in` and
 * `account` routes with `userOf(actor)`.
 */
export function route<
  Body extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Params extends z.ZodType | undefined = undefined,
  Declared extends Route['answer'] = z.ZodType,
>(
  declared: Omit<Route, 'body' | 'query' | 'params' | 'answer' | 'handle'> & {
    body?: Body
    query?: Query
    params?: Params
    answer: Declared
    handle(input: RouteInput<Decoded<Body>, Decoded<Query>, Decoded<Params>>): Promise<Handled<Declared>>
  },
): Route {
  return declared as Route
}

/** Narrows the actor of a guarded route. */
export function memberOf(actor: Actor): Member {
  if (actor.kind !== 'user' && actor.kind !== 'apiKey') throw new Error('memberOf was called on a public route')
  return actor
}

/** Narrows the actor of a route for directories. */
export function directoryOf(actor: Actor): DirectoryActor {
  if (actor.kind !== 'directory') throw new Error('directoryOf was called on a route that is not for directories')
  return actor
}

/** Narrows the actor of a `signed-in` or `account` route. */
export function userOf(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw new Error('userOf was called on a route that is not for signed-in users')
  return actor
}
