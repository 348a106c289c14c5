import { expect, it } from 'vitest'
import type { Egress } from '../../../ports/types.ts'
import { scriptedModel, toldTo } from '../../testing/steps.ts'
import { drawChat, runChat } from '../testing/chat.ts'

const stored = (type: string, content: string) => JSON.stringify({ type, data: { content, additional_kwargs: {} } })

it('remembers in Redis under the session, as LangChain does', async () => {
  const sent: string[][] = []
  const egress: Egress = {
    async fetch(input, init) {
      const request = new Request(input, init)
      expect(request.url).toBe('https://db.upstash.io/pipeline')
      expect(request.headers.get('authorization')).toBe('Bearer t')
      const commands = (await request.json()) as string[][]
      sent.push(...commands)
      const kept = [stored('ai', 'Hello'), stored('human', 'Hi')]
      return Response.json(commands.map(([name]) => ({ result: name === 'LRANGE' ? kept : 1 })))
    },
  }
  const flow = drawChat(
    {
      scripted_0: {},
      upstashRedisBackedChatMemory_0: { inputs: { baseURL: 'https://db.upstash.io/', sessionTTL: '60' } },
      conversationChain_0: { inputs: { systemMessagePrompt: 'Talk' } },
    },
    ['scripted_0 > conversationChain_0.model', 'upstashRedisBackedChatMemory_0 > conversationChain_0.memory'],
  )
  const model = scriptedModel(['Fine'])
  const openComponents = () => ({ credential: async () => ({ upstashRestToken: 't' }) }) as never
  const ended = await runChat(flow, { models: model, question: 'How are you?', egress, openComponents })
  expect(ended.text).toBe('Fine')
  expect(toldTo(model)).toEqual(['system: Talk', 'user: Hi', 'assistant: Hello', 'user: How are you?'])
  expect(sent).toEqual([
    ['LRANGE', 'session-1', '0', '999'],
    ['LPUSH', 'session-1', stored('human', 'How are you?'), stored('ai', 'Fine')],
    ['EXPIRE', 'session-1', '60'],
  ])
})
