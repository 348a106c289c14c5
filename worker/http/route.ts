/**
 * How an area declares its calls. Every route says who may use it; what comes in is decoded by a schema
 * before the handler sees it. `worker/app.ts` mounts nothing else.
 */
import type { BatchItem } from 'drizzle-orm/batch'
import type { Context } from 'hono'
import type * as z from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import type { Services } from '../services.ts'

/** The caller, as a tagged union that is passed on explicitly and matched exhaustively. */
export type Actor =
  | { kind: 'nobody' }
  | {
      kind: 'user'
      userId: string
      sessionId: string
      workspaceId: string
      organizationId: string
      isOrganizationAdmin: boolean
      permissions: string[]
      features: Record<string, boolean | string>
      isPlatformAdmin?: boolean
    }
  | { kind: 'apiKey'; keyId: string; workspaceId: string; permissions: string[] }

/** An actor that has a workspace. */
export type Member = Exclude<Actor, { kind: 'nobody' }>

export type UserActor = Extract<Actor, { kind: 'user' }>

export interface AppEnv {
  Variables: {
    services: Services
    actor: Actor
    requestId: string
    route: Route
    along?: () => unknown
    received?: Promise<Received>
  }
}

/**
 * - `public`: anybody
 * - `signed-in`: any user session, no API key
 * - `{ permission }`: a member holding at least one of the comma-separated permissions
 * - `{ permission, feature }`: such a member whose feature flag is on, no API key; nobody in open source
 * - `{ adminOnly }`: the platform admin's session
 */
export type Access = 'public' | 'signed-in' | PermissionAccess | { adminOnly: true }

export interface PermissionAccess {
  permission: string
  feature?: string
}

/** What a body holds before a schema has looked at it. */
export interface Received {
  body: unknown
  /** Of a multipart body. */
  files: File[]
}

/** Which fields of a multipart body are taken; any other is refused. */
export interface Multipart {
  /** The field of the files, and how many there may be. */
  files: { field: string; max: number }
  text: readonly string[]
  /** Fields that hold JSON. */
  json?: readonly string[]
  /** Makes of the fields what the body's schema describes; they are that themselves unless told. */
  toBody?(fields: Record<string, unknown>): unknown
}

export interface RouteLimit {
  /** Requests of one caller address within the window. */
  max: number
  windowSeconds: number
}

export interface RouteInput<Body, Query, Params> {
  body: Body
  query: Query
  params: Params
  /** Of a multipart body, with the names and types that their sender gave them. */
  files: File[]
  /** `nobody` on public routes: ask `resolveActor(context)` of `actor.ts` where a public call may carry an identity. */
  actor: Actor
  services: Services
  context: Context<AppEnv>
  /** What the route's `readAlong` read; throws when that failed. */
  along(): unknown
}

/** Statements that run in the round trip that finds out who calls, and what their rows mean. */
export interface ReadAlong {
  statements: readonly BatchItem<'sqlite'>[]
  read(rows: unknown[]): unknown
}

/** One form that an answer takes. */
export interface Answer {
  /** 200 unless told. */
  status?: number
  /** Media type; `application/json` when there is a schema, no body without either. */
  type?: string
  schema?: z.ZodType
  /** When this form is answered, for readers of the API's description. */
  description?: string
}

/** The answer of calls that have nothing to say. */
export const noContent: readonly Answer[] = [{ status: 204 }]

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/v1, Hono syntax: `/chatflows/:id`. */
  path: string
  /** What the call does, in a few words: `List variables`. */
  summary: string
  /** What else a caller should know. */
  description?: string
  /** The schema of the JSON that a call which succeeds answers with 200, or each form that its answer takes. */
  answer: z.ZodType | readonly Answer[]
  /** Errors beside those that follow from the rest of the declaration (`worker/areas/openapi/errors.ts`). */
  errors?: readonly ErrorCode[]
  access: Access
  /** Pages of other sites may call it (CORS without credentials); its callers' cookies are never read. Only on public routes. */
  embeddable?: true
  /** Largest body in bytes; 1 MiB unless told. */
  maxBodyBytes?: number
  limit?: RouteLimit
  body?: z.ZodType
  /** Media types of the body; JSON unless told. */
  bodyTypes?: readonly string[]
  /** The body may also be multipart/form-data. */
  multipart?: Multipart
  query?: z.ZodType
  params?: z.ZodType
  /**
   * Saves a guarded route a round trip. It is asked before anybody knows who calls, so it must not write, and the handler,
   * which alone sees what was read, must hold it against the actor's workspace. Undefined when the call cannot be read.
   */
  readAlong?(context: Context<AppEnv>): Promise<ReadAlong | undefined>
  handle(input: RouteInput<never, never, never>): Promise<unknown>
}

type Decoded<Schema> = Schema extends z.ZodType<infer Out> ? Out : undefined

/** Where one schema describes the answer, the compiler holds the handler to it. */
type Handled<Declared> = Declared extends z.ZodType<infer Out> ? Out | Response : unknown

/**
 * Declares a route. The handler's answer is sent as JSON unless it is a Response.
 * For routes with `permission` or `signed-in` use `memberOf(actor)` to narrow the actor, `userOf(actor)` for `signed-in` ones.
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

/** Narrows the actor of a route that is not public. */
export function memberOf(actor: Actor): Member {
  if (actor.kind === 'nobody') throw new Error('memberOf was called on a public route')
  return actor
}

/** Narrows the actor of a `signed-in` route. */
export function userOf(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw new Error('userOf was called on a route that is not for signed-in users')
  return actor
}
