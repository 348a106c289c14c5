/** Run events as server-sent events in Flowise's framing: the event's name is inside the JSON. */
import type { RunEvent } from '#contract/runs/events.ts'
import { withoutCredentialIds } from '../../runs/records/credential-ids.ts'

const HEARTBEAT_MS = 30_000
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
}

export type Emit = (event: RunEvent) => void

/** Clients expect an empty field named "message", then the data without a space. */
export const frame = (event: RunEvent) => `message:\ndata:${withoutCredentialIds(event)}\n\n`

/**
 * Streams what `work` emits. `work` continues after the client disconnects.
 * @param keepAlive keeps the worker alive for the promise (`executionCtx.waitUntil`)
 */
export function eventStream(
  work: (emit: Emit) => Promise<void>,
  keepAlive: (promise: Promise<void>) => void,
): Response {
  const encoder = new TextEncoder()
  let client: ReadableStreamDefaultController<Uint8Array> | undefined
  const send = (text: string) => client?.enqueue(encoder.encode(text))
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      client = controller
      const heartbeat = setInterval(() => send(':heartbeat\n\n'), HEARTBEAT_MS)
      const done = work((event) => send(frame(event))).finally(() => {
        clearInterval(heartbeat)
        client?.close()
      })
      keepAlive(done)
    },
    cancel() {
      client = undefined
    },
  })
  return new Response(body, { headers: HEADERS })
}
