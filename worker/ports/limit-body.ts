/** Limits the size of a response body while it streams, and reports when the body ends. */
export interface BodyLimits {
  maxBytes: number
  /** Aborts the body with the signal's reason. */
  signal: AbortSignal
  /** Called once when the body ends, fails or is cancelled. */
  finish(): void
  /** Returns the error for a body that is too large. */
  tooLarge(): Error
}

/** @throws limits.tooLarge() immediately when the content-length exceeds the limit */
export function limitBody(response: Response, limits: BodyLimits): Response {
  if (Number(response.headers.get('content-length') ?? 0) > limits.maxBytes) {
    response.body?.cancel().catch(() => {})
    throw limits.tooLarge()
  }
  if (response.body === null) limits.finish()
  const headers = new Headers(response.headers)
  // The platform has already decoded the body, so these headers no longer apply.
  headers.delete('content-encoding')
  headers.delete('content-length')
  return new Response(response.body && counted(response.body, limits), {
    status: response.status,
    statusText: response.statusText,
    headers,
  })
}

/** Splits chunks, because event stream parsers take quadratic time for a long chunk with mixed line endings. */
const MAX_CHUNK = 4096

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
      for (let at = 0; at < value.byteLength; at += MAX_CHUNK) controller.enqueue(value.subarray(at, at + MAX_CHUNK))
    },
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  })
}
