import { expect, it } from 'vitest'
import { readRunEvents } from './events.ts'

async function collect(response: Response) {
  const events = []
  for await (const event of readRunEvents(response)) events.push(event)
  return events
}

it('parses frames across chunk boundaries and skips heartbeats', async () => {
  const bytes = new TextEncoder().encode(
    'message:\ndata:{"event":"token","data":"Grü"}\n\n:heartbeat\n\nmessage:\ndata:{"event":"end","data":"[DONE]"}\n\n',
  )
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  expect(await collect(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))).toEqual([
    { event: 'token', data: 'Grü' },
    { event: 'end', data: '[DONE]' },
  ])
})

it('converts a JSON answer to stream events', async () => {
  const events = await collect(Response.json({ text: 'Hi', executionId: 'e', agentFlowExecutedData: [] }))
  expect(events.map((event) => event.event)).toEqual(['token', 'agentFlowExecutedData', 'metadata', 'end'])
  expect(events[2]?.data).toEqual({ executionId: 'e' })
})
