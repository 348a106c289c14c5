/** Limits the size of a response body while it is read, and reports when the body ends. */
import { orAborted } from './deadline.ts'

interface BodyLimits {
  maxBytes: number
  /** Aborts the body with the signal's reason. */
  signal: AbortSignal
  /** Called once when the body ends, fails or is cancelled. */
  finish(): void
  /** Returns the error for a body that is too large. */
  tooLarge(): Error
}

/** Reads a body chunk by chunk, without the work of a stream for each. */
interface BodyReader {
  /** Resolves with the next chunk, whose bytes are valid until the next call, or with undefined at the end. */
  read(): Promise<Uint8Array | undefined>
  cancel(reason?: unknown): Promise<void>
}

const readers = new WeakMap<Response, BodyReader>()

/** Returns the reader of a response's body. Nothing else may read the body then. */
export function openReader(response: Response): BodyReader {
  const own = readers.get(response)
  if (own) return own
  const reader = response.body?.getReader()
  return {
    read: async () => (await reader?.read())?.value,
    cancel: async (reason) => reader?.cancel(reason),
  }
}

/** A body that says it is shorter is read at once: a stream of our own costs more than all of it. */
const SMALL_BYTES = 64 * 1024

/** @throws limits.tooLarge() immediately when the content-length exceeds the limit */
export async function limitBody(response: Response, limits: BodyLimits): Promise<Response> {
  const length = response.headers.get('content-length')
  if (Number(length ?? 0) > limits.maxBytes) {
    response.body?.cancel().catch(() => {})
    throw limits.tooLarge()
  }
  const isSmall = length !== null && Number(length) <= SMALL_BYTES && !response.headers.has('content-encoding')
  if (response.body === null || isSmall) {
    const bytes = response.body && (await orAborted(response.arrayBuffer(), limits.signal))
    limits.finish()
    return withBody(response, bytes)
  }
  const reader = limitedReader(response.body, limits)
  const limited = withBody(response, toStream(reader, limits.signal))
  readers.set(limited, reader)
  return limited
}

/** The platform has already decoded the body, so the headers of its coding no longer apply. */
function withBody(response: Response, body: ArrayBuffer | ReadableStream<Uint8Array> | null): Response {
  const { status, statusText, headers } = response
  const limited = new Response(body, { status, statusText, headers })
  limited.headers.delete('content-encoding')
  limited.headers.delete('content-length')
  return limited
}

type Chunk = ReadableStreamReadResult<Uint8Array<ArrayBuffer>>

/** One buffer takes every chunk: a new one for each token of an answer costs more than all that is done with the token. */
const BUFFER_BYTES = 16 * 1024

function limitedReader(
  body: ReadableStream<Uint8Array>,
  { signal, maxBytes, finish, tooLarge }: BodyLimits,
): BodyReader {
  const reader = body.getReader({ mode: 'byob' })
  let buffer = new ArrayBuffer(BUFFER_BYTES)
  let bytes = 0
  let isAborted = signal.aborted
  const end = () => {
    signal.removeEventListener('abort', onAbort)
    finish()
  }
  const onAbort = () => {
    isAborted = true
    end()
    reader.cancel(signal.reason).catch(() => {})
  }
  const checked = ({ done, value }: Chunk): Uint8Array | undefined => {
    // A flag of our own, because this runs for every chunk.
    if (isAborted) throw signal.reason
    if (done) {
      end()
      return undefined
    }
    bytes += value.byteLength
    buffer = value.buffer
    if (bytes <= maxBytes) return value
    end()
    reader.cancel().catch(() => {})
    throw tooLarge()
  }
  const failed = (error: unknown) => {
    end()
    throw error
  }
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    read: () => reader.read(new Uint8Array(buffer)).then(checked, failed),
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  }
}

/** Splits chunks, because event stream parsers take quadratic time for a long chunk with mixed line endings. */
const MAX_CHUNK = 4096

function toStream(reader: BodyReader, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason), { once: true })
      },
      async pull(controller) {
        const chunk = await reader.read()
        if (!chunk) return controller.close()
        for (let at = 0; at < chunk.byteLength; at += MAX_CHUNK) controller.enqueue(chunk.slice(at, at + MAX_CHUNK))
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Without a queue, nothing is read before somebody asks, so the reader stays free for others.
    { highWaterMark: 0 },
  )
}
