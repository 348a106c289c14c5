/** Run events as server-sent events in Flowise's framing: the event's name is inside the JSON. */
import type { RunEvent } from '#contract/runs/events.ts'
import { withoutCredentialIds } from '../records/credential-ids.ts'

const HEARTBEAT_MS = 30_000
/** The least time between two writes of text. The first token, and one after a longer silence, is not held back. */
const PAUSE_MS = 2
const TEXT_EVENTS = new Set<RunEvent['event']>(['token', 'thinking'])
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
}

export type Emit = (event: RunEvent) => void

/** Clients expect an empty field named "message", then the data without a space. */
export const frame = (event: { event: string; data: unknown }) => `message:\ndata:${toJson(event)}\n\n`

/** Text holds no fields that would have to be left out. */
const toJson = (event: { data: unknown }) =>
  typeof event.data === 'string' ? JSON.stringify(event) : withoutCredentialIds(event)

/** Streams the events that `work` emits, which continues after the client disconnects. */
export function eventStream(
  work: (emit: Emit) => Promise<void>,
  keepAlive: (promise: Promise<void>) => void,
  onCancel?: () => void,
): Response {
  const options = { keepAlive, ...(onCancel && { onCancel }) }
  return frameStream((send) => work((event) => send(frame(event), TEXT_EVENTS.has(event.event))), options)
}

/** @param isTextFrame it holds a piece of the answer, which may wait for the next one */
type SendFrame = (frame: string, isTextFrame: boolean) => void

interface FrameStreamOptions {
  /** Keeps the worker alive for the promise (`executionCtx.waitUntil`). */
  keepAlive(promise: Promise<void>): void
  /** The client has disconnected. A connection that was closed shows when something is written to it. */
  onCancel?(): void
  heartbeatMs?: number
}

/**
 * Streams the frames that `work` sends: at once after a silence, and together what follows within a moment or while the
 * client is busy with what came before.
 */
export function frameStream(
  work: (send: SendFrame) => Promise<void>,
  { keepAlive, onCancel, heartbeatMs = HEARTBEAT_MS }: FrameStreamOptions,
): Response {
  const encoder = new TextEncoder()
  let client: ReadableStreamDefaultController<Uint8Array> | undefined
  let unsent = ''
  let isWaiting = false
  let isScheduled = false
  let isText = false
  let textSentAt = 0
  const flush = () => {
    isScheduled = false
    if (unsent === '') return
    isWaiting = false
    if (isText) textSentAt = Date.now()
    isText = false
    client?.enqueue(encoder.encode(unsent))
    unsent = ''
  }
  const schedule = () => {
    if (!isWaiting || isScheduled || unsent === '') return
    isScheduled = true
    const pause = textSentAt + PAUSE_MS - Date.now()
    if (pause > 0) setTimeout(flush, pause)
    else queueMicrotask(flush)
  }
  const send = (text: string) => {
    if (!client) return
    unsent += text
    schedule()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        client = controller
        const heartbeat = setInterval(() => send(':heartbeat\n\n'), heartbeatMs)
        const sendFrame: SendFrame = (frame, isTextFrame) => {
          isText ||= isTextFrame
          send(frame)
        }
        const done = work(sendFrame).finally(() => {
          clearInterval(heartbeat)
          flush()
          client?.close()
        })
        keepAlive(done)
      },
      pull() {
        isWaiting = true
        schedule()
      },
      cancel() {
        client = undefined
        unsent = ''
        onCancel?.()
      },
    },
    // Without a queue, "pull" means that the client waits.
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: HEADERS })
}
