/**
 * Identifies the caller by API key, session cookie or a directory's token, in one database round trip. Never falls back to another identity.
 */
import type { BatchItem } from 'drizzle-orm/batch'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HeddleError } from '#contract/errors.ts'
import { WORKSPACE_HEADER } from '#contract/organization/workspace-header.ts'
import { DatabaseFault } from '#db/database-failure.ts'
import { startAhead } from './ahead.ts'
import { callerAddress } from './caller-address.ts'
import { keyName, recall, remember, sessionName } from './known-actors.ts'
import { checkXsrf } from './origin.ts'
import { directoryWindow } from './rate-limit.ts'
import type { Actor, AppEnv, UserActor } from './route.ts'
import { ACCESS_COOKIE, readSessionCookie } from './session/cookies.ts'
import { directoryActor, noteDirectoryUse, takeDirectoryToken } from './session/directory-token.ts'
import {
  apiKeyActor,
  apiKeyQuery,
  type IdentityRow,
  identityQuery,
  userActor,
  verifiedIdentity,
} from './session/identity.ts'
import { noteKeyUse } from './session/key-use.ts'
import { noteSessionUse } from './session/session-use.ts'
import { invalidToken, verifyAccessToken } from './session/tokens.ts'

type SessionActor = UserActor | { kind: 'nobody' }

/** Public routes get `nobody` without a query. */
export const setActor = createMiddleware<AppEnv>(async (c, next) => {
  c.set('actor', c.get('route').access === 'public' ? { kind: 'nobody' } : await knownActor(c))
  await next()
})

async function knownActor(c: Context<AppEnv>): Promise<Actor> {
  const { access } = c.get('route')
  if (typeof access === 'object' && 'directoryOnly' in access) return resolveDirectory(c)
  const actor = await resolveActor(c)
  if (actor.kind === 'nobody') throw invalidToken()
  return actor
}

/**
 * Returns the caller's identity, or `nobody` when the request carries none. Throws 401 for an invalid key or session.
 * Ignores cookies on embeddable routes.
 */
export async function resolveActor(c: Context<AppEnv>): Promise<Actor> {
  const { db, clock } = c.get('services')
  const authorization = c.req.header('authorization')
  if (authorization !== undefined) {
    const key = bearerKey(authorization)
    const name = keyName(key)
    const guess = recall(name)
    // The body is read for a key that has been seen, not for anybody's guess.
    const read = guess && c.get('route').prefetch ? readWithPrefetch : readBeside
    const [row] = await read(c, apiKeyQuery(db, key), guess)
    const actor = apiKeyActor(row, clock.now())
    if (row) noteKeyUse(c, row)
    return remember(name, actor)
  }
  return c.get('route').embeddable ? { kind: 'nobody' } : resolveSession(c)
}

/**
 * Returns the user of the session cookie, or `nobody` without one. Throws 401 for an invalid session. Safe on embeddable
 * routes too: the cookie is SameSite=Strict, unsafe methods need the XSRF header, and CORS grants no credentials.
 */
export async function resolveSession(c: Context<AppEnv>): Promise<SessionActor> {
  const token = await readSessionCookie(c, ACCESS_COOKIE)
  return token === undefined ? { kind: 'nobody' } : sessionActor(c, token)
}

/** Returns the directory of a bearer token. Throws 401 without one that exists, whatever else the request carries. */
async function resolveDirectory(c: Context<AppEnv>): Promise<Actor> {
  const services = c.get('services')
  const token = bearerKey(c.req.header('authorization') ?? '')
  const windows = { known: directoryWindow(c, token), wrong: wrongTokens(c) }
  const row = await takeDirectoryToken(services, token, windows)
  if (!row) throw invalidToken()
  noteDirectoryUse(c, row)
  return directoryActor(row)
}

/** Tokens cannot be guessed; this ends what a directory with an old one costs. */
const wrongTokens = (c: Context<AppEnv>) => ({
  key: `wrong directory token ${callerAddress(c)}`,
  ...{ max: 300, windowSeconds: 300 },
})

function bearerKey(authorization: string): string {
  const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  if (!key) throw invalidToken()
  return key
}

async function sessionActor(c: Context<AppEnv>, token: string): Promise<SessionActor> {
  const { db, clock, config } = c.get('services')
  const sessionId = await verifyAccessToken(config.sessionKey, token, clock.now())
  checkXsrf(c, sessionId)
  const name = sessionName(sessionId)
  const query = identityQuery(db, sessionId)
  const [row] = await (c.get('route').prefetch ? readWithPrefetch(c, query) : readBeside(c, query, recall(name)))
  const identity = verifiedIdentity(row, clock.now())
  checkWorkspace(c, identity)
  noteSessionUse(c, identity)
  return remember(name, userActor(identity, config))
}

/** A page names the workspace that it shows. Another tab may have switched meanwhile: nothing is done in the wrong one. */
function checkWorkspace(c: Context<AppEnv>, { workspaceId, workspaceName }: IdentityRow): void {
  const shown = c.req.header(WORKSPACE_HEADER)
  if (shown === undefined || shown === workspaceId) return
  throw new HeddleError(
    'conflict',
    `You switched to the workspace “${workspaceName}” in another tab. Reload to continue there.`,
    {
      error: 'workspace_switched',
      activeWorkspaceId: workspaceId,
      activeWorkspace: workspaceName,
    },
  )
}

type Query<Rows> = BatchItem<'sqlite'> & PromiseLike<Rows>

/** The query's rows. What the route reads along comes with the same round trip and is passed to the handler. */
async function readWithPrefetch<Rows>(c: Context<AppEnv>, query: Query<Rows>): Promise<Rows> {
  const prefetched = await c.get('route').prefetch?.(c)
  if (!prefetched) return query
  const [rows, ...others] = await c.get('services').db.batch([query, ...prefetched.statements])
  c.set('prefetched', () => prefetched.read(others))
  return rows as Rows
}

/** The query's rows, in one round trip with what the handler reads first, if the guess is right. */
async function readBeside<Rows>(c: Context<AppEnv>, query: Query<Rows>, guess: Actor | undefined): Promise<Rows> {
  const ahead = guess && (await startAhead(c, guess))
  const statements = (await ahead?.statements) ?? []
  if (!ahead || statements.length === 0) return query
  try {
    const [rows, ...others] = await c.get('services').db.batch([query, ...statements])
    ahead.give(others)
    return rows as Rows
  } catch (error) {
    if (error instanceof DatabaseFault) throw error
    // What the handler reads failed, which says nothing of who calls.
    return query
  }
}
