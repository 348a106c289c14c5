/** Spoken text as server-sent events in Flowise's framing: unlike those of a prediction, they have names. */
import type { SpeechEvent } from '#contract/speech/speech.ts'
import type { Emit } from './text-to-speech.ts'

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
}

/** Clients read lines that begin with `data: `, and the name again in the JSON. */
const speechFrame = (event: SpeechEvent) => `event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`

/** Streams what `work` emits. A client that leaves aborts it. */
export function speechStream(work: (emit: Emit) => Promise<void>, abort: () => void): Response {
  const encoder = new TextEncoder()
  let isOpen = true
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      await work((event) => isOpen && controller.enqueue(encoder.encode(speechFrame(event))))
      if (isOpen) controller.close()
    },
    cancel() {
      isOpen = false
      abort()
    },
  })
  return new Response(body, { headers: HEADERS })
}
