/**
 * Bounds how many runs an isolate works on in the background. A run that is started takes a place, or is left to a later
 * moment and to other machines. Whoever keeps a place says so again and again: workerd may end a request in the midst of
 * what it does, and its place then ends by itself.
 */

/**
 * Four for each request to the database that may be in flight (`db/pipeline.ts`). So a run waits for a few others at most
 * when all of them write, and renews its lease in time; most runs wait for models.
 */
const MAX_PLACES = 128

/** Places of one workspace: its long runs leave the others to the rest. */
export const MAX_PLACES_OF_ONE = MAX_PLACES / 2
/** Places that may be given away in one go, also beyond that. */
export const PLACES_AT_ONCE = 8

const HOLD_MS = 30_000
const RENEW_MS = HOLD_MS / 3

interface HeldPlace {
  workspaceId: string
  /** Milliseconds since 1970. */
  until: number
}

/** Longer than places are given away for, unless the database is very slow. */
const GIVE_MS = 10_000

const places = new Map<string, HeldPlace>()
/** While places are given away. Milliseconds since 1970. */
let givingUntil = 0
let isMoreWaiting = false
const waitingFull = new Set<string>()

/** The number of runs that this isolate may start. */
function freePlaces(): number {
  const now = Date.now()
  for (const [id, { until }] of places) if (until <= now) places.delete(id)
  return Math.max(0, MAX_PLACES - places.size)
}

const isFull = (count: number) => count >= MAX_PLACES_OF_ONE

/** Returns the places that each workspace holds. */
function countPlaces(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { workspaceId } of places.values()) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1)
  return counts
}

/** The workspaces that have all their places, and how many runs of the others together may start at once. */
export function sharePlaces(): { full: string[]; count: number } {
  const free = freePlaces()
  const counts = [...countPlaces()]
  const most = Math.max(0, ...counts.flatMap(([, count]) => (isFull(count) ? [] : count)))
  const full = counts.flatMap(([workspaceId, count]) => (isFull(count) ? workspaceId : []))
  return { full, count: Math.min(free, Math.max(PLACES_AT_ONCE, MAX_PLACES_OF_ONE - most)) }
}

/** The number of runs without a worker that this isolate may take up: a few even when it is full, as people wait for them. */
export const placesForLost = (): number => Math.max(freePlaces(), MAX_PLACES / 8)

/** True when this work has a place already, or there is one for it. */
export function hasPlace(id: string, workspaceId: string): boolean {
  const { full, count } = sharePlaces()
  return places.has(id) || (count > 0 && !full.includes(workspaceId))
}

/** Keeps a place for work that is about to begin, perhaps in another isolate. @param notBefore ISO; null: at once */
export function keepPlace(id: string, workspaceId: string, notBefore: string | null): void {
  const begins = Math.max(Date.now(), notBefore === null ? 0 : Date.parse(notBefore))
  places.set(id, { workspaceId, until: begins + HOLD_MS })
}

/** Holds a place while the work goes on. */
export async function inPlace<Result>(id: string, workspaceId: string, work: () => Promise<Result>): Promise<Result> {
  const own = { workspaceId, until: 0 }
  const hold = () => {
    own.until = Date.now() + HOLD_MS
    places.set(id, own)
  }
  hold()
  const timer = setInterval(hold, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    if (places.get(id) === own) places.delete(id)
  }
}

/**
 * Work waits for a place, so that whoever gives one back starts it.
 * @param full the workspaces that it is of, if these have all their places; else it is of others
 */
export function noteWaiting(full?: readonly string[]): void {
  if (!full) isMoreWaiting = true
  for (const workspaceId of full ?? []) waitingFull.add(workspaceId)
}

/**
 * Gives places to work that waits. They are counted only once they are kept, after the database has said for whom, so
 * nobody else gives them away meanwhile. What was refused for that reason waits on.
 */
export async function givePlaces(give: () => Promise<void>): Promise<void> {
  if (Date.now() < givingUntil) return noteWaiting()
  const until = Date.now() + GIVE_MS
  givingUntil = until
  try {
    await give()
  } finally {
    if (givingUntil === until) givingUntil = 0
  }
}

/**
 * True for one caller, while work waits and nobody gives places away: once half of the places that full workspaces leave
 * are free, or a workspace that was full has a few.
 */
export function takeWaiting(): boolean {
  if (Date.now() < givingUntil) return false
  const free = freePlaces()
  const counts = countPlaces()
  const held = [...counts.values()].filter(isFull).reduce((sum, count) => sum + count, 0)
  const isFree = isMoreWaiting && free >= Math.max(1, (MAX_PLACES - held) / 2)
  const ready = [...waitingFull].filter((id) => (counts.get(id) ?? 0) <= MAX_PLACES_OF_ONE - PLACES_AT_ONCE)
  if (isFree) isMoreWaiting = false
  for (const workspaceId of ready) waitingFull.delete(workspaceId)
  return isFree || ready.length > 0
}
