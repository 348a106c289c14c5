/** A signal that fires when the caller gives up or the time is over. `clear` must be called when the work has ended. */
export function startDeadline(milliseconds: number, expired: () => Error, caller?: AbortSignal | null) {
  const controller = new AbortController()
  const giveUp = () => controller.abort(caller?.reason)
  const timer = setTimeout(() => controller.abort(expired()), milliseconds)
  if (caller?.aborted) giveUp()
  caller?.addEventListener('abort', giveUp, { once: true })

  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', giveUp)
    },
  }
}
