import { describe, expect, it } from 'vitest'
import type { ChatModel } from '../../../models/types.ts'
import type { Egress } from '../../../ports/types.ts'
import { type Answer, scriptedModel } from '../../testing/steps.ts'
import type { StepContext } from '../../types.ts'
import { modelComponent } from '../components.ts'
import { drawChat, outputOf, runChat } from '../testing/chat.ts'
import { cachedModel } from './cached-model.ts'

const definition = {
  ...{ label: 'Kept Model', name: 'keptModel', version: 1, type: 'Kept', category: 'Chat Models', description: '' },
  baseClasses: ['Kept', 'BaseChatModel', 'BaseLanguageModel', 'Runnable'],
  inputs: [{ label: 'Model name', name: 'modelName', type: 'string' }],
}

/** A chain whose model has a cache. Each test names its model, so that no answer of another is kept for it. */
function chainWith(cache: string, modelName: string, answers: Answer[]) {
  const model = scriptedModel(...answers)
  const own = [modelComponent({ definition, open: async () => ({ model, modelName, settings: {} }) })]
  const flow = drawChat(
    {
      ...{ [`${cache}_0`]: {}, promptTemplate_0: { inputs: { template: 'On {topic}' } }, llmChain_0: {} },
      keptModel_0: { inputs: { modelName } },
    },
    [`${cache}_0 > keptModel_0.cache`, 'keptModel_0 > llmChain_0.model', 'promptTemplate_0 > llmChain_0.prompt'],
    own,
  )
  const ask = (question: string, more: object = {}) => runChat(flow, { own, question, ...more })
  return { ask, model }
}

describe.each([true, false])('the in-memory cache, streaming: %s', (streaming) => {
  it('answers a question once, and then without the model and its price', async () => {
    const { ask, model } = chainWith('inMemoryCache', `once ${streaming}`, [['A ', 'sock'], ['Another']])
    const [first, again] = [await ask('socks', { streaming }), await ask('socks', { streaming })]
    expect([first.text, again.text, again.tokens]).toEqual(['A sock', 'A sock', 'A sock'])
    expect(model.calls).toHaveLength(1)
    expect(outputOf(again).usageMetadata).toMatchObject({ total_tokens: 0 })
    expect((await ask('hats', { streaming })).text).toBe('Another')
  })

  it('keeps nothing for other flows and workspaces', async () => {
    const { ask, model } = chainWith('inMemoryCache', `apart ${streaming}`, [['One'], ['Two'], ['Three']])
    const identity = { executionId: 'e', chatId: 'c', sessionId: 's', apiMessageId: 'm', calledBy: [] }
    for (const owner of [
      { workspaceId: 'w1', chatflowId: 'f1' },
      { workspaceId: 'w2', chatflowId: 'f1' },
      { workspaceId: 'w1', chatflowId: 'f2' },
    ])
      await ask('socks', { streaming, identity: { ...identity, ...owner } })
    expect(model.calls).toHaveLength(3)
  })

  it('keeps no answer that was cut off', async () => {
    const { ask, model } = chainWith('inMemoryCache', `cut ${streaming}`, [{ error: new Error('gone') }, ['Whole']])
    expect((await ask('socks', { streaming })).error).toContain('gone')
    expect((await ask('socks', { streaming })).text).toBe('Whole')
    expect(model.calls).toHaveLength(2)
  })
})

it('a cached model asks anew where a question has a file', async () => {
  const model = scriptedModel(['One'], ['Two'])
  const cache = { get: async () => 'Kept', set: async () => {} }
  const node = { id: 'm', name: 'm', label: 'm' }
  const identity = { workspaceId: 'w', chatflowId: 'f' } as StepContext['identity']
  const cached = cachedModel({ model, modelName: 'm', settings: {} }, cache, { identity, node, inputs: {} })
  const file = { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: 'x' } }
  const text = { type: 'text' as const, text: 'What is it?' }
  const said = async (content: (typeof file | typeof text)[]) =>
    (await cached.model.doGenerate({ prompt: [{ role: 'user', content }] })).content
  expect(await said([text, file])).toEqual([{ type: 'text', text: 'One' }])
  expect(await said([text])).toEqual([{ type: 'text', text: 'Kept' }])
})

const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://x.example' } as const

it.each([
  ['is whole', 'stop', [], ['A']],
  ['was cut off', 'length', [], []],
  ['has more than text', 'stop', [source], []],
] as const)('a cached model keeps an answer that %s accordingly', async (_, unified, more, kept) => {
  const end = { finishReason: { unified, raw: undefined }, usage: {} as never }
  const keptTexts: string[] = []
  const cache = { get: async () => undefined, set: async (_key: string, text: string) => void keptTexts.push(text) }
  const plain = scriptedModel(['never'])
  const model: ChatModel = {
    ...plain,
    doGenerate: async () => ({ content: [{ type: 'text', text: 'A' }, ...more], ...end, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          const delta = { type: 'text-delta' as const, id: '0', delta: 'A' }
          for (const part of [delta, ...more, { type: 'finish' as const, ...end }]) controller.enqueue(part)
          controller.close()
        },
      }),
    }),
  }
  const context = { identity: {} as StepContext['identity'], node: { id: 'm', name: 'm', label: 'm' }, inputs: {} }
  const cached = cachedModel({ model, modelName: 'm', settings: {} }, cache, context).model
  await cached.doGenerate({ prompt: [] })
  expect(keptTexts).toEqual(kept)
  const { parts } = await cached.doStream({ prompt: [] })
  while (await parts?.read());
  expect(keptTexts).toEqual([...kept, ...kept])
})

describe('the Upstash cache', () => {
  it('keeps answers over HTTP, with the time that its owner allows', async () => {
    const kept = new Map<string, string>()
    const sent: string[][] = []
    const egress: Egress = {
      async fetch(input, init) {
        const request = new Request(input, init)
        expect([request.url, request.headers.get('authorization')]).toEqual([
          'https://db.upstash.io/pipeline',
          'Bearer t',
        ])
        const [command = []] = (await request.json()) as string[][]
        sent.push(command)
        const [name, key = '', value = ''] = command
        if (name === 'SET') kept.set(key, value)
        return Response.json([{ result: name === 'GET' ? (kept.get(key) ?? null) : 'OK' }])
      },
    }
    const fields = { upstashConnectionUrl: 'https://db.upstash.io/', upstashConnectionToken: 't' }
    const openComponents = () => ({ credential: async () => fields }) as never
    const { ask, model } = chainWith('upstashRedisCache', 'redis', [['A sock'], ['Another']])
    for (const _ of [1, 2]) expect((await ask('socks', { egress, openComponents })).text).toBe('A sock')
    expect(model.calls).toHaveLength(1)
    expect(sent.map(([name]) => name)).toEqual(['GET', 'SET', 'GET'])
    expect(sent[1]).toEqual(['SET', expect.stringMatching(/^heddle:answer:[0-9a-f]{64}$/), 'A sock'])
  })

  it('says what the database refuses', async () => {
    const egress: Egress = { fetch: async () => Response.json({ error: 'WRONGPASS' }, { status: 401 }) }
    const openComponents = () =>
      ({ credential: async () => ({ upstashConnectionUrl: 'https://db.upstash.io' }) }) as never
    const { ask } = chainWith('upstashRedisCache', 'refused', [['A sock']])
    expect((await ask('socks', { egress, openComponents })).error).toContain('Upstash Redis: WRONGPASS')
  })
})
