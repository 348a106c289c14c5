/** An answer whose body is counted while it streams, and whose connection counts as used until the body ends. */
export interface BodyLimits {
  maxBytes: number
  /** Ends the body with the signal's reason. */
  signal: AbortSignal
  /** Called once: the body has ended, failed or was cancelled. */
  finish(): void
  /** What the reader of a body that is too large gets. */
  tooLarge(): Error
}

/** @throws limits.tooLarge() at once when the answer's own length says so */
export function limitBody(response: Response, limits: BodyLimits): Response {
  if (Number(response.headers.get('content-length') ?? 0) > limits.maxBytes) {
    response.body?.cancel().catch(() => {})
    throw limits.tooLarge()
  }
  if (response.body === null) limits.finish()
  const headers = new Headers(response.headers)
  // The platform has decoded the body already, so these no longer describe it.
  headers.delete('content-encoding')
  headers.delete('content-length')
  return new Response(response.body && counted(response.body, limits), {
    status: response.status,
    statusText: response.statusText,
    headers,
  })
}

/** Parsers of event streams take quadratic time for one long piece of mixed line ends. */
const MAX_PIECE = 4096

function counted(body: ReadableStream<Uint8Array>, limits: BodyLimits): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let bytes = 0
  let onAbort = () => {}
  const end = () => {
    limits.signal.removeEventListener('abort', onAbort)
    limits.finish()
  }

  return new ReadableStream({
    start(controller) {
      onAbort = () => {
        end()
        controller.error(limits.signal.reason)
        reader.cancel(limits.signal.reason).catch(() => {})
      }
      limits.signal.addEventListener('abort', onAbort, { once: true })
    },
    async pull(controller) {
      const { done, value } = await reader.read().catch((error) => {
        end()
        throw error
      })
      if (limits.signal.aborted) return
      if (done) {
        end()
        return controller.close()
      }
      bytes += value.byteLength
      if (bytes > limits.maxBytes) {
        end()
        reader.cancel().catch(() => {})
        throw limits.tooLarge()
      }
      for (let at = 0; at < value.byteLength; at += MAX_PIECE) controller.enqueue(value.subarray(at, at + MAX_PIECE))
    },
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  })
}
