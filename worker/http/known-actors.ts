/**
 * Who called this isolate last, to guess who calls now. A guess decides only what is read along with the caller's
 * identity (`ahead.ts`): every call reads and verifies that anew.
 */
import type { Actor } from './route.ts'
import { tokenHash } from './session/secrets.ts'

const MAX_ACTORS = 1000

/** By session or hash of a key, least recently used first. */
const actors = new Map<string, Actor>()

export const sessionName = (sessionId: string): string => `session ${sessionId}`

export const keyName = (key: string): string => `key ${tokenHash(key)}`

export const recall = (name: string): Actor | undefined => actors.get(name)

/** Returns the actor. */
export function remember<Known extends Actor>(name: string, actor: Known): Known {
  actors.delete(name)
  actors.set(name, actor)
  if (actors.size > MAX_ACTORS) actors.delete(actors.keys().next().value as string)
  return actor
}
