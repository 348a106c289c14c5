import { describe, expect, it } from 'vitest'
import type { Egress } from '../../../ports/types.ts'
import { scriptedModel, toldTo } from '../../testing/steps.ts'
import { drawChat, type Inputs, runChat } from '../testing/chat.ts'

interface Asked {
  call: string
  authorization: string | null
  body?: unknown
}

/** Answers by `POST https://…`; what is not scripted is unknown. */
function service(answers: Record<string, unknown>) {
  const asked: Asked[] = []
  const egress: Egress = {
    async fetch(input, init) {
      const request = new Request(input, init)
      const call = `${request.method} ${request.url}`
      const text = await request.text()
      asked.push({ call, authorization: request.headers.get('authorization'), ...(text && { body: JSON.parse(text) }) })
      const [answer] = answersTo(call)
      return answer === undefined
        ? Response.json({ message: 'not found: key-1' }, { status: 404 })
        : Response.json(answer)
    },
  }
  const answersTo = (call: string) => {
    const scripted = answers[call]
    return Array.isArray(scripted) && call.startsWith('POST') ? [scripted.shift()] : [scripted]
  }
  return { asked, egress }
}

async function talk(memory: string, inputs: Inputs, { egress }: ReturnType<typeof service>) {
  const flow = drawChat(
    { scripted_0: {}, [`${memory}_0`]: { inputs }, conversationChain_0: { inputs: { systemMessagePrompt: 'Talk' } } },
    ['scripted_0 > conversationChain_0.model', `${memory}_0 > conversationChain_0.memory`],
  )
  const model = scriptedModel(['Fine'])
  const openComponents = () => ({ credential: async () => ({ apiKey: 'key-1' }) }) as never
  const ended = await runChat(flow, { models: model, question: 'How are you?', egress, openComponents })
  return { ended, told: toldTo(model) }
}

const exchange = (user: string, assistant: string) => [
  { role: user, content: 'How are you?' },
  { role: assistant, content: 'Fine' },
]

describe('Zep’s cloud', () => {
  const thread = 'https://api.getzep.com/api/v2/threads/session-1'
  const earlier = { uuid: 'm1', role: 'user', content: 'Hi', created_at: '2026-01-01T00:00:00Z' }
  const known = {
    [`GET ${thread}/messages?lastn=20`]: { messages: [earlier, { ...earlier, role: 'assistant', content: 'Hello' }] },
    [`GET ${thread}/context`]: { context: 'Ann likes tea.' },
  }

  it('gives the latest messages with what it knows, and gets the new ones', async () => {
    const zep = service({ ...known, [`POST ${thread}/messages`]: [{ message_uuids: ['m2', 'm3'] }] })
    const { ended, told } = await talk('ZepMemoryCloud', {}, zep)
    expect(ended.text).toBe('Fine')
    expect(told).toEqual([
      'system: Talk',
      'system: Ann likes tea.',
      'user: Hi',
      'assistant: Hello',
      'user: How are you?',
    ])
    expect(zep.asked.map(({ authorization }) => authorization)).toEqual(Array(3).fill('Api-Key key-1'))
    expect(zep.asked.at(-1)?.body).toEqual({ messages: exchange('user', 'assistant') })
  })

  it('gives messages only with a window of them', async () => {
    const zep = service({ ...known, [`POST ${thread}/messages`]: [{}] })
    expect((await talk('ZepMemoryCloud', { memoryType: 'message_window' }, zep)).told).not.toContain(
      'system: Ann likes tea.',
    )
  })

  it('gets a user and a thread for a new session', async () => {
    const zep = service({
      [`POST ${thread}/messages`]: [undefined, {}],
      'POST https://api.getzep.com/api/v2/users': [{ user_id: 'session-1' }],
      'POST https://api.getzep.com/api/v2/threads': [{ thread_id: 'session-1' }],
    })
    const { told } = await talk('ZepMemoryCloud', {}, zep)
    expect(told).toEqual(['system: Talk', 'user: How are you?'])
    expect(zep.asked.slice(-3)).toMatchObject([
      { body: { user_id: 'session-1' } },
      { body: { thread_id: 'session-1', user_id: 'session-1' } },
      { body: { messages: exchange('user', 'assistant') } },
    ])
  })
})

it('a Zep server gives messages with their summary, and gets the new ones', async () => {
  const memory = 'https://zep.example.com/api/v1/sessions/session-1/memory'
  const zep = service({
    [`GET ${memory}?lastn=6`]: {
      messages: [{ uuid: 'm1', role: 'human', content: 'Hi' }],
      summary: { uuid: 's1', content: 'They met.' },
    },
    [`POST ${memory}`]: ['OK'],
  })
  const { told } = await talk('ZepMemory', { baseURL: 'https://zep.example.com/', k: '3' }, zep)
  expect(told).toEqual([
    'system: Talk',
    'system: Summary of the earlier conversation:\nThey met.',
    'user: Hi',
    'user: How are you?',
  ])
  expect(zep.asked.at(-1)).toMatchObject({ authorization: 'Bearer key-1', body: { messages: exchange('human', 'ai') } })
})

describe('Mem0', () => {
  const search = 'POST https://api.mem0.ai/v3/memories/search/'
  const add = 'POST https://api.mem0.ai/v3/memories/add/'
  const found = { results: [{ id: '1', memory: 'Likes tea', score: 0.9 }] }

  it('gives what it knows about the user, and gets the exchange', async () => {
    const mem0 = service({ [search]: [found], [add]: [{ event_id: 'e1', status: 'PENDING' }] })
    const { told } = await talk('mem0', { useFlowiseChatId: true, agent_id: 'a1', org_id: 'o1' }, mem0)
    expect(told).toEqual(['system: Talk', 'system: What is known about the user:\n- Likes tea', 'user: How are you?'])
    const owner = { user_id: 'session-1', agent_id: 'a1' }
    expect(mem0.asked.map(({ body }) => body)).toEqual([
      { query: 'How are you?', filters: owner, org_id: 'o1' },
      { messages: exchange('user', 'assistant'), ...owner, org_id: 'o1' },
    ])
    expect(mem0.asked[0]?.authorization).toBe('Token key-1')
  })

  it('gets nothing where it is only searched', async () => {
    const mem0 = service({ [search]: [found] })
    await talk('mem0', { user_id: 'ann', searchOnly: true }, mem0)
    expect(mem0.asked.map(({ call }) => call)).toEqual([search])
  })

  it('asks whose memories it should find', async () => {
    const { ended } = await talk('mem0', { user_id: '' }, service({}))
    expect(ended).toMatchObject({ state: 'ERROR', error: expect.stringContaining('Mem0: enter a user ID') })
  })
})
