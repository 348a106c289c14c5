/** Bounds the requests to the database that are in flight. Of the others, each caller's first one is served in turn. */
interface Slots {
  /** @param caller has one turn in each round, however many requests wait for it */
  take(caller: string): Slot | Promise<Slot>
  give(slot: Slot): void
  /** Returns how many are held, and how many requests wait for one. */
  count(): { inFlight: number; waiting: number }
}

interface Slot {
  /** Milliseconds of the clock after which the slot counts as free. */
  until: number
}

type Offer = (slot: Slot) => void

interface Bounds {
  /** Requests in flight. */
  max: number
  /** Milliseconds that a request waits for its slot. */
  waitMs: number
  /** Milliseconds that a slot is held for at most. */
  holdMs: number
}

/** A waiting request looks that often for slots that nobody gave back. */
const LOOK_MS = 100

/**
 * workerd ends a request whose caller has left in the midst of what it does, so a slot may never be given back, and a
 * waiting request may never take the one that it is offered. Each slot therefore ends by itself. A waiting request has
 * a timer of its own, since workerd also ends requests that wait for other requests alone.
 * @param refuse makes the error for a request that waited too long
 */
export function openSlots({ max, waitMs, holdMs }: Bounds, refuse: () => Error): Slots {
  const held = new Set<Slot>()
  const queues = new Map<string, Set<Offer>>()

  function hold(ms: number): Slot {
    const slot = { until: Date.now() + ms }
    held.add(slot)
    return slot
  }

  function join(caller: string, offer: Offer): void {
    const queue = queues.get(caller)
    if (queue) queue.add(offer)
    else queues.set(caller, new Set([offer]))
  }

  function leave(caller: string, offer: Offer): void {
    const queue = queues.get(caller)
    queue?.delete(offer)
    if (queue?.size === 0) queues.delete(caller)
  }

  /** Who was served moves behind the others. A map keeps the order in which its keys were set. */
  function serve(): void {
    for (const [caller, queue] of queues) {
      const [offer] = queue
      if (!offer || held.size >= max) return
      queue.delete(offer)
      queues.delete(caller)
      if (queue.size > 0) queues.set(caller, queue)
      offer(hold(LOOK_MS))
    }
  }

  function endOverdue(): void {
    const now = Date.now()
    for (const slot of held) if (slot.until <= now) held.delete(slot)
    serve()
  }

  async function wait(caller: string): Promise<Slot> {
    const since = Date.now()
    let looking: ReturnType<typeof setInterval> | undefined
    let offer: Offer | undefined
    try {
      const slot = await new Promise<Slot>((resolve, reject) => {
        offer = resolve
        join(caller, resolve)
        looking = setInterval(() => {
          endOverdue()
          if (Date.now() - since >= waitMs) reject(refuse())
        }, LOOK_MS)
      })
      held.add(slot)
      slot.until = Date.now() + holdMs
      return slot
    } finally {
      clearInterval(looking)
      if (offer) leave(caller, offer)
    }
  }

  return {
    take: (caller) => (held.size < max && queues.size === 0 ? hold(holdMs) : wait(caller)),
    give(slot) {
      held.delete(slot)
      serve()
    },
    count() {
      const now = Date.now()
      const waiting = [...queues.values()].reduce((sum, queue) => sum + queue.size, 0)
      return { inFlight: [...held].filter(({ until }) => until > now).length, waiting }
    },
  }
}
