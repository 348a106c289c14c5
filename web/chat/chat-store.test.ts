import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HumanInputAction, RunEvent, RunState } from '#contract/runs/events.ts'
import { ApiError } from '../api/client.ts'
import type { ChatServer } from './chat-server.ts'
import { openChat } from './chat-store.ts'
import { type StoredMessage, type Turn, toTurns } from './conversation.ts'

const action: HumanInputAction = {
  id: 'run:human_0:0',
  mapping: { approve: 'Send it', reject: 'Keep it' },
  elements: [],
  data: { nodeId: 'human_0', nodeLabel: 'Ask', path: 'human_0', input: { humanInputEnableFeedback: true } },
}
const execution = (state: RunState, form: Record<string, unknown> | null = null) => ({
  id: 'run',
  state,
  error: null,
  form,
})
const asked = (state: RunState): StoredMessage[] => [
  { id: '1', role: 'userMessage', content: 'Write', executionId: 'run', execution: execution(state) },
  { id: '2', role: 'apiMessage', content: 'Send this?', executionId: 'run', execution: execution(state), action },
]

/** Responses of the fake server, and the requests that it received. */
let messages: StoredMessage[]
let answers: (() => Response)[]
/** Streams of runs that are read along. */
let live: (() => Response)[]
let sent: { url: string; body: Record<string, unknown> }[]

const stream = (...events: RunEvent[]) =>
  new Response(
    [...events, { event: 'end', data: '[DONE]' }].map((event) => `data:${JSON.stringify(event)}\n\n`).join(''),
    {
      headers: { 'content-type': 'text/event-stream' },
    },
  )
const json = (body: unknown, status = 200) => Response.json(body, { status })

beforeEach(() => {
  messages = []
  answers = []
  live = []
  sent = []
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('window', {})
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (init.method === 'GET' && url.includes('/internal-prediction/')) return live.shift()?.() ?? json({}, 404)
    if (init.method === 'GET') return json(messages)
    sent.push({ url, body: JSON.parse(String(init.body)) })
    return answers.shift()?.() ?? stream()
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const states = (chat: ReturnType<typeof openChat>) => chat.state.turns.map(({ answer }) => answer.state)
const waitingChat = async () => {
  messages = asked('STOPPED')
  const chat = openChat({ id: 'flow' })
  await chat.load()
  const turn = chat.state.turns[0]
  if (!turn) throw new Error('The question was not found again')
  return { chat, turn }
}

it('stops at a question and continues with the answer as a new turn', async () => {
  const chat = openChat({ id: 'flow' })
  await chat.load()
  answers = [
    () => stream({ event: 'action', data: action }, { event: 'metadata', data: { executionId: 'run' } }),
    () => stream({ event: 'token', data: 'Sent.' }, { event: 'metadata', data: { executionId: 'run' } }),
  ]
  await chat.send({ question: 'Write' }, () => {})
  expect(states(chat)).toEqual(['waiting'])

  const heard: RunEvent[] = []
  const [turn] = chat.state.turns
  const outcome = turn && (await chat.answer(turn, { type: 'proceed', feedback: 'Fine' }, (event) => heard.push(event)))
  expect(outcome).toEqual({})
  expect(chat.state.turns.map(({ question, answer }) => [question, answer.state, answer.text])).toEqual([
    ['Write', 'done', ''],
    ['Fine', 'done', 'Sent.'],
  ])
  expect(chat.state.turns[1]?.decision).toMatchObject({
    nodeLabel: 'Ask',
    toolCalls: null,
    answer: { type: 'proceed', feedback: 'Fine', by: { kind: 'user' } },
  })
  expect(heard.map(({ event }) => event)).toEqual(['token', 'metadata', 'end'])
  const [asking, answering] = sent
  expect(answering?.body).toEqual({
    humanInput: { type: 'proceed', feedback: 'Fine', executionId: 'run', actionId: 'run:human_0:0' },
    chatId: asking?.body.chatId,
    streaming: true,
  })
})

it('resends the form of a failed turn after a reload', async () => {
  const form = { city: 'Bern', guests: 2 }
  const failed = execution('ERROR', form)
  messages = [{ id: '1', role: 'userMessage', content: 'city: Bern\nguests: 2', executionId: 'run', execution: failed }]
  const chat = openChat({ id: 'flow' })
  await chat.load()
  const [turn] = chat.state.turns
  if (turn) await chat.retry(turn, () => {})
  expect(sent.at(-1)?.body).toEqual({ form, chatId: expect.any(String), streaming: true })
})

it('keeps a question that is sent before the history has loaded', async () => {
  messages = asked('FINISHED')
  answers = [() => stream({ event: 'token', data: 'Written.' })]
  const chat = openChat({ id: 'flow' })
  await Promise.all([chat.load(), chat.send({ question: 'And again' }, () => {})])
  expect(chat.state.turns.map(({ question }) => question)).toEqual(['Write', 'And again'])
})

it('restores a waiting question after a reload and shows the answer by its label', async () => {
  const { chat, turn } = await waitingChat()
  expect(states(chat)).toEqual(['waiting'])
  await chat.answer(turn, { type: 'reject' }, () => {})
  expect(chat.state.turns.at(-1)?.question).toBe('Keep it')
  expect(chat.state.running).toBe(false)
})

it('shows the result of a question that was answered elsewhere', async () => {
  const { chat, turn } = await waitingChat()
  answers = [() => json({ message: 'This question was already answered' }, 409)]
  messages = [...asked('FINISHED'), { id: '3', role: 'userMessage', content: 'Keep it', executionId: 'run' }]
  messages.push({ id: '4', role: 'apiMessage', content: 'Kept.', executionId: 'run', execution: execution('FINISHED') })
  expect(await chat.answer(turn, { type: 'proceed' }, () => {})).toEqual({
    conflict: 'This question was already answered',
  })
  expect(chat.state.turns.map(({ question, answer }) => [question, answer.state])).toEqual([
    ['Write', 'done'],
    ['Keep it', 'done'],
  ])
})

it('keeps the question open when the answer is rejected', async () => {
  const { chat, turn } = await waitingChat()
  answers = [() => json({ message: 'The flow was deleted' }, 404)]
  await expect(chat.answer(turn, { type: 'proceed' }, () => {})).rejects.toThrow('The flow was deleted')
  expect(states(chat)).toEqual(['waiting'])
  expect(chat.state.running).toBe(false)
})

it('the chat begins a new session and keeps the old messages', async () => {
  const chat = openChat({ id: 'flow' })
  await chat.load()
  await chat.send({ question: 'Before' }, () => {})
  chat.startNew()
  expect(chat.state.turns).toEqual([])
  await chat.send({ question: 'After' }, () => {})
  const [before, after] = sent
  expect(sent).toHaveLength(2)
  expect(after?.body.chatId).not.toBe(before?.body.chatId)
})

it('sends one answer for a double click', async () => {
  const { chat, turn } = await waitingChat()
  await Promise.all([
    chat.answer(turn, { type: 'proceed' }, () => {}),
    chat.answer(turn, { type: 'proceed' }, () => {}),
  ])
  expect(sent).toHaveLength(1)
})

it('waits for a run that continues elsewhere and shows its answer', async () => {
  vi.useFakeTimers()
  messages = [
    { id: '1', role: 'userMessage', content: 'Write', executionId: 'run', execution: execution('INPROGRESS') },
  ]
  const chat = openChat({ id: 'flow' })
  const loaded = chat.load()
  await vi.waitFor(() => expect(chat.state.running).toBe(true))
  messages = [...messages, { id: '2', role: 'apiMessage', content: 'Written.', executionId: 'run' }]
  await vi.advanceTimersByTimeAsync(1000)
  await loaded
  expect(chat.state.turns.map(({ answer }) => answer.text)).toEqual(['Written.'])
  expect(chat.state.running).toBe(false)
})

it('streams a running answer on after a reload, and shows it as stored at the end', async () => {
  vi.useFakeTimers()
  const question: StoredMessage = { id: '1', role: 'userMessage', content: 'Write', executionId: 'run' }
  messages = [{ ...question, execution: execution('INPROGRESS') }]
  const { readable, writable } = new TextEncoderStream()
  const pieces = writable.getWriter()
  const headers = { 'content-type': 'text/event-stream' }
  live = [() => new Response(readable, { headers })]
  const say = (data: string) => void pieces.write(`data:${JSON.stringify({ event: 'token', data })}\n\n`)
  const chat = openChat({ id: 'flow' })
  const loaded = chat.load()
  say('Once ')
  await vi.waitFor(() => expect(chat.state.turns[0]?.answer.text).toBe('Once '))
  say('upon')
  await vi.waitFor(() => expect(chat.state.turns[0]?.answer.text).toBe('Once upon'))
  expect(states(chat)).toEqual(['running'])
  messages = [question, { id: '2', role: 'apiMessage', content: 'Once upon a time', executionId: 'run' }]
  void pieces.close()
  await vi.advanceTimersByTimeAsync(100)
  await loaded
  expect(chat.state.turns.map(({ answer: { text, state } }) => [text, state])).toEqual([['Once upon a time', 'done']])
})

it('keeps waiting through a server outage without resending the question', async () => {
  vi.useFakeTimers()
  const question: StoredMessage = { id: '1', role: 'userMessage', content: 'Write', executionId: 'run' }
  messages = [{ ...question, execution: execution('INPROGRESS') }]
  const chat = openChat({ id: 'flow' })
  const loaded = chat.load()
  await vi.waitFor(() => expect(chat.state.running).toBe(true))
  const answer = fetch
  const away = [() => Promise.reject(new TypeError('fetch failed')), async () => json({ message: 'Starting' }, 503)]
  vi.stubGlobal('fetch', (...call: Parameters<typeof fetch>) => away.shift()?.() ?? answer(...call))
  await vi.advanceTimersByTimeAsync(2500)
  expect(away).toHaveLength(0)
  expect(states(chat)).toEqual(['running'])
  messages = [question, { id: '2', role: 'apiMessage', content: 'Written.', executionId: 'run' }]
  await vi.advanceTimersByTimeAsync(2500)
  await loaded
  expect(chat.state.turns.map(({ answer: { text, state } }) => [text, state])).toEqual([['Written.', 'done']])
})

it('goes on when another member answers, and shows what the server stored', async () => {
  messages = asked('STOPPED')
  live = [() => stream({ event: 'token', data: 'Sent.' })]
  const chat = openChat({ id: 'flow' })
  const heard: RunEvent[] = []
  await chat.load((event) => heard.push(event))
  messages = [...asked('FINISHED'), { id: '3', role: 'apiMessage', content: 'Sent.', executionId: 'run' }]
  await expect.poll(() => chat.state.turns.at(-1)?.answer.messageId).toBe('3')
  expect(states(chat)).toEqual(['done', 'done'])
  expect(heard.map(({ event }) => event)).toEqual(['token', 'end'])
})

describe('a caller who waits for the team', () => {
  const note = 'Waiting for the team to approve.'
  const forTeam = {
    ...action,
    data: { ...action.data, input: { ...action.data.input, approvers: 'members' as const } },
  }
  const question = {
    id: '2',
    role: 'apiMessage' as const,
    content: `Pay?\n\n${note}`,
    executionId: 'run',
    action: forTeam,
  }
  const waits = (...streams: (() => Promise<Response>)[]) => {
    const asks: object[] = []
    const saved: string[][] = []
    const server = {
      load: () => ({ chatId: 'chat' }),
      save: (_: unknown, turns: readonly Turn[]) => void saved.push(turns.map(({ answer }) => answer.state)),
      turnsOf: async () =>
        toTurns([asked('STOPPED')[0] as StoredMessage, { ...question, execution: execution('STOPPED') }]),
      wait: (named: object) => {
        asks.push(named)
        return streams.shift()?.() ?? new Promise<Response>(() => {})
      },
      keepsMessages: false,
      follow: async () => false,
    } as unknown as ChatServer
    return { chat: openChat({ id: 'flow' }, server), asks, saved }
  }
  const silent = async () => new Response('', { headers: { 'content-type': 'text/event-stream' } })
  const turnsOf = (chat: ReturnType<typeof openChat>) =>
    chat.state.turns.map(({ question, answer }) => [question, answer.text, answer.state])

  it('has the rest as a new turn, after streams that were silent or broke', async () => {
    vi.useFakeTimers()
    const metadata: RunEvent = { event: 'metadata', data: { executionId: 'run', chatMessageId: '4' } }
    const broken = async () =>
      new Response(`data:${JSON.stringify({ event: 'token', data: 'PA' })}\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      })
    const rest = async () => stream({ event: 'token', data: 'PAID' }, metadata)
    const { chat, asks, saved } = waits(silent, () => Promise.reject(new Error('offline')), broken, rest)
    await chat.load()
    expect(turnsOf(chat)).toEqual([['Write', `Pay?\n\n${note}`, 'waiting']])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(turnsOf(chat)).toEqual([
      ['Write', 'Pay?', 'done'],
      ['', 'PAID', 'done'],
    ])
    expect(asks).toEqual(Array.from({ length: 4 }, () => ({ executionId: 'run', question: action.id, chatId: 'chat' })))
    expect(saved.at(-1)).toEqual(['done', 'done'])
  })

  it('stops asking when the server refuses, and when the chat is left', async () => {
    vi.useFakeTimers()
    const refused = waits(() => Promise.reject(new ApiError(404, { message: 'No' })), silent)
    await refused.chat.load()
    await vi.advanceTimersByTimeAsync(60_000)
    const left = waits(silent, silent)
    await left.chat.load()
    left.chat.leave()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([refused.asks.length, left.asks.length]).toEqual([1, 1])
  })
})
