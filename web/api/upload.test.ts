import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { upload } from './upload.ts'

type Answer = { status: number; body: unknown } | 'unreachable' | 'never' | 'sent'

let answers: Answer[]
let aborted: number
let answerLate: (status: number) => void
let sent: { url: string; headers: Record<string, string>; body: unknown }[]

/** Answers each request with the next of `answers`. */
class FakeRequest {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void; onload?: () => void } = {}
  withCredentials = false
  status = 0
  responseText = ''
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  #url = ''
  #headers: Record<string, string> = {}

  open(_method: string, url: string) {
    this.#url = url
  }
  setRequestHeader(name: string, value: string) {
    this.#headers[name] = value
  }
  abort() {
    aborted += 1
    this.onabort?.()
  }
  send(body: unknown) {
    sent.push({ url: this.#url, headers: this.#headers, body })
    const answer = answers.shift()
    if (answer === undefined || answer === 'never') return
    if (answer === 'sent') {
      this.upload.onload?.()
      answerLate = (status) => {
        this.upload.onprogress?.({ loaded: 4, total: 4 })
        this.status = status
        this.responseText = JSON.stringify({ id: 'late' })
        this.onload?.()
      }
      return
    }
    queueMicrotask(() => {
      if (answer === 'unreachable') return this.onerror?.()
      this.upload.onprogress?.({ loaded: 1, total: 4 })
      this.status = answer.status
      this.responseText = JSON.stringify(answer.body)
      this.onload?.()
    })
  }
}

const file = new File(['warp'], 'a.txt')
const renewals: string[] = []

beforeEach(() => {
  answers = []
  sent = []
  aborted = 0
  renewals.length = 0
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=secret' })
  vi.stubGlobal('window', {})
  vi.stubGlobal('localStorage', { setItem() {}, removeItem() {}, getItem: () => null })
  vi.stubGlobal('fetch', async (url: string) => {
    renewals.push(url)
    return Response.json({ id: 'user' })
  })
})
afterEach(() => vi.unstubAllGlobals())

const send = (signal = new AbortController().signal, onProgress = (_: number) => {}) =>
  upload<{ id: string }>('/files?name=a.txt', file, { onProgress, signal })

it('sends the file as it is, with the token, and tells how much was sent', async () => {
  answers = [{ status: 200, body: { id: 'one' } }]
  const parts: number[] = []
  expect(await send(undefined, (part) => parts.push(part))).toEqual({ id: 'one' })
  expect(sent[0]).toMatchObject({ url: '/api/v1/files?name=a.txt', body: file })
  expect(sent[0]?.headers).toMatchObject({ 'x-xsrf-token': 'secret', 'x-request-from': 'internal' })
  expect(parts).toEqual([0.25])
})

it('renews a session that has expired and sends the file once more', async () => {
  answers = [
    { status: 401, body: { message: 'Token Expired', retry: true } },
    { status: 200, body: { id: 'one' } },
  ]
  expect(await send()).toEqual({ id: 'one' })
  expect(sent).toHaveLength(2)
  expect(renewals).toEqual(['/api/v1/auth/refreshToken'])
})

it('rejects with what the server says, without a second attempt', async () => {
  answers = [{ status: 413, body: { message: 'The file is too large' } }]
  await expect(send()).rejects.toMatchObject({ status: 413, message: 'The file is too large' })
  expect(sent).toHaveLength(1)
})

it('an upload fails with a clear message when the server cannot be reached', async () => {
  answers = ['unreachable']
  await expect(send()).rejects.toThrow('Can’t reach the server')
})

it('stops when it is cancelled', async () => {
  answers = ['never']
  const abort = new AbortController()
  const sending = send(abort.signal)
  abort.abort(new Error('Cancelled'))
  await expect(sending).rejects.toThrow('Cancelled')
  expect(aborted).toBe(1)
})

describe('a file whose upload is cancelled', () => {
  const parts: number[] = []
  const cancel = async (takeBack?: (answer: { id: string }) => void, answer: Answer = 'sent') => {
    answers = [answer]
    const abort = new AbortController()
    const { signal } = abort
    const sending = upload<{ id: string }>('/files', file, {
      onProgress: (part) => parts.push(part),
      signal,
      ...(takeBack && { takeBack }),
    })
    abort.abort(new Error('Cancelled'))
    await expect(sending).rejects.toThrow('Cancelled')
  }

  it('is taken back when it had been sent whole, as soon as the server has answered', async () => {
    const taken: string[] = []
    await cancel(({ id }) => taken.push(id))
    expect([aborted, taken]).toEqual([0, []])
    answerLate(200)
    expect(taken).toEqual(['late'])
  })

  it('shows no progress any more, though the browser reports it late', async () => {
    await cancel(() => {})
    answerLate(200)
    expect(parts).toEqual([])
  })

  it('is not taken back when the server refused it', async () => {
    const taken: string[] = []
    await cancel(({ id }) => taken.push(id))
    answerLate(413)
    expect(taken).toEqual([])
  })

  it('is stopped when some of it was still to be sent', async () => {
    vi.useFakeTimers()
    await cancel(() => {}, 'never')
    vi.runAllTimers()
    vi.useRealTimers()
    expect(aborted).toBe(1)
  })

  it('is only no longer waited for where nothing can be taken back', async () => {
    await cancel()
    expect(aborted).toBe(1)
  })
})
