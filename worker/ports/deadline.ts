/** A signal that fires when the caller gives up or the time is over. `clear` must be called when the work has ended. */
export function startDeadline(milliseconds: number, expired: () => Error, caller?: AbortSignal | null) {
  const controller = new AbortController()
  const failRun = () => controller.abort(caller?.reason)
  const timer = setTimeout(() => controller.abort(expired()), milliseconds)
  if (caller?.aborted) failRun()
  caller?.addEventListener('abort', failRun, { once: true })

  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', failRun)
    },
  }
}

/** The work's outcome, or the signal's reason as soon as it fires, whether the work heeds the signal or not. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
