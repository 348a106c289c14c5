/** Parses the SSE stream of a run into typed events. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { RunEvent } from '#contract/runs/events.ts'

/** Milliseconds between two drawings of a page. */
const FRAME_MS = 16

/**
 * Yields the events of a response until it ends. Pieces of text that arrive within a frame are joined, so that what
 * shows them is drawn once a frame. A JSON response is converted to the equivalent events.
 */
export async function* readRunEvents(response: Response): AsyncGenerator<RunEvent> {
  if (!response.headers.get('content-type')?.includes('text/event-stream')) {
    yield* eventsOfAnswer(await response.json())
    return
  }
  yield* joinTokens(readEvents<RunEvent>(response))
}

async function* joinTokens(events: AsyncGenerator<RunEvent>): AsyncGenerator<RunEvent> {
  let next = events.next()
  let frame = Promise.resolve()
  try {
    for (;;) {
      const { done, value: event } = await next
      if (done) return
      if (event.event !== 'token') {
        yield event
        next = events.next()
        continue
      }
      let data = event.data
      next = events.next()
      for (;;) {
        // Whatever else comes next is read after this text: other events, the end and errors.
        const more = await Promise.race([frame, next.catch(() => {})])
        if (!more || more.done || more.value.event !== 'token') break
        data += more.value.data
        next = events.next()
      }
      yield { event: 'token', data }
      frame = new Promise((resolve) => setTimeout(resolve, FRAME_MS))
    }
  } finally {
    // Whoever stops reading closes the stream, and hears nothing of what was still being read.
    next.catch(() => {})
    events.return(undefined).catch(() => {})
  }
}

/** Yields each event of a stream until it ends. */
async function* readEvents<Event>({ body }: Response): AsyncGenerator<Event> {
  if (!body) return
  const frames = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const frame of readAll(frames)) yield JSON.parse(frame.data) as Event
}

interface PlainAnswer {
  text?: string
  agentFlowExecutedData?: Extract<RunEvent, { event: 'agentFlowExecutedData' }>['data']
  [key: string]: unknown
}

function* eventsOfAnswer({ text, agentFlowExecutedData, ...metadata }: PlainAnswer): Generator<RunEvent> {
  if (text) yield { event: 'token', data: text }
  if (agentFlowExecutedData) yield { event: 'agentFlowExecutedData', data: agentFlowExecutedData }
  yield { event: 'metadata', data: metadata }
  yield { event: 'end', data: '[DONE]' }
}

/** Replaces `for await` over a ReadableStream, which not every browser supports. */
async function* readAll<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
