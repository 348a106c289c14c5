/** Node's `timers`; the same functions are the globals. */
import type { GuestHost } from './host.ts'

declare const host: GuestHost

type Callback = (...args: unknown[]) => void

let lastTimer = 0
const active = new Set<number>()

/** Runs after each wait until it is cleared, or once. */
function start(callback: Callback, wait: number, { repeats, args }: { repeats: boolean; args: unknown[] }): number {
  lastTimer += 1
  const id = lastTimer
  active.add(id)
  const turn = (): Promise<void> =>
    host.sleep(wait).then(() => {
      if (!active.has(id)) return
      if (!repeats) active.delete(id)
      callback(...args)
      if (repeats) return turn()
    })
  void turn()
  return id
}

const setTimeout = (callback: Callback, wait = 0, ...args: unknown[]) => start(callback, wait, { repeats: false, args })
const setInterval = (callback: Callback, wait = 0, ...args: unknown[]) => start(callback, wait, { repeats: true, args })
const setImmediate = (callback: Callback, ...args: unknown[]) => start(callback, 0, { repeats: false, args })
const clear = (id: number) => void active.delete(id)

const promises = {
  setTimeout: async (wait = 0, value?: unknown) => {
    await host.sleep(wait)
    return value
  },
  setImmediate: async (value?: unknown) => {
    await host.sleep(0)
    return value
  },
}

export default {
  setTimeout,
  setInterval,
  setImmediate,
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
  promises,
}
