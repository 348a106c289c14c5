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

/** Of one workspace, so that its long runs leave places to others. */
export const MAX_PLACES_OF_ONE = MAX_PLACES / 2
/** Places that may be given away in one go, also beyond that. */
export const PLACES_AT_ONCE = 8

const HOLD_MS = 30_000
const RENEW_MS = HOLD_MS / 3

interface Place {
  workspaceId: string
  /** Milliseconds since 1970. */
  until: number
}

const places = new Map<string, Place>()
let isMoreWaiting = false

/** The number of runs that this isolate may start. */
function freePlaces(): number {
  const now = Date.now()
  for (const [id, { until }] of places) if (until <= now) places.delete(id)
  return Math.max(0, MAX_PLACES - places.size)
}

/** The workspaces that have all their places, and how many runs of the others together may start at once. */
export function sharePlaces(): { full: string[]; count: number } {
  const free = freePlaces()
  const taken = new Map<string, number>()
  for (const { workspaceId } of places.values()) taken.set(workspaceId, (taken.get(workspaceId) ?? 0) + 1)
  const isFull = (count: number) => count >= MAX_PLACES_OF_ONE
  const most = Math.max(0, ...[...taken.values()].filter((count) => !isFull(count)))
  const full = [...taken].filter(([, count]) => isFull(count)).map(([workspaceId]) => workspaceId)
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
  const hold = () => places.set(id, { workspaceId, until: Date.now() + HOLD_MS })
  hold()
  const timer = setInterval(hold, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    places.delete(id)
  }
}

/** Work waits for a place, so that whoever gives one back starts it. */
export function noteWaiting(): void {
  isMoreWaiting = true
}

/** True for one caller, once half of the places are free while work waits. */
export function takeWaiting(): boolean {
  if (!isMoreWaiting || freePlaces() < MAX_PLACES / 2) return false
  isMoreWaiting = false
  return true
}
