/**
 * Lets a call read who calls and what it is about in one round trip. Its handler begins for whom the isolate remembers,
 * and its first read travels with the query for the caller. The handler gets no row before the caller is verified as
 * exactly that actor and has passed every check of the chain. When the guess was wrong, it waits for ever, and another
 * one answers.
 */
import type { Context } from 'hono'
import { WORKSPACE_HEADER } from '#contract/organization/workspace-header.ts'
import { holdFirstRead } from '#db/held-read.ts'
import type { Services } from '../services.ts'
import { decode } from './decode.ts'
import { mayUse } from './permission.ts'
import type { Actor, Ahead, AppEnv, Route } from './route.ts'

/** Returns undefined when the call cannot be begun, or the guess cannot be right. */
export async function startAhead(c: Context<AppEnv>, guess: Actor): Promise<Ahead | undefined> {
  const { route, services } = c.var
  if (!canBegin(route) || !mayUse(route.access, guess, services.config.platformType)) return undefined
  const shown = c.req.header(WORKSPACE_HEADER)
  if (shown !== undefined && 'workspaceId' in guess && shown !== guess.workspaceId) return undefined
  const decoded = await decode(c, route).catch(() => undefined)
  if (!decoded) return undefined
  const held = holdFirstRead(services.db)
  const outside = barOutside(services)
  const given = { ...outside.services, db: held.db }
  const input = { ...decoded, actor: guess, services: given, context: c, prefetched: () => undefined }
  c.set('services', given)
  const answer = (async () => route.handle(input as never))()
  answer.then(held.end, held.end)
  await held.statements
  c.set('services', services)
  const { statements, give } = held
  const release = () => {
    outside.open()
    held.release()
  }
  const ahead = { guess, answer, statements, give, release, isSpoiled: outside.wasAsked }
  c.set('ahead', ahead)
  return ahead
}

/** What a call without a body asks for does not depend on what it sends. */
const canBegin = ({ method, body, access }: Route): boolean =>
  (method === 'GET' || method === 'DELETE') && !body && access !== 'public'

/** The handler's answer, once every check has let the call pass; undefined when nobody has begun it for this actor. */
export async function finishAhead(c: Context<AppEnv>): Promise<{ answer: unknown } | undefined> {
  const ahead = c.get('ahead')
  if (!ahead || JSON.stringify(ahead.guess) !== JSON.stringify(c.get('actor'))) return undefined
  if (ahead.isSpoiled()) return undefined
  ahead.release()
  return { answer: await ahead.answer }
}

type Port = 'fileStorage' | 'backgroundRuns' | 'mail' | 'openOutside'

/** The services, whose ways to the outside throw until they are opened. */
function barOutside(services: Services): { services: Services; open(): void; wasAsked(): boolean } {
  let isOpen = false
  let isAsked = false
  const use = <Used>(used: Used): Used => {
    if (isOpen) return used
    isAsked = true
    throw new Error('Nothing is done outside before it is known who calls')
  }
  const bar = <Name extends Port>(name: Name): Services[Name] =>
    new Proxy(services[name], {
      get: (port, key) => use(Reflect.get(port, key)),
      apply: (open, _, given) => use(open as (...given: unknown[]) => unknown)(...given),
    })
  const barred = {
    fileStorage: bar('fileStorage'),
    backgroundRuns: bar('backgroundRuns'),
    mail: bar('mail'),
    openOutside: bar('openOutside'),
  }
  return {
    services: { ...services, ...barred },
    open() {
      isOpen = true
    },
    wasAsked: () => isAsked,
  }
}
