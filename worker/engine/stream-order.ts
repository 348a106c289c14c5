/** Serializes the streams of parallel ending nodes, so that their text never mixes in the chat. */
import type { RunEvent } from '#contract/runs/events.ts'

const STREAMED = new Set<RunEvent['event']>(['token', 'thinking'])

export class StreamOrder {
  readonly #emit: (event: RunEvent) => void
  readonly #buffers = new Map<string, RunEvent[]>()
  readonly #ended = new Set<string>()
  #active: string | undefined

  constructor(emit: (event: RunEvent) => void) {
    this.#emit = emit
  }

  /** Emits an event of a step, or buffers its text until the active step has finished. */
  send(path: string, event: RunEvent): void {
    this.#active ??= STREAMED.has(event.event) ? path : undefined
    if (this.#active === path || !STREAMED.has(event.event)) this.#emit(event)
    else this.#buffer(path, event)
  }

  /** Ends a step's stream, flushes buffered steps in order, and activates the first unfinished one. */
  leave(path: string): void {
    this.#ended.add(path)
    while (this.#active !== undefined && this.#ended.has(this.#active)) {
      const [waiting] = this.#buffers.keys()
      this.#active = waiting
      if (waiting === undefined) return
      for (const event of this.#buffers.get(waiting) ?? []) this.#emit(event)
      this.#buffers.delete(waiting)
    }
  }

  #buffer(path: string, event: RunEvent): void {
    const words = this.#buffers.get(path)
    if (words) words.push(event)
    else this.#buffers.set(path, [event])
  }
}
