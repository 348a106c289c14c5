/** When several ending nodes stream at once, one after the other has the floor: their words never mix in the chat. */
import type { RunEvent } from '#contract/events.ts'

const WORDS = new Set<RunEvent['event']>(['token', 'thinking'])

export class StreamOrder {
  readonly #emit: (event: RunEvent) => void
  readonly #waiting = new Map<string, RunEvent[]>()
  readonly #left = new Set<string>()
  #speaker: string | undefined

  constructor(emit: (event: RunEvent) => void) {
    this.#emit = emit
  }

  /** Passes an event of a step on, or keeps its words until the speaker has finished. */
  say(path: string, event: RunEvent): void {
    this.#speaker ??= WORDS.has(event.event) ? path : undefined
    if (this.#speaker === path || !WORDS.has(event.event)) this.#emit(event)
    else this.#keep(path, event)
  }

  /** The step will say no more: who waits is heard in turn, and the first who still speaks has the floor. */
  leave(path: string): void {
    this.#left.add(path)
    while (this.#speaker !== undefined && this.#left.has(this.#speaker)) {
      const [waiting] = this.#waiting.keys()
      this.#speaker = waiting
      if (waiting === undefined) return
      for (const event of this.#waiting.get(waiting) ?? []) this.#emit(event)
      this.#waiting.delete(waiting)
    }
  }

  #keep(path: string, event: RunEvent): void {
    const words = this.#waiting.get(path)
    if (words) words.push(event)
    else this.#waiting.set(path, [event])
  }
}
