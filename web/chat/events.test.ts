import { describe, expect, it } from 'vitest'
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

describe('pieces of text', () => {
  const encode = (event: object) => new TextEncoder().encode(`data:${JSON.stringify(event)}\n\n`)
  const stream = (body: ReadableStream<Uint8Array>) =>
    new Response(body, { headers: { 'content-type': 'text/event-stream' } })

  it('are joined when they arrive within a frame, and other events keep their place between them', async () => {
    const pieces = Array.from({ length: 2000 }, (_, index) => `${index} `)
    const tools = { event: 'usedTools', data: [] }
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const data of pieces.slice(0, 1000)) controller.enqueue(encode({ event: 'token', data }))
        controller.enqueue(encode(tools))
        for (const data of pieces.slice(1000)) controller.enqueue(encode({ event: 'token', data }))
        controller.close()
      },
    })
    const events = await collect(stream(body))
    const at = events.findIndex(({ event }) => event === 'usedTools')
    const textOf = (some: typeof events) => some.map(({ data }) => data).join('')
    expect(textOf(events.slice(0, at))).toBe(pieces.slice(0, 1000).join(''))
    expect(textOf(events.slice(at + 1))).toBe(pieces.slice(1000).join(''))
    expect(events.length).toBeLessThan(200)
  })

  it('are told before the stream breaks', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 3) controller.enqueue(encode({ event: 'token', data: 'a' }))
        else controller.error(new Error('cut'))
      },
    })
    let text = ''
    const reading = (async () => {
      for await (const event of readRunEvents(stream(body))) if (event.event === 'token') text += event.data
    })()
    await expect(reading).rejects.toThrow('cut')
    expect(text).toBe('aaa')
  })

  it.each([
    ['usedTools', []],
    ['token', 'a'],
  ])('are no longer asked for when somebody stops reading after %s', async (event, data) => {
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        controller.enqueue(encode({ event, data }))
      },
      cancel() {
        isCancelled = true
      },
    })
    for await (const _ of readRunEvents(stream(body))) break
    await expect.poll(() => isCancelled).toBe(true)
  })

  it('are told one by one when they come slowly', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        if (sent++ < 3) controller.enqueue(encode({ event: 'token', data: 'a' }))
        else controller.close()
      },
    })
    expect(await collect(stream(body))).toHaveLength(3)
  })
})
