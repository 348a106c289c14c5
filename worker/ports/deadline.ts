/** Returns a signal that aborts when the caller aborts or the time is up. Call `clear` when the work has ended. */
export function startDeadline(milliseconds: number, expired: () => Error, caller?: AbortSignal | null) {
  const controller = new AbortController()
  const onCallerAbort = () => controller.abort(caller?.reason)
  const timer = setTimeout(() => controller.abort(expired()), milliseconds)
  if (caller?.aborted) onCallerAbort()
  caller?.addEventListener('abort', onCallerAbort, { once: true })

  return {
    signal: controller.signal,
    /** Expires before its time. */
    abort: (reason: Error) => controller.abort(reason),
    clear() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', onCallerAbort)
    },
  }
}

/** Resolves with the work's result, or rejects with the signal's reason as soon as it aborts, even if the work ignores it. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
