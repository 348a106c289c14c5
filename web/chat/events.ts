/** Parses the SSE stream of a run into typed events. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { RunEvent } from '#contract/runs/events.ts'

/** Yields each event of a response until it ends. A JSON response is converted to the equivalent events. */
export async function* readRunEvents(response: Response): AsyncGenerator<RunEvent> {
  if (!response.headers.get('content-type')?.includes('text/event-stream')) {
    yield* eventsOfAnswer(await response.json())
    return
  }
  yield* readEvents<RunEvent>(response)
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
