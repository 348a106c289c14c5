/** Bounds the requests to the database that are in flight. Others wait in order. */
interface Slots {
  take(): Slot | Promise<Slot>
  give(slot: Slot): void
  /** Returns how many are held, and how many requests wait for one. */
  count(): { inFlight: number; waiting: number }
}

interface Slot {
  /** Milliseconds of the clock after which the slot counts as free. */
  until: number
}

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
  const waiting = new Set<(slot: Slot) => void>()

  function hold(ms: number): Slot {
    const slot = { until: Date.now() + ms }
    held.add(slot)
    return slot
  }

  function serve(): void {
    for (const offer of waiting) {
      if (held.size >= max) return
      waiting.delete(offer)
      offer(hold(LOOK_MS))
    }
  }

  function endOverdue(): void {
    const now = Date.now()
    for (const slot of held) if (slot.until <= now) held.delete(slot)
    serve()
  }

  async function wait(): Promise<Slot> {
    const since = Date.now()
    let looking: ReturnType<typeof setInterval> | undefined
    let offer: ((slot: Slot) => void) | undefined
    try {
      const slot = await new Promise<Slot>((resolve, reject) => {
        offer = resolve
        waiting.add(resolve)
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
      if (offer) waiting.delete(offer)
    }
  }

  return {
    take: () => (held.size < max && waiting.size === 0 ? hold(holdMs) : wait()),
    give(slot) {
      held.delete(slot)
      serve()
    },
    count() {
      const now = Date.now()
      return { inFlight: [...held].filter(({ until }) => until > now).length, waiting: waiting.size }
    },
  }
}
