import { describe, expect, it } from 'vitest'
import type { RunEvent } from '#contract/runs/events.ts'
import { type Emit, eventStream, frame } from './sse.ts'

it('frames an event byte for byte', () => {
  expect(frame({ event: 'token', data: 'Hel\n"lo"' })).toBe(
    'message:\ndata:{"event":"token","data":"Hel\\n\\"lo\\""}\n\n',
  )
})

it('leaves out credential ids', () => {
  const data = { a: [{ agentSelectedToolConfig: { FLOWISE_CREDENTIAL_ID: 'c1', url: 'u' } }] }
  expect(frame({ event: 'metadata', data })).toBe(
    'message:\ndata:{"event":"metadata","data":{"a":[{"agentSelectedToolConfig":{"url":"u"}}]}}\n\n',
  )
})

describe('the stream', () => {
  const end: RunEvent = { event: 'end', data: '[DONE]' }

  function stream() {
    let emit: Emit = () => {}
    const work = Promise.withResolvers<void>()
    let kept: Promise<void> | undefined
    const response = eventStream(
      (given) => {
        emit = given
        return work.promise
      },
      (promise) => {
        kept = promise
      },
    )
    return { response, emit: (event: RunEvent) => emit(event), finish: work.resolve, kept: () => kept as Promise<void> }
  }

  it('ends when the work is done', async () => {
    const { response, emit, finish } = stream()
    emit(end)
    finish()
    expect(await response.text()).toBe(frame(end))
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
  })

  it('sends an event at once to a client that waits, and later ones together, each as its own event', async () => {
    const { response, emit, finish } = stream()
    const token = (data: string): RunEvent => ({ event: 'token', data })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    const first = read()
    await Promise.resolve()
    for (const word of ['a', 'b', 'c']) emit(token(word))
    expect(await first).toBe(frame(token('a')))
    expect(await read()).toBe(frame(token('b')) + frame(token('c')))
    const next = read()
    await Promise.resolve()
    emit(token('d'))
    expect(await next).toBe(frame(token('d')))
    emit(end)
    finish()
    expect(await read()).toBe(frame(end))
    expect((await reader.read()).done).toBe(true)
  })

  it('continues the work after the client disconnects', async () => {
    const { response, emit, finish, kept } = stream()
    await response.body?.cancel()
    emit(end)
    finish()
    await expect(kept()).resolves.toBeUndefined()
  })
})
