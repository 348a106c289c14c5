/** A counting semaphore. `acquire` waits for a free slot and returns a function that releases it; later calls of it do nothing. */
export function createSemaphore(max: number) {
  let free = max
  const waiting: Array<() => void> = []

  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  const wait = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const give = () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = () => {
        waiting.splice(waiting.indexOf(give), 1)
        reject(signal.reason)
      }
      waiting.push(give)
      signal.addEventListener('abort', onAbort, { once: true })
    })

  return {
    async acquire(signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted()
      if (free > 0) free--
      else await wait(signal)
      let isHeld = true
      return () => {
        if (isHeld) release()
        isHeld = false
      }
    },
  }
}
