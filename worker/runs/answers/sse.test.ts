import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RunEvent } from '#contract/runs/events.ts'
import { type Emit, eventStream, frame } from './sse.ts'

it('frames an event byte for byte', () => {
  expect(frame({ event: 'token', data: 'Hel\n"lo"' })).toBe(
    'message:\ndata:{"event":"token","data":"Hel\\n\\"lo\\""}\n\n',
  )
})

it('the event stream leaves out credential ids', () => {
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

  const token = (data: string): RunEvent => ({ event: 'token', data })
  const readerOf = ({ response }: { response: Response }) => {
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    return async () => new TextDecoder().decode((await reader.read()).value)
  }

  it('sends events that are there together in one write, each as its own event', async () => {
    const opened = stream()
    const read = readerOf(opened)
    const first = read()
    await Promise.resolve()
    for (const word of ['a', 'b', 'c']) opened.emit(token(word))
    expect(await first).toBe(['a', 'b', 'c'].map((word) => frame(token(word))).join(''))
    opened.finish()
  })

  it('sends an event at once after a silence, and together what follows within a moment', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const opened = stream()
    const read = readerOf(opened)
    const begun = read()
    await Promise.resolve()
    opened.emit({ event: 'agentFlowEvent', data: 'INPROGRESS' })
    expect(await begun).toContain('INPROGRESS')
    const first = read()
    await Promise.resolve()
    opened.emit(token('a'))
    expect(await first).toBe(frame(token('a')))
    const second = read()
    for (const word of ['b', 'c']) {
      await Promise.resolve()
      opened.emit(token(word))
    }
    await vi.advanceTimersByTimeAsync(2)
    expect(await second).toBe(frame(token('b')) + frame(token('c')))
    await vi.advanceTimersByTimeAsync(10)
    const third = read()
    await Promise.resolve()
    opened.emit(token('d'))
    expect(await third).toBe(frame(token('d')))
    opened.emit(token('e'))
    opened.finish()
    expect(await read()).toBe(frame(token('e')))
    expect(await read()).toBe('')
  })

  it('sends what it holds when a client that was busy waits again', async () => {
    const opened = stream()
    for (const word of ['a', 'b', 'c']) opened.emit(token(word))
    expect(await readerOf(opened)()).toBe(['a', 'b', 'c'].map((word) => frame(token(word))).join(''))
    opened.finish()
  })

  it('continues the work after the client disconnects', async () => {
    const { response, emit, finish, kept } = stream()
    await response.body?.cancel()
    emit(end)
    finish()
    await expect(kept()).resolves.toBeUndefined()
  })
})
